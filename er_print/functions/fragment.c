/* SPDX-License-Identifier: Apache-2.0 */
/* A fragment of call stacks, with the callers of its first function and the callees of
 * its last. */
#include <stdlib.h>

#include "er_print/functions/attributed.h"
#include "er_print/functions/functions.h"
#include "er_print/functions/private.h"
#include "er_print/session/metric_print.h"
#include "libexpt/base/array.h"

struct single {
	struct attributed attributed;
	struct expt_fragment *fragment;
	uint32_t *numbers; /* of the rows of the session's fragment */
	size_t count;
	int callers, callees;
};

/* ---- the fragment ---- */

/* Functions keep their identity when rows are made again. */
static uint32_t number_of(const struct expt_rows *rows, const struct fragment_part *part)
{
	for (size_t i = 0; part->function && i < expt_rows_count(rows); i++)
		if (expt_row(rows, i)->function == part->function)
			return (uint32_t)i;
	return part->row;
}

static int find_fragment(struct session *session, struct single *single)
{
	struct expt_error err;

	single->attributed.rows = session_rows(session, EXPT_BY_FUNCTION);
	if (!single->attributed.rows)
		return -1;
	single->count = session->fragment.count;
	single->numbers = calloc(single->count + 1, sizeof(*single->numbers));
	if (!single->numbers)
		return session_out_of_memory(session);
	for (size_t i = 0; i < single->count; i++)
		single->numbers[i] =
			number_of(single->attributed.rows, &session->fragment.items[i]);
	if (expt_fragment_find(&single->fragment, single->attributed.rows,
			       single->numbers, single->count, &err) < 0)
		return session_failed(session, &err);
	return 0;
}

/* ---- lines ---- */

static int add_side(struct session *session, struct single *single, enum expt_side side,
		    const char *center)
{
	const struct expt_neighbour *others;
	size_t count = expt_fragment_neighbours(single->fragment, side, &others);

	return attributed_add_side(session, &single->attributed, side, others, count,
				   center);
}

/* The figures of the fragment are those of its last function as the leaf. */
static void set_figures(const struct single *single, struct table_line *line)
{
	bool is_total = single->numbers[0] == EXPT_ROW_TOTAL;

	for (size_t i = 0; i < single->attributed.columns.count; i++) {
		const struct metric_column *column = &single->attributed.columns.items[i];

		if (column->kind == COLUMN_METRIC)
			line->cells[i].value = expt_fragment_value(
				single->fragment, column->group, column->metric,
				is_total ? EXPT_INCLUSIVE : EXPT_EXCLUSIVE);
	}
	/* A share of <Total> itself would mean nothing. */
	line->has_no_share = is_total;
}

/* Only the last line has figures. */
static bool add_fragment(struct session *session, struct single *single)
{
	struct table *table = &single->attributed.table;
	struct row_list list = { .rows = single->attributed.rows };
	bool is_good = true;

	for (size_t i = 0; i < single->count && is_good; i++) {
		struct shown_row *shown =
			row_list_add(session, &list, single->numbers[i], &table->arena);

		is_good = shown && attributed_add_line(&single->attributed, &list, shown,
						       ' ', "self", shown->name);
		if (is_good)
			table->lines.items[table->lines.count - 1].has_no_figure =
				i + 1 < single->count;
	}
	if (is_good)
		set_figures(single, &table->lines.items[table->lines.count - 1]);
	array_release(&list);
	return is_good;
}

static int64_t sum_of_callees(const struct single *single,
			      const struct metric_column *column)
{
	const struct expt_neighbour *callees;
	size_t count = expt_fragment_neighbours(single->fragment, EXPT_CALLEES, &callees);

	return attributed_sum(&single->attributed, callees, count, column);
}

/* Shares are relative to the inclusive value of the fragment; those of <Total>, to the
 * events that have a stack. */
