/* SPDX-License-Identifier: Apache-2.0 */
/* Filling tables, and the choice of the form in which they are printed. */
#include <string.h>

#include "er_print/table/private.h"
#include "libexpt/base/array.h"
#include "libexpt/base/escape.h"

void table_release(struct table *table)
{
	array_release(&table->columns);
	array_release(&table->lines);
	array_release(&table->branches);
	arena_release(&table->arena);
}

struct table_column *table_add_column(struct table *table, const char *title,
				      enum cell_form form)
{
	struct table_column *column = array_add(&table->columns);

	if (column) {
		column->title = title;
		column->form = form;
		column->has_value = true;
	}
	return column;
}

struct cell *table_add_line(struct table *table, char mark)
{
	struct table_line *line = array_add(&table->lines);

	if (!line)
		return NULL;
	line->mark = mark;
	line->cells = arena_alloc(&table->arena,
				  table->columns.count * sizeof(*line->cells) + 1);
	return line->cells;
}

void table_set_branch(struct table *table, uint32_t depth, bool has_next)
{
	struct table_line *line = &table->lines.items[table->lines.count - 1];

	line->depth = depth;
	line->has_next = has_next;
}

char *table_text(struct table *table, const char *text)
{
	return arena_text(&table->arena, text, strlen(text));
}

const char *table_one_line(struct table *table, const char *text)
{
	char line[4096];
	const char *escaped = escape_line(line, sizeof(line), text);

	return escaped == line ? table_text(table, line) : text;
}

/* ---- printing ---- */

/* Each form prints whole lines. The rule announces a part of the table. */
static const struct {
	void (*print_header)(struct table *table, struct output *output);
	void (*print_line)(struct table *table, const struct table_line *row,
			   struct output *output, struct strbuf *line);
	void (*print_rule)(struct table *table, const char *word, struct output *output);
	void (*end)(struct table *table, struct output *output);
} forms[] = {
	[OUTPUT_TEXT] = { text_header, text_line, text_rule, NULL },
	[OUTPUT_HTML] = { html_header, html_line, html_rule, html_end },
	[OUTPUT_DELIMITED] = { delimited_header, delimited_line, NULL, NULL },
};

void table_print_header(struct table *table, struct output *output)
{
	forms[output->form].print_header(table, output);
	table->is_begun = true;
}

void table_print_rule(struct table *table, const char *word, struct output *output)
{
	if (forms[output->form].print_rule)
		forms[output->form].print_rule(table, word, output);
}

/* Note which ancestors of the line that comes next have further branches; lines that are
 * not printed count, too. false: out of memory. */
static bool follow_branches(struct table *table, size_t line)
{
	if (line < table->branch)
		table->branch = 0;
	for (; table->branch <= line; table->branch++) {
		const struct table_line *next = &table->lines.items[table->branch];

		while (table->branches.count <= next->depth)
			if (!array_add(&table->branches))
				return false;
		table->branches.items[next->depth] = next->has_next;
	}
	return true;
}

void table_print_lines(struct table *table, size_t first, size_t count,
		       struct output *output)
{
	cleanup_strbuf struct strbuf buffer = STRBUF_INIT;

	for (size_t i = first; i - first < count && i < table->lines.count; i++) {
		if (table->is_tree && !follow_branches(table, i))
			return;
		forms[output->form].print_line(table, &table->lines.items[i], output,
					       &buffer);
	}
}

void table_end(struct table *table, struct output *output)
{
	if (forms[output->form].end && table->is_begun)
		forms[output->form].end(table, output);
	table->is_begun = false;
}

void table_print(struct table *table, size_t limit, struct output *output)
{
	table_print_header(table, output);
	table_print_lines(table, 0, limit ? limit : table->lines.count, output);
	table_end(table, output);
}
