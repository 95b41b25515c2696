/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of MPI by their function: the leaf of their stacks is the wrapper. */
#include <stdlib.h>
#include <string.h>

#include "er_print/events/private.h"
#include "er_print/table/table.h"
#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/number.h"

/* In the order of the columns. */
static const char *const metrics[] = {
	"mpitime", "mpicalls", "mpisend", "mpibytessent", "mpireceive", "mpibytesrecv",
};
enum { TIME, CALLS, VALUES = sizeof(metrics) / sizeof(*metrics) };

struct mpi_function {
	const char *name;
	int64_t values[VALUES];
};

struct mpi_functions {
	struct mpi_function *items;
	size_t count, capacity;
};

static void release(struct mpi_functions *functions)
{
	array_release(functions);
}

static void release_traces(struct expt_traces **traces)
{
	expt_traces_free(*traces);
}

/* The functions for Fortran of Open MPI call PMPI_Send() in the place of MPI_Send(). */
static const char *name_of_leaf(const struct expt_frames *frames)
{
	const char *name;

	if (frames->count == 0)
		return "<Unknown>";
	name = expt_function_name(frames->places[0].function, EXPT_NAME_SHORT);
	return strncmp(name, "PMPI_", 5) == 0 ? name + 1 : name;
}

/* Returns NULL if memory runs out. */
static struct mpi_function *find(struct mpi_functions *functions, const char *name)
{
	struct mpi_function *function;

	for (size_t i = 0; i < functions->count; i++)
		if (strcmp(functions->items[i].name, name) == 0)
			return &functions->items[i];
	function = array_add(functions);
	if (function)
		function->name = name;
	return function;
}

static int add_traces(struct session *session, struct mpi_functions *functions,
		      struct expt_traces *traces)
{
	for (size_t i = 0; i < expt_traces_count(traces); i++) {
		struct mpi_function *function;
		struct expt_frames frames;
		struct expt_error err;

		if (expt_trace_frames(traces, i, &frames, &err) < 0)
			return session_failed(session, &err);
		function = find(functions, name_of_leaf(&frames));
		if (!function)
			return session_out_of_memory(session);
		for (size_t j = 0; j < VALUES; j++)
			add_saturated(&function->values[j],
				      expt_trace_value(traces, i,
						       expt_metric_find(session->view,
									metrics[j])));
	}
	return 0;
}

/* The longest time comes first. */
static int compare(const void *left, const void *right)
{
	const struct mpi_function *a = left, *b = right;

	if (a->values[TIME] != b->values[TIME])
		return a->values[TIME] > b->values[TIME] ? -1 : 1;
	return strcmp(a->name, b->name);
}

static bool add_columns(struct session *session, struct table *table)
{
	for (size_t i = 0; i < VALUES; i++) {
		const struct expt_metric *metric = expt_metric(
			session->view, expt_metric_find(session->view, metrics[i]));
		struct table_column *column = table_add_column(
			table, metric->title,
			metric->unit == EXPT_UNIT_TIME ? CELL_TIME : CELL_COUNT);

		if (!column)
			return false;
		column->has_value = true;
		column->is_sorted = i == TIME;
	}
	return table_add_column(table, "Function", CELL_NAME);
}

static bool add_line(struct table *table, const struct mpi_function *function)
{
	struct cell *cells = table_add_line(table, ' ');

	if (!cells)
		return false;
	for (size_t i = 0; i < VALUES; i++)
		cells[i].value = function->values[i];
	cells[VALUES].text = function->name;
	return true;
}

static bool fill(struct session *session, struct table *table,
		 const struct mpi_functions *functions)
{
	struct mpi_function total = { .name = "<Total>" };
	bool is_good = add_columns(session, table);

	for (size_t i = 0; i < functions->count; i++)
		for (size_t j = 0; j < VALUES; j++)
			add_saturated(&total.values[j], functions->items[i].values[j]);
	is_good = is_good && add_line(table, &total);
	for (size_t i = 0; i < functions->count && is_good; i++)
		is_good = add_line(table, &functions->items[i]);
	return is_good;
}

static int print(struct session *session, struct mpi_functions *functions)
{
	struct table table = { 0 };
	bool is_good;

	if (functions->count > 1)
		qsort(functions->items, functions->count, sizeof(*functions->items),
		      compare);
	is_good = fill(session, &table, functions);
	if (is_good) {
		output_heading(&session->output, "Calls of MPI by function");
		table_print(&table, session->limit, &session->output);
		output_gap(&session->output);
	}
	table_release(&table);
	return is_good ? 0 : session_out_of_memory(session);
}

int run_mpi_calls(struct session *session, int count, char **words)
{
	cleanup(release) struct mpi_functions functions = { 0 };
	cleanup(release_traces) struct expt_traces *traces = NULL;
	struct expt_error err;

	if (expt_metric_find(session->view, metrics[CALLS]) == EXPT_METRIC_NONE) {
		fputs("The experiments have no data on MPI: see collect -M\n\n",
		      session->out);
		return 0;
	}
	if (expt_traces_find(&traces, session->view, EXPT_MPI, false, &err) < 0)
		return session_failed(session, &err);
	session_report_problems(session);
	return add_traces(session, &functions, traces) < 0 ? -1
							   : print(session, &functions);
}
