/* SPDX-License-Identifier: Apache-2.0 */
/* I/O by call stack: the I/O of each, then its frames. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "er_print/events/io.h"
#include "er_print/events/private.h"
#include "er_print/rows/frames.h"
#include "er_print/rows/stack_table.h"

struct io_stack {
	size_t number; /* in which stacks were met */
	int64_t key;   /* while sorting */
	int64_t values[EXPT_IO_METRIC_COUNT];
};

struct io_stacks {
	struct expt_traces *found;
	struct io_stack *items;
	size_t count;
};

static bool has_calls(const int64_t *values)
{
	return values[EXPT_READ_COUNT] != 0 || values[EXPT_WRITE_COUNT] != 0 ||
	       values[EXPT_OTHER_COUNT] != 0 || values[EXPT_ERROR_COUNT] != 0;
}

/* Stacks of different processes are shown apart, as in gprofng. */
static int find_stacks(struct session *session, struct io_stacks *stacks)
{
	size_t base = io_metric_base(session);
	struct expt_error err;

	if (expt_traces_find(&stacks->found, session->view, EXPT_IO, true, &err) < 0)
		return session_failed(session, &err);
	session_report_problems(session);
	stacks->items =
		calloc(expt_traces_count(stacks->found) + 1, sizeof(*stacks->items));
	if (!stacks->items)
		return session_out_of_memory(session);
	for (size_t i = 0; i < expt_traces_count(stacks->found); i++) {
		struct io_stack *stack = &stacks->items[stacks->count];

		stack->number = i;
		for (size_t j = 0; j < EXPT_IO_METRIC_COUNT; j++)
			stack->values[j] = expt_trace_value(stacks->found, i, base + j);
		stacks->count += has_calls(stack->values);
	}
	return 0;
}

/* ---- the order ---- */

/* Returns the metric to sort by: that of the current key, or the first I/O column.
 * Without either, EXPT_IO_METRIC_COUNT keeps the order in which the stacks were met. */
static size_t sort_metric(const struct session *session)
{
	size_t base = io_metric_base(session);
	const struct metric_list *list = &session->metrics;

	if (list->sort.kind == COLUMN_METRIC &&
	    list->sort.metric - base < EXPT_IO_METRIC_COUNT)
		return list->sort.metric - base;
	for (size_t i = 0; i < list->count && list->sort.kind != COLUMN_NAME; i++)
		if (list->columns[i].kind == COLUMN_METRIC &&
		    list->columns[i].metric - base < EXPT_IO_METRIC_COUNT)
			return list->columns[i].metric - base;
	return EXPT_IO_METRIC_COUNT;
}

static int compare_stacks(const void *left, const void *right, void *context)
{
	const struct io_stack *a = left, *b = right;
	const bool *is_reversed = context;
	int order = a->key > b->key ? -1 : a->key < b->key;

	if (*is_reversed)
		order = -order;
	return order ? order : a->number < b->number ? -1 : a->number > b->number;
}

static void sort_stacks(struct session *session, struct io_stacks *stacks)
{
	size_t metric = sort_metric(session);
	bool is_reversed = session->metrics.is_reversed;

	for (size_t i = 0; i < stacks->count; i++)
		stacks->items[i].key = metric < EXPT_IO_METRIC_COUNT
					       ? stacks->items[i].values[metric]
					       : 0;
	if (stacks->count > 1)
		qsort_r(stacks->items, stacks->count, sizeof(*stacks->items),
			compare_stacks, &is_reversed);
}

/* ---- printing ---- */

static void print_group(FILE *out, const char *name, int64_t time_ns,
			const int64_t *bytes, int64_t calls)
{
	if (calls == 0)
		return;
	fprintf(out, "%s Time=%.6f (secs.)  ", name, (double)time_ns / 1e9);
	if (bytes)
		fprintf(out, "%s Bytes=%" PRId64 "  ", name, *bytes);
	fprintf(out, "%s Count=%" PRId64 "\n", name, calls);
}

