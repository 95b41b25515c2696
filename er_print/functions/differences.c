/* SPDX-License-Identifier: Apache-2.0 */
/* The list of functions that differ by more than chance, the most certain first. */
#include <stdlib.h>
#include <string.h>

#include "er_print/functions/private.h"
#include "er_print/rows/difference.h"
#include "er_print/rows/rows.h"
#include "libexpt/base/array.h"

/* Returns the least chance among those of all groups. */
static double chance_of(const struct differences *differences, size_t row)
{
	double least = 1;

	for (size_t i = 1; i < differences->groups; i++) {
		double chance = row_difference(differences, row, i).chance;

		least = chance < least ? chance : least;
	}
	return least;
}

static int compare_chances(const void *left, const void *right, void *context)
{
	const struct shown_row *a = left, *b = right;
	double chance_a = chance_of(context, a->row),
	       chance_b = chance_of(context, b->row);

	if (chance_a != chance_b)
		return chance_a < chance_b ? -1 : 1;
	return strcmp(a->name, b->name);
}

static bool list_rows(struct session *session, struct row_list *list,
		      struct differences *differences, struct arena *names)
{
	for (size_t i = 0; i < expt_rows_count(list->rows); i++)
		if (row_differs(differences, i) &&
		    !row_list_add(session, list, (uint32_t)i, names))
			return false;
	if (list->count > 1)
		qsort_r(list->items, list->count, sizeof(*list->items), compare_chances,
			differences);
	return true;
}

/* Print the value of the first group, and how the others differ, with the errors. */
static bool print_list(struct session *session, const struct row_list *list,
		       struct metric_column column)
{
	const struct metric_column name = { .kind = COLUMN_NAME };
	struct shown_columns columns = { 0 };
	struct table table = { 0 };
	bool is_good;

	column.has_value = true;
	column.has_percent = false;
	is_good = shown_columns_add(session, &columns, &column) &&
		  shown_columns_add(session, &columns, &name) &&
		  rows_add_columns(session, &table, list->rows, columns.items,
				   columns.count);
	for (size_t i = 0; i < list->count && is_good; i++)
		is_good = rows_add_line(list, &table, columns.items, columns.count,
					&list->items[i], '*');
	if (is_good)
		table_print(&table, session->limit, &session->output);
	table_release(&table);
	array_release(&columns);
	return is_good;
}

/* The list has its own form of comparison. */
static bool print_as_delta(struct session *session, const struct row_list *list,
			   const struct metric_column *column)
{
	enum comparison comparison = session->comparison;
	bool has_errors = session->has_errors, is_good;

	session->comparison = COMPARISON_DELTA;
	session->has_errors = true;
	is_good = print_list(session, list, *column);
	session->comparison = comparison;
	session->has_errors = has_errors;
	return is_good;
}

static bool print_differences(struct session *session, const struct row_list *list,
			      const struct differences *differences)
{
	char title[METRIC_TEXT_SIZE];
	bool is_good = true;

	metric_column_title(session, title, &differences->column);
	output_title(&session->output, "Functions that differ by more than chance: %s",
		     title);
	output_gap(&session->output);
	if (list->count > 0)
		is_good = print_as_delta(session, list, &differences->column);
	else
		fputs("None\n", session->out);
	output_gap(&session->output);
	return is_good;
}

int run_differences(struct session *session, int count, char **words)
{
	struct row_list list = { .rows = session_rows(session, EXPT_BY_FUNCTION) };
	struct arena names = { 0 };
	struct differences differences;
	bool is_good;

	if (!list.rows)
		return -1;
	differences = differences_begin(session, list.rows);
	if (differences.groups == 0)
		return session_error(session,
				     "no sampled metric is compared: name several "
				     "experiments and use 'compare on'");
	is_good = list_rows(session, &list, &differences, &names) &&
		  print_differences(session, &list, &differences);
	array_release(&list);
	arena_release(&names);
	return is_good ? 0 : session_out_of_memory(session);
}
