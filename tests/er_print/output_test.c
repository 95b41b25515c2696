/* SPDX-License-Identifier: Apache-2.0 */
#include "er_print/table/output.h"

#include "tests/er_print/printed.h"

static void print_parts(struct table *table, struct output *output)
{
	fputs("\nbefore <b>\033\n", output->text);
	output_title(output, "Title & <b>");
	output_gap(output);
	table_print_header(table, output);
	table_print_rule(table, "Part <1>", output);
	table_print_lines(table, 0, 1, output);
	table_print_rule(table, "Part 2", output);
	table_print_lines(table, 1, 1, output);
	table_end(table, output);
	fputs("\n\nafter\n", output->text);
}

static void a_document_has_text_and_tables(void **state)
{
	struct table table = { 0 };
	char *text;

	table_add_column(&table, "\033", CELL_COUNT);
	table_add_line(&table, ' ');
	table_add_line(&table, '*');
	text = printed(&table, OUTPUT_HTML, 0, print_parts);
	assert_ptr_equal(strstr(text, "<!DOCTYPE html>"), text);
	assert_string_equal(strstr(text, "<body>"),
			    "<body>\n"
			    "<pre>\n"
			    "before &lt;b&gt;\\033\n"
			    "</pre>\n"
			    "<h2>Title &amp; &lt;b&gt;</h2>\n"
			    "<table>\n"
			    "<thead>\n"
			    "<tr><th class=\"count\">\\033</th></tr>\n"
			    "</thead>\n"
			    "<tbody>\n"
			    "<tr><th colspan=\"1\">Part &lt;1&gt;</th></tr>\n"
			    "<tr><td class=\"count\">0</td></tr>\n"
			    "</tbody>\n"
			    "<tbody>\n"
			    "<tr><th colspan=\"1\">Part 2</th></tr>\n"
			    "<tr class=\"self\"><td class=\"count\">0</td></tr>\n"
			    "</tbody>\n"
			    "</table>\n"
			    "<pre>\n"
			    "after\n"
			    "</pre>\n"
			    "</body>\n"
			    "</html>\n");
	free(text);
	table_release(&table);
}

static void print_nothing(struct table *table, struct output *output)
{
}

static void a_document_begins_with_its_first_text(void **state)
{
	char *text = printed(NULL, OUTPUT_HTML, 0, print_nothing);

	assert_string_equal(text, "");
	free(text);
}

static void write_errors_are_reported(void **state)
{
	struct table table = { 0 };

	table_add_column(&table, "Calls", CELL_COUNT);
	table_add_line(&table, ' ');
	for (int form = OUTPUT_TEXT; form <= OUTPUT_DELIMITED; form++) {
		struct output output;
		FILE *file = fopen("/dev/full", "we");

		assert_non_null(file);
		assert_true(output_open(&output, file, (enum output_form)form, ','));
		table_print(&table, 0, &output);
		assert_false(output_close(&output));
		fclose(file);
	}
	table_release(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_document_has_text_and_tables),
		cmocka_unit_test(a_document_begins_with_its_first_text),
		cmocka_unit_test(write_errors_are_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