static void print_values(FILE *out, const int64_t *values)
{
	print_group(out, "Write", values[EXPT_WRITE_TIME], &values[EXPT_WRITE_BYTES],
		    values[EXPT_WRITE_COUNT]);
	print_group(out, "Read", values[EXPT_READ_TIME], &values[EXPT_READ_BYTES],
		    values[EXPT_READ_COUNT]);
	print_group(out, "Other I/O", values[EXPT_OTHER_TIME], NULL,
		    values[EXPT_OTHER_COUNT]);
	print_group(out, "I/O Error", values[EXPT_ERROR_TIME], NULL,
		    values[EXPT_ERROR_COUNT]);
}

static void print_text(struct session *session, const struct io_stacks *stacks,
		       const int64_t *total, size_t count)
{
	fputs("<Total>\n", session->out);
	print_values(session->out, total);
	for (size_t i = 0; i < count; i++) {
		const struct io_stack *stack = &stacks->items[i];

		fprintf(session->out, "\nStack 0x%" PRIx64 "\n",
			expt_trace_uid(stacks->found, stack->number));
		print_values(session->out, stack->values);
		frames_print(session, stacks->found, stack->number);
	}
}

static bool add_columns(const struct session *session, struct table *table)
{
	struct stack_column columns[1 + EXPT_IO_METRIC_COUNT + 1] = {
		{ "Name", CELL_NAME, false },
	};

	for (size_t i = 0; i < EXPT_IO_METRIC_COUNT; i++) {
		const struct expt_metric *metric =
			expt_metric(session->view, io_metric_base(session) + i);

		columns[1 + i] = (struct stack_column){
			.title = metric->title,
			.form = metric->unit == EXPT_UNIT_TIME ? CELL_TIME : CELL_COUNT,
			.is_sorted = i == sort_metric(session),
		};
	}
	return stack_table_add_columns(table, columns);
}

static bool add_line(struct session *session, struct table *table,
		     const struct io_stacks *stacks, const struct io_stack *stack)
{
	cleanup_strbuf struct strbuf frames = STRBUF_INIT;
	char name[32];

	snprintf(name, sizeof(name), "0x%" PRIx64,
		 expt_trace_uid(stacks->found, stack->number));
	frames_add(session, stacks->found, stack->number, &frames);
	return stack_table_add_line(table, table_text(table, name), stack->values,
				    &frames);
}

static int print_table(struct session *session, const struct io_stacks *stacks,
		       const int64_t *total, size_t count)
{
	const struct strbuf none = STRBUF_INIT;
	struct table table = { 0 };
	bool is_good = add_columns(session, &table) &&
		       stack_table_add_line(&table, "<Total>", total, &none);

	for (size_t i = 0; i < count && is_good; i++)
		is_good = add_line(session, &table, stacks, &stacks->items[i]);
	output_heading(&session->output, "I/O by call stack");
	if (is_good)
		table_print(&table, 0, &session->output);
	table_release(&table);
	return is_good ? 0 : session_out_of_memory(session);
}

/* The limit includes <Total>. */
static int print_stacks(struct session *session, const struct expt_rows *rows,
			const struct io_stacks *stacks)
{
	size_t count = stacks->count, base = io_metric_base(session);
	int64_t values[EXPT_IO_METRIC_COUNT];

	for (size_t i = 0; i < EXPT_IO_METRIC_COUNT; i++)
		values[i] =
			expt_row_value(rows, EXPT_ROW_TOTAL, base + i, EXPT_EXCLUSIVE);
	if (session->limit && session->limit - 1 < count)
		count = session->limit - 1;
	if (session->output.form != OUTPUT_TEXT)
		return print_table(session, stacks, values, count);
	print_text(session, stacks, values, count);
	return 0;
}

int run_iocallstack(struct session *session, int count, char **words)
{
	struct io_stacks stacks = { 0 };
	struct expt_rows *rows;
	int rc;

	if (!io_is_recorded(session))
		return 0;
	rows = session_rows(session, EXPT_BY_FUNCTION);
	rc = rows ? find_stacks(session, &stacks) : -1;
	if (rc == 0) {
		sort_stacks(session, &stacks);
		rc = print_stacks(session, rows, &stacks);
	}
	expt_traces_free(stacks.found);
	free(stacks.items);
	return rc;
}
