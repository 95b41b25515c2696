/* SPDX-License-Identifier: Apache-2.0 */
/* Callers and callees of functions. */
#include <stdlib.h>

#include "er_print/functions/attributed.h"
#include "er_print/functions/private.h"
#include "er_print/session/metric_print.h"
#include "libexpt/base/array.h"

struct lists {
	struct attributed attributed;
	struct expt_neighbours *neighbours;
};

static int add_side(struct session *session, struct lists *lists, enum expt_side side,
		    const struct shown_row *center)
{
	const struct expt_neighbour *others;
	size_t count = expt_neighbours(lists->neighbours, center->row, side, &others);

	return attributed_add_side(session, &lists->attributed, side, others, count,
				   center->name);
}

/* Returns the sum of all callees of <Total>, less than its value if events lack a
 * stack. */
static int64_t sum_of_roots(const struct lists *lists, const struct metric_column *column)
{
	const struct expt_neighbour *roots;
	size_t count =
		expt_neighbours(lists->neighbours, EXPT_ROW_TOTAL, EXPT_CALLEES, &roots);

	return attributed_sum(&lists->attributed, roots, count, column);
}

/* Shares are relative to the inclusive value of the center; those of <Total>, to the
 * events that have a stack. */
static void set_wholes(struct lists *lists, uint32_t center)
{
	for (size_t i = 0; i < lists->attributed.columns.count; i++) {
		const struct metric_column *column = &lists->attributed.columns.items[i];

		if (column->kind == COLUMN_METRIC)
			lists->attributed.table.columns.items[i].whole =
				center == EXPT_ROW_TOTAL
					? sum_of_roots(lists, column)
					: expt_row_value_in(lists->attributed.rows,
							    center, column->group,
							    column->metric,
							    EXPT_INCLUSIVE);
	}
}

struct block {
	int callers, callees;
};

/* Add the lines of one function: callers, itself, callees. */
static bool add_block(struct session *session, struct lists *lists,
		      const struct row_list *list, const struct shown_row *center,
		      char mark, struct block *block)
{
	struct shown_row self = *center;

	self.flavor = 'e';
	block->callers = add_side(session, lists, EXPT_CALLERS, center);
	if (block->callers < 0 || !attributed_add_line(&lists->attributed, list, &self,
						       mark, "self", center->name))
		return false;
	/* A share of <Total> itself would mean nothing. */
	if (center->row == EXPT_ROW_TOTAL)
		lists->attributed.table.lines
			.items[lists->attributed.table.lines.count - 1]
			.has_no_share = true;
	block->callees = add_side(session, lists, EXPT_CALLEES, center);
	return block->callees >= 0;
}

/* Lay out all blocks as one table, so that their columns line up. */
static bool print_blocks(struct session *session, struct lists *lists,
			 const struct row_list *list, size_t count)
{
	struct block *blocks = calloc(count + 1, sizeof(*blocks));
	bool is_good = blocks;
	size_t line = 0;

	for (size_t i = 0; i < count && is_good; i++)
		is_good =
			add_block(session, lists, list, &list->items[i], '*', &blocks[i]);
	for (size_t i = 0; i < count && is_good; i++) {
		size_t lines = (size_t)blocks[i].callers + 1 + (size_t)blocks[i].callees;

		set_wholes(lists, list->items[i].row);
		table_print_header(&lists->attributed.table, &session->output);
		table_print_lines(&lists->attributed.table, line, lines,
				  &session->output);
		output_gap(&session->output);
		line += lines;
	}
	table_end(&lists->attributed.table, &session->output);
	free(blocks);
	return is_good;
}

/* Find callers and callees, and begin the table. */
static int begin(struct session *session, struct lists *lists)
{
	struct expt_error err;

	lists->attributed.rows = session_rows(session, EXPT_BY_FUNCTION);
	if (!lists->attributed.rows)
		return -1;
	if (expt_neighbours_find(&lists->neighbours, lists->attributed.rows, &err) < 0)
		return session_failed(session, &err);
	return attributed_add_columns(session, &lists->attributed) &&
			       attributed_add_relation(&lists->attributed)
		       ? 0
		       : session_out_of_memory(session);
}

static void end(struct lists *lists)
{
	attributed_release(&lists->attributed);
	expt_neighbours_free(lists->neighbours);
}

static size_t shown_count(const struct session *session, const struct row_list *list)
{
	return session->limit && session->limit < list->count ? session->limit
							      : list->count;
}

int run_callers(struct session *session, int count, char **words)
{
	struct lists lists = { 0 };
	struct row_list list = { 0 };
	struct arena names = { 0 };
	char title[METRIC_TEXT_SIZE + 1];
	int rc = row_list_all(session, &list, EXPT_BY_FUNCTION, &names);

	if (rc == 0)
		rc = begin(session, &lists);
	if (rc == 0) {
		rows_print_sorted_by(session, EXPT_BY_FUNCTION);
		metrics_sort_title(session, METRICS_OF_CALLERS, title);
		output_title(&session->output, "Callers and callees sorted by metric: %s",
			     title);
		output_gap(&session->output);
		if (!print_blocks(session, &lists, &list, shown_count(session, &list)))
			rc = session_out_of_memory(session);
	}
	end(&lists);
	array_release(&list);
	arena_release(&names);
	return rc;
}
