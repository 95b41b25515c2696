/* SPDX-License-Identifier: Apache-2.0 */
/* Allocations and leaks by call stack, in the form of gp-display-text. */
#include <inttypes.h>
#include <stdlib.h>

#include "er_print/events/heap.h"
#include "er_print/events/private.h"
#include "er_print/rows/accesses.h"
#include "er_print/rows/frames.h"
#include "er_print/rows/stack_table.h"
#include "libexpt/base/escape.h"
#include "libexpt/base/number.h"

bool heap_is_there(const struct session *session)
{
	return expt_metric(session->view, expt_metric_first(session->view, EXPT_HEAP))
		->is_offered;
}

int heap_report_none(struct session *session, const char *before)
{
	fprintf(session->out,
		"%sHeap trace information was not requested when recording "
		"experiments\n\n",
		before);
	return 0;
}

/* ---- traces ---- */

struct trace {
	struct access_key key; /* its number, and what it is sorted by */
	int64_t allocations, allocated, leaks, leaked;
};

struct traces {
	struct expt_traces *found;
	struct trace *items;
	size_t count;
	struct trace all;
	struct accesses accesses; /* to the blocks, if they are shown */
};

static void release_traces(struct traces *traces)
{
	expt_traces_free(traces->found);
	free(traces->items);
}

static struct trace trace_at(const struct session *session,
			     const struct expt_traces *found, size_t i)
{
	size_t first = expt_metric_first(session->view, EXPT_HEAP);

	return (struct trace){
		.key.trace = i,
		.allocations = expt_trace_value(found, i, first + EXPT_ALLOCATIONS),
		.allocated = expt_trace_value(found, i, first + EXPT_ALLOCATED_BYTES),
		.leaks = expt_trace_value(found, i, first + EXPT_LEAKS),
		.leaked = expt_trace_value(found, i, first + EXPT_LEAKED_BYTES),
	};
}

static void add_trace(struct trace *sum, const struct trace *trace)
{
	add_saturated(&sum->allocations, trace->allocations);
	add_saturated(&sum->allocated, trace->allocated);
	add_saturated(&sum->leaks, trace->leaks);
	add_saturated(&sum->leaked, trace->leaked);
}

/* Accesses take time to find, and are not of interest to all lists. */
static int find(struct session *session, struct traces *traces, bool has_accesses,
		struct expt_error *err)
{
	int rc;

	if (has_accesses)
		accesses_choose(session, &traces->accesses);
	if (traces->accesses.count == 0)
		return expt_traces_find(&traces->found, session->view, EXPT_HEAP, false,
					err);
	rc = expt_block_traces_find(&traces->found, session->view, NULL, 0, err);
	traces->accesses.traces = traces->found;
	return rc;
}

static int find_traces(struct session *session, struct traces *traces, bool has_accesses)
{
	struct expt_error err;

	if (find(session, traces, has_accesses, &err) < 0)
		return session_failed(session, &err);
	session_report_problems(session);
	traces->items =
		calloc(expt_traces_count(traces->found) + 1, sizeof(*traces->items));
	if (!traces->items)
		return session_out_of_memory(session);
	for (size_t i = 0; i < expt_traces_count(traces->found); i++) {
		struct trace trace = trace_at(session, traces->found, i);

		if (trace.allocations == 0 && !accesses_are_any(&traces->accesses, i))
			continue;
		traces->items[traces->count++] = trace;
		add_trace(&traces->all, &trace);
	}
	return 0;
}

/* ---- lists ---- */

struct list {
	const char *each, *all, *bytes, *none, *bytes_title; /* words for the output */
	bool has_leaks, has_accesses;
};

static int64_t instances(const struct list *list, const struct trace *trace)
{
	return list->has_leaks ? trace->leaks : trace->allocations;
}

static int64_t bytes(const struct list *list, const struct trace *trace)
{
	return list->has_leaks ? trace->leaked : trace->allocated;
}

static int compare(const void *left, const void *right, void *context)
{
	const struct trace *a = left, *b = right;
	const bool *is_reversed = context;

	return access_keys_compare(&a->key, &b->key, *is_reversed);
}

static void sort(struct traces *traces, bool is_reversed)
{
	if (traces->count > 1)
		qsort_r(traces->items, traces->count, sizeof(*traces->items), compare,
			&is_reversed);
}

static void sort_by_bytes(struct traces *traces, bool has_leaks)
{
	for (size_t i = 0; i < traces->count; i++)
		traces->items[i].key.value = has_leaks ? traces->items[i].leaked
						       : traces->items[i].allocated;
	sort(traces, false);
}

/* Returns the metric of accesses that allocations are sorted by; EXPT_METRIC_NONE: they
 * are sorted by bytes, unless another order was chosen for data objects. */
