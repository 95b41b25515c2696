/* SPDX-License-Identifier: Apache-2.0 */
#include "er_print/table/table.h"

#include "tests/er_print/printed.h"

#define MS INT64_C(1000000)

/* A table with one column of times, and names. */
static struct table new_table(void)
{
	struct table table = { 0 };
	struct table_column *column =
		table_add_column(&table, "Excl. Total CPU", CELL_TIME);

	column->full_title = "Exclusive Total CPU Time";
	column->whole = 400 * MS;
	table_add_column(&table, "Name", CELL_NAME);
	return table;
}

static void add(struct table *table, int64_t ns, int64_t error_ns, const char *name)
{
	struct cell *cells = table_add_line(table, ' ');

	cells[0].value = ns;
	cells[0].error = error_ns;
	cells[1].text = name;
}

static void print(struct table *table, struct output *output)
{
	table_print(table, 0, output);
}

static void assert_printed(struct table *table, enum output_form form,
			   const char *expected)
{
	char *text = printed(table, form, ',', print);

	assert_string_equal(text, expected);
	free(text);
}

/* Compare the table alone, without the document around it. */
static void assert_html(struct table *table, const char *expected)
{
	char *text = printed(table, OUTPUT_HTML, 0, print);
	char *body = strstr(text, "<tbody>\n"), *end = strstr(text, "</tbody>");

	assert_non_null(body);
	assert_non_null(end);
	*end = '\0';
	assert_string_equal(body + strlen("<tbody>\n"), expected);
	free(text);
}

static void a_table_has_three_forms(void **state)
{
	struct table table = new_table();

	table.columns.items[0].has_percent = table.columns.items[0].is_sorted = true;
	add(&table, 400 * MS, 0, "<Total>");
	add(&table, 100 * MS + 1, 0, "f(\"x\", 'y' && z)");
	add(&table, 0, 0, "main");
	assert_printed(&table, OUTPUT_TEXT,
		       "Excl. Total    Name\n"
		       "CPU\n"
		       " sec.      %\n"
		       "0.400 100.00   <Total>\n"
		       "0.100  25.00   f(\"x\", 'y' && z)\n"
		       "0.      0.     main\n");
	assert_printed(&table, OUTPUT_DELIMITED,
		       "\"\",\"\",\"\"\n"
		       "\"Exclusive\",\"Exclusive\",\"Name\"\n"
		       "\"Total CPU Time\",\"Total CPU Time\",\"\"\n"
		       "\"V  (sec.)\",\"V  %%\",\"   \"\n"
		       "\"0.400\",\"100.00\",\"<Total>\"\n"
		       "\"0.100000001\",\"25.00\",\"f(\"\"x\"\", 'y' && z)\"\n"
		       "\"0.\",\"0.\",\"main\"\n");
#define TIME "<td class=\"exclusive-total-cpu-time time sorted\">"
#define PART "<td class=\"exclusive-total-cpu-time time sorted percent\">"
#define NAME "<td class=\"name\">"
	assert_html(&table,
		    "<tr>" TIME "0.400</td>" PART "100.00</td>" NAME
		    "&lt;Total&gt;</td></tr>\n"
		    "<tr>" TIME "0.100</td>" PART "25.00</td>" NAME
		    "f(&quot;x&quot;, &#39;y&#39; &amp;&amp; z)</td></tr>\n"
		    "<tr>" TIME "0.   </td>" PART "0.  </td>" NAME "main</td></tr>\n");
	table_release(&table);
}