static void set_wholes(struct single *single)
{
	bool is_total = single->numbers[0] == EXPT_ROW_TOTAL;

	for (size_t i = 0; i < single->attributed.columns.count; i++) {
		const struct metric_column *column = &single->attributed.columns.items[i];

		if (column->kind == COLUMN_METRIC)
			single->attributed.table.columns.items[i].whole =
				is_total ? sum_of_callees(single, column)
					 : expt_fragment_value(single->fragment,
							       column->group,
							       column->metric,
							       EXPT_INCLUSIVE);
	}
}

/* Lines are in the order of the layout: callers, the fragment, callees. */
static bool fill_table(struct session *session, struct single *single)
{
	char buffer[4096];
	const struct expt_row *last =
		expt_row(single->attributed.rows, single->numbers[single->count - 1]);
	const char *center =
		table_text(&single->attributed.table,
			   session_row_name(session, last, buffer, sizeof(buffer)));

	if (!center || !attributed_add_columns(session, &single->attributed) ||
	    !attributed_add_relation(&single->attributed))
		return false;
	single->callers = add_side(session, single, EXPT_CALLERS, center);
	if (single->callers < 0 || !add_fragment(session, single))
		return false;
	single->callees = add_side(session, single, EXPT_CALLEES, center);
	set_wholes(single);
	return single->callees >= 0;
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

static int print_single(struct session *session, struct single *single)
{
	struct table *table = &single->attributed.table;
	size_t callers, own = single->count;
	char title[METRIC_TEXT_SIZE + 1];

	if (!fill_table(session, single))
		return session_out_of_memory(session);
	callers = (size_t)single->callers;
	metrics_sort_title(session, METRICS_OF_CALLERS, title);
	output_title(&session->output, "Callers and callees sorted by metric: %s", title);
	output_gap(&session->output);
	table_print_header(table, &session->output);
	print_part(session, table, "Callers", 0, single->callers);
	print_part(session, table, "Stack Fragment", callers, (int)own);
	print_part(session, table, "Callees", callers + own, single->callees);
	table_end(table, &session->output);
	return 0;
}

/* Print the session's fragment. */
static int print_fragment(struct session *session)
{
	struct single single = { 0 };
	int rc = find_fragment(session, &single);

	if (rc == 0)
		rc = print_single(session, &single);
	attributed_release(&single.attributed);
	expt_fragment_free(single.fragment);
	free(single.numbers);
	return rc;
}

/* ---- commands ---- */

/* Add the function that the words name; at_end: after the last callee. */
static int add_function(struct session *session, int count, char **words, bool at_end)
{
	int64_t found = find_function(session, count, words);
	const struct expt_rows *rows =
		found < 0 ? NULL : session_rows(session, EXPT_BY_FUNCTION);
	size_t length = session->fragment.count;

	if (!rows)
		return -1;
	if (!array_add(&session->fragment))
		return session_out_of_memory(session);
	if (!at_end)
		memmove(session->fragment.items + 1, session->fragment.items,
			length * sizeof(*session->fragment.items));
	session->fragment.items[at_end ? length : 0] = (struct fragment_part){
		.function = expt_row(rows, (size_t)found)->function,
		.row = (uint32_t)found,
	};
	return print_fragment(session);
}

int run_csingle(struct session *session, int count, char **words)
{
	session->fragment.count = 0;
	return add_function(session, count, words, true);
}

int run_cprepend(struct session *session, int count, char **words)
{
	return add_function(session, count, words, false);
}

int run_cappend(struct session *session, int count, char **words)
{
	return add_function(session, count, words, true);
}

static bool can_shorten(struct session *session)
{
	if (session->fragment.count > 1)
		return true;
	session_error(session, session->fragment.count == 0
				       ? "the fragment has no function: use csingle"
				       : "the fragment has only one function");
	return false;
}

int run_crmfirst(struct session *session, int count, char **words)
{
	if (!can_shorten(session))
		return -1;
	memmove(session->fragment.items, session->fragment.items + 1,
		--session->fragment.count * sizeof(*session->fragment.items));
	return print_fragment(session);
}

int run_crmlast(struct session *session, int count, char **words)
{
	if (!can_shorten(session))
		return -1;
	session->fragment.count--;
	return print_fragment(session);
}