static size_t sort_metric(const struct session *session, const struct traces *traces)
{
	return traces->accesses.count > 0 && session->data_metrics.is_sorted
		       ? accesses_sort_metric(session, &traces->accesses)
		       : EXPT_METRIC_NONE;
}

static void sort_list(const struct session *session, const struct list *list,
		      struct traces *traces)
{
	size_t metric = sort_metric(session, traces);

	if (metric == EXPT_METRIC_NONE) {
		sort_by_bytes(traces, list->has_leaks);
		return;
	}
	for (size_t i = 0; i < traces->count; i++) {
		struct access_key *key = &traces->items[i].key;

		key->value = accesses_value(&traces->accesses, key->trace, metric);
	}
	sort(traces, session->data_metrics.is_reversed);
}

static void drop_others(const struct list *list, struct traces *traces)
{
	size_t kept = 0;

	for (size_t i = 0; i < traces->count; i++)
		if (instances(list, &traces->items[i]) > 0 || list->has_accesses)
			traces->items[kept++] = traces->items[i];
	traces->count = kept;
}

static void print_list_text(struct session *session, const struct list *list,
			    const struct traces *traces, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct trace *trace = &traces->items[i];
		cleanup_strbuf struct strbuf text = STRBUF_INIT;

		accesses_add(session, &traces->accesses, trace->key.trace, &text);
		escape_printf(session->out,
			      "%s #%zu, Instances = %" PRId64 ", Bytes %s = %" PRId64
			      "%s\n",
			      list->each, i + 1, instances(list, trace), list->bytes,
			      bytes(list, trace), strbuf_text(&text));
		frames_print(session, traces->found, trace->key.trace);
		fputc('\n', session->out);
	}
}

#define LIST_COLUMNS 3

static bool add_list_columns(struct session *session, const struct list *list,
			     const struct traces *traces, struct table *table)
{
	const struct accesses *accesses = &traces->accesses;
	size_t sorted = sort_metric(session, traces);
	struct stack_column columns[LIST_COLUMNS + METRIC_COLUMNS_MAX + 1] = {
		{ list->each, CELL_COUNT, false },
		{ "Instances", CELL_COUNT, false },
		{ list->bytes_title, CELL_COUNT, sorted == EXPT_METRIC_NONE },
	};

	for (size_t i = 0; i < accesses->count; i++) {
		struct metric_column column = { .metric = accesses->metrics[i],
						.flavor = 'd' };
		char title[METRIC_TEXT_SIZE];
		struct stack_column *new = &columns[LIST_COLUMNS + i];

		metric_column_title(session, title, &column);
		new->title = table_text(table, title);
		if (!new->title)
			return false;
		new->form = expt_metric(session->view, column.metric)->unit ==
					    EXPT_UNIT_TIME
				    ? CELL_TIME
				    : CELL_COUNT;
		new->is_sorted = column.metric == sorted;
	}
	return stack_table_add_columns(table, columns);
}

static bool add_list_line(struct session *session, const struct list *list,
			  const struct traces *traces, struct table *table, size_t i)
{
	const struct accesses *accesses = &traces->accesses;
	const struct trace *trace = &traces->items[i];
	cleanup_strbuf struct strbuf frames = STRBUF_INIT;
	int64_t values[LIST_COLUMNS + METRIC_COLUMNS_MAX] = {
		(int64_t)i + 1,
		instances(list, trace),
		bytes(list, trace),
	};

	for (size_t j = 0; j < accesses->count; j++)
		values[LIST_COLUMNS + j] =
			accesses_value(accesses, trace->key.trace, accesses->metrics[j]);
	frames_add(session, traces->found, trace->key.trace, &frames);
	return stack_table_add_line(table, NULL, values, &frames);
}

static int print_list_table(struct session *session, const struct list *list,
			    const struct traces *traces, size_t count)
{
	struct table table = { 0 };
	bool is_good = add_list_columns(session, list, traces, &table);

	for (size_t i = 0; i < count && is_good; i++)
		is_good = add_list_line(session, list, traces, &table, i);
	if (is_good)
		table_print(&table, 0, &session->output);
	table_release(&table);
	return is_good ? 0 : session_out_of_memory(session);
}

static int print_list(struct session *session, const struct list *list,
		      struct traces *traces)
{
	cleanup_strbuf struct strbuf text = STRBUF_INIT;
	size_t count;