static void an_interval_has_its_own_column(void **state)
{
	struct table table = new_table();
	struct table_column *column = &table.columns.items[0];

	column->has_error = column->has_percent = true;
	add(&table, 400 * MS, 40 * MS, "<Total>");
	add(&table, 100 * MS, 1012 * MS, "burn");
	add(&table, 0, 0, "main");
	assert_printed(&table, OUTPUT_TEXT,
		       "Excl. Total CPU       Name\n"
		       "\n"
		       " sec.      ±      %\n"
		       "0.400 ±0.040 100.00   <Total>\n"
		       "0.100 ±1.012  25.00   burn\n"
		       "0.    ±0.      0.     main\n");
	assert_printed(&table, OUTPUT_DELIMITED,
		       "\"\",\"\",\"\",\"\"\n"
		       "\"Exclusive\",\"Exclusive\",\"Exclusive\",\"Name\"\n"
		       "\"Total CPU Time\",\"Total CPU Time\",\"Total CPU Time\",\"\"\n"
		       "\"   (sec.)\",\"   ±(sec.)\",\"   %%\",\"   \"\n"
		       "\"0.400\",\"0.040\",\"100.00\",\"<Total>\"\n"
		       "\"0.100\",\"1.012\",\"25.00\",\"burn\"\n"
		       "\"0.\",\"0.\",\"0.\",\"main\"\n");
	assert_html(&table,
		    "<tr><td class=\"exclusive-total-cpu-time time\">0.400</td>"
		    "<td class=\"exclusive-total-cpu-time time error\">±0.040</td>"
		    "<td class=\"exclusive-total-cpu-time time percent\">100.00</td>" NAME
		    "&lt;Total&gt;</td></tr>\n"
		    "<tr><td class=\"exclusive-total-cpu-time time\">0.100</td>"
		    "<td class=\"exclusive-total-cpu-time time error\">±1.012</td>"
		    "<td class=\"exclusive-total-cpu-time time percent\">25.00</td>" NAME
		    "burn</td></tr>\n"
		    "<tr><td class=\"exclusive-total-cpu-time time\">0.   </td>"
		    "<td class=\"exclusive-total-cpu-time time error\">±0.   </td>"
		    "<td class=\"exclusive-total-cpu-time time percent\">0.  </td>" NAME
		    "main</td></tr>\n");
	table_release(&table);
}

/* As gp-display-text -source prints it. */
static void listings_mark_hot_lines(void **state)
{
	struct table table = { .has_marks = true };

	table_add_column(&table, "Incl. Total CPU", CELL_TIME);
	table_add_column(&table, "", CELL_TEXT)->is_left = true;
	add(&table, 0, 0, " 1. #include <math.h>");
	table.lines.items[0].has_no_figure = true;
	add(&table, 90 * MS, 0, " 8. double hot(int n)");
	table.lines.items[1].is_hot = true;
	add(&table, 0, 0, " 9. {");
	assert_printed(&table, OUTPUT_TEXT,
		       "   Incl.\n"
		       "   Total\n"
		       "   CPU sec.\n"
		       "              1. #include <math.h>\n"
		       "## 0.090      8. double hot(int n)\n"
		       "   0.         9. {\n");
	assert_printed(&table, OUTPUT_DELIMITED,
		       "\"\",\"\",\"\"\n"
		       "\"Hot\",\"Incl.\",\"\"\n"
		       "\"\",\"Total CPU\",\"\"\n"
		       "\"   \",\"   (sec.)\",\"   \"\n"
		       "\"\",\"\",\" 1. #include <math.h>\"\n"
		       "\"##\",\"0.090\",\" 8. double hot(int n)\"\n"
		       "\"\",\"0.\",\" 9. {\"\n");
	assert_html(&table,
		    "<tr><td></td><td class=\"incl-total-cpu time\"></td>"
		    "<td class=\"text\"> 1. #include &lt;math.h&gt;</td></tr>\n"
		    "<tr class=\"hot\"><td>##</td><td class=\"incl-total-cpu time\">0.090"
		    "</td><td class=\"text\"> 8. double hot(int n)</td></tr>\n"
		    "<tr><td></td><td class=\"incl-total-cpu time\">0.   </td>"
		    "<td class=\"text\"> 9. {</td></tr>\n");
	table_release(&table);
}

static void add_branch(struct table *table, uint32_t depth, bool has_next,
		       const char *name)
{
	add(table, MS, 0, name);
	table_set_branch(table, depth, has_next);
}

static struct table new_tree(void)
{
	struct table table = new_table();

	table.is_tree = true;
	add_branch(&table, 0, false, "<Total>");
	add_branch(&table, 1, true, "_start");
	add_branch(&table, 2, false, "main");
	add_branch(&table, 3, true, "hot");
	add_branch(&table, 4, false, "sin");
	add_branch(&table, 3, false, "cold");
	add_branch(&table, 1, false, "clone");
	return table;
}

/* As gp-display-text -calltree prints it. */
static void trees_have_branches(void **state)
{
	struct table table = new_tree();

	assert_printed(&table, OUTPUT_TEXT,
		       "Excl.      Name\n"
		       "Total\n"
		       "CPU sec.\n"
		       "0.001      +-<Total>\n"
		       "0.001        +-_start\n"
		       "0.001        |  +-main\n"
		       "0.001        |    +-hot\n"
		       "0.001        |    |  +-sin\n"
		       "0.001        |    +-cold\n"
		       "0.001        +-clone\n");
	table_release(&table);
}

