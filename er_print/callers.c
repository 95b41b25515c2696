/* SPDX-License-Identifier: Apache-2.0 */
/* Callers and callees of functions. */
#include <stdlib.h>
#include <string.h>

#include "er_print/functions.h"
#include "er_print/rows.h"
#include "er_print/run.h"
#include "libexpt/base/array.h"
#include "libexpt/base/number.h"
#include "libexpt/cli/cli.h"

/* Columns of attributed metrics: one per metric shown, and the name. Two more, which the
 * layout of the text form implies, relate the name to a center. */
struct attributed {
	struct expt_rows *rows;
	struct expt_neighbours *neighbours;
	struct table table;
	struct metric_column columns[METRIC_COLUMNS_MAX];
	size_t count;
};

static bool add_implied_column(struct table *table, const char *title)
{
	struct table_column *column = table_add_column(table, title, CELL_TEXT);

	if (column)
		column->is_implied = column->is_left = true;
	return column;
}

/* Exclusive and inclusive columns of a metric become one attributed column. */
static bool add_attributed_columns(struct session *session, struct attributed *attributed)
{
	for (size_t i = 0; i < session->metrics.count; i++) {
		struct metric_column column = session->metrics.columns[i];

		if (column.kind == COLUMN_METRIC &&
		    metric_is_among(column.metric, attributed->columns,
				    attributed->count))
			continue;
		column.flavor = 'a';
		attributed->columns[attributed->count++] = column;
	}
	return rows_add_columns(session, &attributed->table, attributed->rows,
				attributed->columns, attributed->count) &&
	       add_implied_column(&attributed->table, "Relation") &&
	       add_implied_column(&attributed->table, "Function");
}

static bool add_attributed_line(struct attributed *attributed,
				const struct row_list *list,
				const struct shown_row *shown, char mark,
				const char *relation, const char *center)
{
	struct table *table = &attributed->table;
	struct cell *cells;

	if (!rows_add_line(list, table, attributed->columns, attributed->count, shown,
			   mark))
		return false;
	cells = table->lines.items[table->lines.count - 1].cells;
	cells[attributed->count].text = relation;
	cells[attributed->count + 1].text = center;
	return true;
}

/* Add the neighbours of one row as lines, in order. Returns their count. */
static int add_side(struct session *session, struct attributed *attributed,
		    enum expt_side side, const struct shown_row *center)
{
	const char *relation = side == EXPT_CALLERS ? "caller" : "callee";
	struct row_list list = { .rows = attributed->rows };
	const struct expt_neighbour *others;
	size_t length =
		expt_neighbours(attributed->neighbours, center->row, side, &others);
	int count = (int)length;

	for (size_t i = 0; i < length; i++) {
		struct shown_row *shown = row_list_add(session, &list, others[i].row,
						       &attributed->table.arena);

		if (!shown) {
			array_release(&list);
			return -1;
		}
		shown->neighbour = &others[i];
	}
	row_list_sort(session, &list);
	for (size_t i = 0; i < list.count; i++)
		if (!add_attributed_line(attributed, &list, &list.items[i], ' ', relation,
					 center->name))
			count = -1;
	array_release(&list);
	return count;
}

/* Returns the sum of all callees of <Total>, less than its value if events lack a
 * stack. */
static int64_t sum_of_roots(const struct attributed *attributed, size_t metric)
{
	const struct expt_neighbour *roots;
	size_t count = expt_neighbours(attributed->neighbours, EXPT_ROW_TOTAL,
				       EXPT_CALLEES, &roots);
	int64_t sum = 0;

	for (size_t i = 0; i < count; i++)
		add_saturated(&sum, expt_neighbour_value(attributed->rows, &roots[i],
							 EXPT_ALL_GROUPS, metric));
	return sum;
}

/* Shares are relative to the inclusive value of the center; those of <Total>, to the
 * events that have a stack. */
static void set_wholes(struct attributed *attributed, uint32_t center)
{
	for (size_t i = 0; i < attributed->count; i++) {
		size_t metric = attributed->columns[i].metric;

		if (attributed->columns[i].kind == COLUMN_METRIC)
			attributed->table.columns.items[i].whole =
				center == EXPT_ROW_TOTAL
					? sum_of_roots(attributed, metric)
					: expt_row_value(attributed->rows, center, metric,
							 EXPT_INCLUSIVE);
	}
}

struct block {
	int callers, callees;
};