	drop_others(list, traces);
	if (traces->count == 0) {
		fprintf(session->out, "No %s information\n\n", list->none);
		return 0;
	}
	accesses_add(session, &traces->accesses, ACCESSES_TOTAL, &text);
	output_title(&session->output,
		     "Summary Results: Distinct %s = %zu, Total Instances = %" PRId64
		     ", Total Bytes %s = %" PRId64 "%s",
		     list->all, traces->count, instances(list, &traces->all), list->bytes,
		     bytes(list, &traces->all), strbuf_text(&text));
	output_gap(&session->output);
	sort_list(session, list, traces);
	count = session->limit && session->limit < traces->count ? session->limit
								 : traces->count;
	if (session->output.form != OUTPUT_TEXT)
		return print_list_table(session, list, traces, count);
	print_list_text(session, list, traces, count);
	return 0;
}

static int run_list(struct session *session, const struct list *list)
{
	struct traces traces = { 0 };
	int rc;

	if (!heap_is_there(session))
		return heap_report_none(session, "\n");
	rc = find_traces(session, &traces, list->has_accesses);
	if (rc == 0)
		rc = print_list(session, list, &traces);
	release_traces(&traces);
	return rc;
}

int run_leaks(struct session *session, int count, char **words)
{
	static const struct list list = {
		"Leak", "Leaks", "Leaked", "leak", "Bytes Leaked", .has_leaks = true,
	};

	return run_list(session, &list);
}

int run_allocs(struct session *session, int count, char **words)
{
	static const struct list list = {
		"Allocation", "Allocations",	 "Allocated",
		"allocation", "Bytes Allocated", .has_accesses = true,
	};

	return run_list(session, &list);
}

static void print_trace(struct session *session, const struct trace *trace)
{
	if (trace->allocations > 0)
		fprintf(session->out,
			"Instances = %" PRId64 "  Bytes Allocated = %" PRId64 "\n",
			trace->allocations, trace->allocated);
	if (trace->leaks > 0)
		fprintf(session->out,
			"Instances = %" PRId64 "  Bytes Leaked = %" PRId64 "\n",
			trace->leaks, trace->leaked);
}

static void print_heap_text(struct session *session, const struct traces *traces,
			    size_t count)
{
	fputs("<Total>\n", session->out);
	print_trace(session, &traces->all);
	for (size_t i = 0; i < count; i++) {
		fprintf(session->out, "\nStack 0x%" PRIx64 "\n",
			expt_trace_uid(traces->found, traces->items[i].key.trace));
		print_trace(session, &traces->items[i]);
		frames_print(session, traces->found, traces->items[i].key.trace);
	}
}

static bool add_heap_line(struct table *table, const char *name,
			  const struct trace *trace, const struct strbuf *frames)
{
	int64_t values[] = { trace->allocations, trace->allocated, trace->leaks,
			     trace->leaked };

	return name && stack_table_add_line(table, name, values, frames);
}

static bool add_heap_stack(struct session *session, struct table *table,
			   const struct traces *traces, const struct trace *trace)
{
	cleanup_strbuf struct strbuf frames = STRBUF_INIT;
	char name[32];

	snprintf(name, sizeof(name), "0x%" PRIx64,
		 expt_trace_uid(traces->found, trace->key.trace));
	frames_add(session, traces->found, trace->key.trace, &frames);
	return add_heap_line(table, table_text(table, name), trace, &frames);
}

static int print_heap_table(struct session *session, const struct traces *traces,
			    size_t count)
{
	static const struct stack_column columns[] = {
		{ "Name", CELL_NAME, false },
		{ "Allocations", CELL_COUNT, false },
		{ "Bytes Allocated", CELL_COUNT, false },
		{ "Leaks", CELL_COUNT, false },
		{ "Bytes Leaked", CELL_COUNT, true },
		{ NULL, CELL_COUNT, false },
	};
	const struct strbuf none = STRBUF_INIT;
	struct table table = { 0 };
	bool is_good = stack_table_add_columns(&table, columns) &&
		       add_heap_line(&table, "<Total>", &traces->all, &none);

	for (size_t i = 0; i < count && is_good; i++)
		is_good = add_heap_stack(session, &table, traces, &traces->items[i]);
	output_heading(&session->output, "Allocated and leaked memory by call stack");
	if (is_good)
		table_print(&table, 0, &session->output);
	table_release(&table);
	return is_good ? 0 : session_out_of_memory(session);
}

/* The limit includes <Total>. */
static int print_heap(struct session *session, const struct traces *traces)
{
	size_t count = traces->count;

	if (session->limit && session->limit - 1 < count)
		count = session->limit - 1;
	if (session->output.form != OUTPUT_TEXT)
		return print_heap_table(session, traces, count);
	print_heap_text(session, traces, count);
	return 0;
}

int run_heap(struct session *session, int count, char **words)
{
	struct traces traces = { 0 };
	int rc;

	if (!heap_is_there(session))
		return heap_report_none(session, "");
	rc = find_traces(session, &traces, false);
	if (rc == 0) {
		sort_by_bytes(&traces, true);
		rc = print_heap(session, &traces);
	}
	release_traces(&traces);
	return rc;
}