static void depths_are_fields(void **state)
{
	struct table table = new_tree();
	char *text = printed(&table, OUTPUT_DELIMITED, '|', print);

	assert_non_null(strstr(text, "\"Exclusive\"|\"Depth\"|\"Name\"\n"));
	assert_non_null(strstr(text, "\"0.001\"|\"4\"|\"sin\"\n"));
	free(text);
	table_release(&table);
}

static void print_end(struct table *table, struct output *output)
{
	table_print_lines(table, 4, 1, output);
	table_print_lines(table, 2, 1, output);
}

static void pieces_of_a_tree_know_their_ancestors(void **state)
{
	struct table table = new_tree();
	char *text = printed(&table, OUTPUT_TEXT, 0, print_end);

	assert_non_null(strstr(text, "   |    |  +-sin\n"));
	assert_non_null(strstr(text, "   |  +-main\n"));
	free(text);
	table_release(&table);
}

static void texts_are_aligned(void **state)
{
	struct table table = { 0 };
	struct cell *cells;

	table_add_column(&table, "Right", CELL_TEXT);
	table_add_column(&table, "Left", CELL_TEXT)->is_left = true;
	table_add_column(&table, "Size", CELL_TEXT)->unit = "(bytes)";
	for (int i = 0; i < 2; i++) {
		cells = table_add_line(&table, ' ');
		cells[0].text = i ? "x" : "größer";
		cells[1].text = i ? "é" : "linke";
		cells[2].text = i ? "1" : "12345";
	}
	assert_printed(&table, OUTPUT_TEXT,
		       "Right   Left   Size\n"
		       "\n"
		       "\n"
		       "größer  linke  12345\n"
		       "     x  é          1\n");
	assert_printed(&table, OUTPUT_DELIMITED,
		       "\"\",\"\",\"\"\n"
		       "\"Right\",\"Left\",\"Size\"\n"
		       "\"\",\"\",\"\"\n"
		       "\"   \",\"   \",\"   (bytes)\"\n"
		       "\"größer\",\"linke\",\"12345\"\n"
		       "\"x\",\"é\",\"1\"\n");
	table_release(&table);
}

/* As gp-display-text prints comparisons. */
static void groups_are_above_titles(void **state)
{
	struct table table = new_table();

	table.columns.items[0].group = "a.1.er";
	add(&table, MS, 0, "main");
	assert_printed(&table, OUTPUT_TEXT,
		       "a.1.er\n"
		       "Excl.      Name\n"
		       "Total\n"
		       "CPU sec.\n"
		       "0.001      main\n");
	assert_printed(&table, OUTPUT_DELIMITED,
		       "\"a.1.er\",\"\"\n"
		       "\"Exclusive\",\"Name\"\n"
		       "\"Total CPU Time\",\"\"\n"
		       "\"   (sec.)\",\"   \"\n"
		       "\"0.001\",\"main\"\n");
	table_release(&table);
}

/* Three experiments; the first is compared with the others. */
static struct table new_comparison(enum column_comparison comparison)
{
	static const int64_t values[][3] = {
		{ 100, 0, 1044 }, { 60, 0, 590 }, { 40, 50, 437 }, { 0, 0, 2 }
	};
	struct table table = { 0 };

	for (int i = 0; i < 3; i++) {
		struct table_column *column =
			table_add_column(&table, "Excl. Total CPU", CELL_TIME);

		column->has_percent = true;
		column->whole = 100 * MS;
		column->comparison = i ? comparison : COMPARE_NOT;
	}
	table_add_column(&table, "Name", CELL_NAME);
	for (size_t i = 0; i < 4; i++) {
		struct cell *cells = table_add_line(&table, ' ');

		for (size_t j = 0; j < 3; j++)
			cells[j].value = values[i][j] * MS;
		cells[3].text = i ? "f" : "<Total>";
	}
	return table;
}

/* As gp-display-text prints them after compare delta and ratio. */
static void comparisons_are_text(void **state)
{
	struct table table = new_comparison(COMPARE_DELTA);

	assert_printed(&table, OUTPUT_TEXT,
		       "Excl. Total   Excl. Total    Excl. Total     Name\n"
		       "CPU           CPU            CPU\n"
		       " sec.      %   delta      %   delta      %\n"
		       "0.100 100.00  -0.100   0.    +0.944 1044.00   <Total>\n"
		       "0.060  60.00  -0.060   0.    +0.530 590.00   f\n"
		       "0.040  40.00  +0.010  50.00  +0.397 437.00   f\n"
		       "0.      0.    +0.      0.    +0.002   2.00   f\n");
	table_release(&table);
	table = new_comparison(COMPARE_RATIO);
	for (int i = 0; i < 3; i++)
		table.columns.items[i].has_percent = false;
	assert_printed(&table, OUTPUT_TEXT,
		       "Excl.     Excl.      Excl.       Name\n"
		       "Total     Total CPU  Total CPU\n"
		       "CPU sec.    ratio        ratio\n"
		       "0.100     x 0.       x  10.440   <Total>\n"
		       "0.060     x 0.       x   9.833   f\n"
		       "0.040     x 1.250    x  10.925   f\n"
		       "0.        x 1.000    x >99.999   f\n");
	table_release(&table);
}