/* Add the lines of one function: callers, itself, callees. */
static bool add_block(struct session *session, struct attributed *attributed,
		      const struct row_list *list, const struct shown_row *center,
		      char mark, struct block *block)
{
	struct shown_row self = *center;

	self.flavor = 'e';
	block->callers = add_side(session, attributed, EXPT_CALLERS, center);
	if (block->callers < 0 ||
	    !add_attributed_line(attributed, list, &self, mark, "self", center->name))
		return false;
	/* A share of <Total> itself would mean nothing. */
	if (center->row == EXPT_ROW_TOTAL)
		attributed->table.lines.items[attributed->table.lines.count - 1]
			.has_no_share = true;
	block->callees = add_side(session, attributed, EXPT_CALLEES, center);
	return block->callees >= 0;
}

static void print_attributed_sort(struct session *session)
{
	struct metric_column sort = session->metrics.sort;
	char title[METRIC_TEXT_SIZE];

	if (sort.kind == COLUMN_METRIC)
		sort.flavor = 'a';
	else
		sort.kind = COLUMN_NAME;
	metric_column_title(session, title, &sort);
	output_title(&session->output, "Callers and callees sorted by metric: %s%s",
		     session->metrics.is_reversed ? "-" : "", title);
	output_gap(&session->output);
}

/* Lay out all blocks as one table, so that their columns line up. */
static bool print_blocks(struct session *session, struct attributed *attributed,
			 const struct row_list *list, size_t count)
{
	struct block *blocks = calloc(count + 1, sizeof(*blocks));
	bool is_good = blocks;
	size_t line = 0;

	for (size_t i = 0; i < count && is_good; i++)
		is_good = add_block(session, attributed, list, &list->items[i], '*',
				    &blocks[i]);
	for (size_t i = 0; i < count && is_good; i++) {
		size_t lines = (size_t)blocks[i].callers + 1 + (size_t)blocks[i].callees;

		set_wholes(attributed, list->items[i].row);
		table_print_header(&attributed->table, &session->output);
		table_print_lines(&attributed->table, line, lines, &session->output);
		output_gap(&session->output);
		line += lines;
	}
	table_end(&attributed->table, &session->output);
	free(blocks);
	return is_good;
}

/* Find callers and callees, and begin the table. */
static int begin(struct session *session, struct attributed *attributed)
{
	struct expt_error err;

	attributed->rows = session_rows(session);
	if (!attributed->rows)
		return -1;
	if (expt_neighbours_find(&attributed->neighbours, attributed->rows, &err) < 0)
		return session_failed(session, &err);
	return add_attributed_columns(session, attributed)
		       ? 0
		       : session_out_of_memory(session);
}

static void end(struct attributed *attributed)
{
	table_release(&attributed->table);
	expt_neighbours_free(attributed->neighbours);
}

static size_t shown_count(const struct session *session, const struct row_list *list)
{
	return session->limit && session->limit < list->count ? session->limit
							      : list->count;
}

int run_callers(struct session *session, int count, char **words)
{
	struct attributed attributed = { 0 };
	struct row_list list = { 0 };
	struct arena names = { 0 };
	int rc = list_functions(session, &list, &names);

	if (rc == 0)
		rc = begin(session, &attributed);
	if (rc == 0) {
		print_sorted_by(session);
		print_attributed_sort(session);
		if (!print_blocks(session, &attributed, &list,
				  shown_count(session, &list)))
			rc = session_out_of_memory(session);
	}
	end(&attributed);
	array_release(&list);
	arena_release(&names);
	return rc;
}

static void print_part(struct session *session, struct table *table, const char *title,
		       size_t first, int count)
{
	char word[64];

	snprintf(word, sizeof(word), "%s%s", count ? "" : "No ", title);
	table_print_rule(table, word, &session->output);
	table_print_lines(table, first, (size_t)count, &session->output);
	output_gap(&session->output);
}

static bool print_single(struct session *session, struct attributed *attributed,
			 uint32_t row)
{
	struct table *table = &attributed->table;
	struct row_list list = { .rows = attributed->rows };
	struct shown_row *center =
		row_list_add(session, &list, row, &attributed->table.arena);
	struct block block;
	bool is_good = center &&
		       add_block(session, attributed, &list, center, ' ', &block);

	array_release(&list);
	if (!is_good)
		return false;
	set_wholes(attributed, row);
	print_attributed_sort(session);
	table_print_header(table, &session->output);
	print_part(session, table, "Callers", 0, block.callers);
	print_part(session, table, "Stack Fragment", (size_t)block.callers, 1);
	print_part(session, table, "Callees", (size_t)block.callers + 1, block.callees);
	table_end(table, &session->output);
	return true;
}

int run_csingle(struct session *session, int count, char **words)
{
	struct attributed attributed = { 0 };
	int64_t row = find_function(session, count, words);
	int rc;

	if (row < 0)
		return -1;
	rc = begin(session, &attributed);
	if (rc == 0 && !print_single(session, &attributed, (uint32_t)row))
		rc = session_out_of_memory(session);
	end(&attributed);
	return rc;
}