static void expect_fields(enum column_comparison comparison, const char *units,
			  const char *line)
{
	struct table table = new_comparison(comparison);
	char *text = printed(&table, OUTPUT_DELIMITED, ',', print);

	assert_true(strstr(text, units) && strstr(text, line));
	free(text);
	table_release(&table);
}

static void comparisons_are_numbers_in_fields(void **state)
{
	expect_fields(COMPARE_RATIO, "\"   (sec.)\",\"   %%\",\"   ratio\",\"   %%\"",
		      "\"0.040\",\"40.00\",\"1.250000\",\"50.00\",\"10.925000\"");
	expect_fields(COMPARE_RATIO, "", "\"0.\",\"0.\",\"1\",\"0.\",\"\",\"2.00\"");
	expect_fields(COMPARE_DELTA,
		      "\"   (sec.)\",\"   %%\",\"   delta (sec.)\",\"   %%\"",
		      "\"0.040\",\"40.00\",\"0.010\",\"50.00\",\"0.397\"");
}

static void short_tables_are_ruled(void **state)
{
	struct table table = { .is_ruled = true };
	struct cell *cells;

	table_add_column(&table, "ID", CELL_COUNT);
	table_add_column(&table, "Experiment", CELL_TEXT)->is_left = true;
	cells = table_add_line(&table, ' ');
	cells[0].value = 7;
	cells[1].text = "test.with.a.long.name.er";
	assert_printed(&table, OUTPUT_TEXT,
		       "ID Experiment \n"
		       "== ======================== \n"
		       " 7 test.with.a.long.name.er \n");
	table_release(&table);
}

static void implied_columns_are_fields_only(void **state)
{
	struct table table = { 0 };
	struct table_column *column = table_add_column(&table, "Function", CELL_TEXT);
	struct cell *cells;

	column->is_implied = column->is_left = true;
	table_add_column(&table, "Calls", CELL_COUNT);
	table_add_column(&table, "Stack", CELL_LINES);
	cells = table_add_line(&table, ' ');
	cells[0].text = "main";
	cells[1].value = -3;
	cells[2].text = "read\nmain";
	assert_printed(&table, OUTPUT_TEXT, "Calls\n\n\n-3\n");
	assert_printed(&table, OUTPUT_DELIMITED,
		       "\"\",\"\",\"\"\n"
		       "\"Function\",\"Calls\",\"Stack\"\n"
		       "\"\",\"\",\"\"\n"
		       "\"   \",\"   \",\"   \"\n"
		       "\"main\",\"-3\",\"read;main\"\n");
	assert_html(&table, "<tr><td class=\"calls count\">-3</td>"
			    "<td class=\"stack lines\">read<br>main</td></tr>\n");
	table_release(&table);
}

static void a_limit_ends_each_form(void **state)
{
	struct table table = new_table();
	struct output output;

	add(&table, MS, 0, "first");
	add(&table, MS, 0, "second");
	for (int form = OUTPUT_TEXT; form <= OUTPUT_DELIMITED; form++) {
		static char *text;
		static size_t size;
		FILE *file = open_memstream(&text, &size);

		assert_true(output_open(&output, file, (enum output_form)form, ','));
		table_print(&table, 1, &output);
		assert_true(output_close(&output));
		fclose(file);
		assert_non_null(strstr(text, "first"));
		assert_null(strstr(text, "second"));
		free(text);
	}
	table_release(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table_has_three_forms),
		cmocka_unit_test(an_interval_has_its_own_column),
		cmocka_unit_test(listings_mark_hot_lines),
		cmocka_unit_test(trees_have_branches),
		cmocka_unit_test(depths_are_fields),
		cmocka_unit_test(pieces_of_a_tree_know_their_ancestors),
		cmocka_unit_test(texts_are_aligned),
		cmocka_unit_test(groups_are_above_titles),
		cmocka_unit_test(comparisons_are_text),
		cmocka_unit_test(comparisons_are_numbers_in_fields),
		cmocka_unit_test(short_tables_are_ruled),
		cmocka_unit_test(implied_columns_are_fields_only),
		cmocka_unit_test(a_limit_ends_each_form),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
