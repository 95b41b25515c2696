/* SPDX-License-Identifier: Apache-2.0 */
/* Allocations and leaks by call stack, in the form of gp-display-text. */
#include <inttypes.h>
#include <stdlib.h>

#include "er_print/aggregate.h"
#include "er_print/heap.h"
#include "er_print/run.h"
#include "libexpt/base/array.h"
#include "libexpt/cli/cli.h"

/* Call stacks that look the same, whatever process they belong to. */
struct trace {
	const struct stack_sum *stack; /* one of them */
	int64_t allocations, allocated, leaks, leaked;
	size_t order; /* in which traces were met */
};

struct traces {
	struct trace *items;
	size_t count, capacity;
	struct trace all;
};

/* ---- stacks ---- */

/* Find the place of the i-th frame; false: a stub at the leaf, which does not count. */
static bool frame_place(const struct session *session, const struct stack_sum *stack,
			const struct expt_stack *whole, size_t i,
			struct expt_place *place)
{
	struct expt *expt = session->members.items[stack->member].expt;

	expt_place(expt, whole->pcs[i], stack->time_ns, place);
	return i > 0 || !place->is_plt;
}

static bool find_stack(const struct session *session, const struct stack_sum *stack,
		       struct expt_stack *whole)
{
	struct expt_error err;

	return stack->uid != 0 && expt_stack(session->members.items[stack->member].expt,
					     stack->uid, whole, &err) > 0;
}

/* Returns the same key for stacks of the same places in the same functions. */
static uint64_t key_of(struct session *session, const struct stack_sum *stack)
{
	uint64_t key = IDMAP_KEY;
	struct expt_stack whole;
	struct expt_place place;

	if (!find_stack(session, stack, &whole))
		return key;
	for (size_t i = 0; i < whole.count; i++) {
		uint64_t words[2];

		if (!frame_place(session, stack, &whole, i, &place))
			continue;
		words[0] = aggregate_row(session, place.function);
		words[1] = place.offset;
		key = idmap_key(key, words, sizeof(words));
	}
	return idmap_key(key, &whole.end, sizeof(whole.end));
}

static void print_name(struct session *session, const struct row *row)
{
	char buffer[4096];

	fprintf(session->out, "  %s",
		aggregate_row_name(session, row, buffer, sizeof(buffer)));
}

static void print_stack(struct session *session, const struct stack_sum *stack)
{
	struct expt_stack whole;
	struct expt_place place;

	if (!find_stack(session, stack, &whole))
		return;
	for (size_t i = 0; i < whole.count; i++) {
		if (!frame_place(session, stack, &whole, i, &place))
			continue;
		print_name(session, &(struct row){ .function = place.function });
		fprintf(session->out, " + 0x%08" PRIX64 "\n", place.offset);
	}
	if (whole.end == EXPT_STACK_WHOLE)
		return;
	print_name(session, &session->aggregate->rows.items[whole.end == EXPT_STACK_FAILED
								    ? ROW_FAILED
								    : ROW_TRUNCATED]);
	fputc('\n', session->out);
}

static struct trace *trace_of(struct session *session, struct traces *traces,
			      struct idmap *by_key, const struct stack_sum *stack)
{
	uint32_t *slot = idmap_add(by_key, key_of(session, stack));
	struct trace *trace;

	if (!slot)
		return NULL;
	if (*slot != IDMAP_NONE)
		return &traces->items[*slot];
	*slot = (uint32_t)traces->count;
	trace = array_add(traces);
	if (trace) {
		trace->stack = stack;
		trace->order = *slot;
	}
	return trace;
}

static void add_to_trace(const struct session *session, struct trace *trace,
			 const struct stack_sum *stack)
{
	size_t base = metric_base_of(&heap_kind);

	add_saturated(&trace->allocations,
		      value_of(session, stack->values, base + HEAP_ALLOCATIONS));
	add_saturated(&trace->allocated,
		      value_of(session, stack->values, base + HEAP_ALLOCATED_BYTES));
	add_saturated(&trace->leaks, value_of(session, stack->values, base + HEAP_LEAKS));
	add_saturated(&trace->leaked,
		      value_of(session, stack->values, base + HEAP_LEAKED_BYTES));
}

static bool find_traces(struct session *session, struct traces *traces)
{
	const struct aggregate *aggregate = session_aggregate(session);
	size_t base = metric_base_of(&heap_kind);
	struct idmap by_key = { 0 };
	bool is_good = aggregate;

	for (size_t i = 0; is_good && i < aggregate->stacks.count; i++) {
		const struct stack_sum *stack = &aggregate->stacks.items[i];
		struct trace *trace;

		if (value_of(session, stack->values, base + HEAP_ALLOCATIONS) == 0)
			continue;
		trace = trace_of(session, traces, &by_key, stack);
		is_good = trace;
		if (trace) {
			add_to_trace(session, trace, stack);
			add_to_trace(session, &traces->all, stack);
		}
	}
	idmap_release(&by_key);
	if (aggregate && !is_good)
		session->status = cli_error("out of memory");
	return is_good;
}

/* ---- lists ---- */

/* Order by bytes, largest first, then in the order met. */
static int compare(int64_t left, int64_t right, const struct trace *a,
		   const struct trace *b)
{
	if (left != right)
		return left > right ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static int compare_leaked(const void *left, const void *right)
{
	const struct trace *a = left, *b = right;

	return compare(a->leaked, b->leaked, a, b);
}

static int compare_allocated(const void *left, const void *right)
{
	const struct trace *a = left, *b = right;

	return compare(a->allocated, b->allocated, a, b);
}

struct list {
	const char *each, *all, *bytes, *none; /* words for the output */
	int (*compare)(const void *left, const void *right);
	bool has_leaks;
};

static int64_t instances(const struct list *list, const struct trace *trace)
{
	return list->has_leaks ? trace->leaks : trace->allocations;
}

static int64_t bytes(const struct list *list, const struct trace *trace)
{
	return list->has_leaks ? trace->leaked : trace->allocated;
}

static void sort(struct traces *traces,
		 int (*compare)(const void *left, const void *right))
{
	if (traces->count > 1)
		qsort(traces->items, traces->count, sizeof(*traces->items), compare);
}

static void print_list(struct session *session, const struct list *list,
		       struct traces *traces)
{
	size_t distinct = 0, shown = 0;

	for (size_t i = 0; i < traces->count; i++)
		distinct += instances(list, &traces->items[i]) > 0;
	if (distinct == 0) {
		fprintf(session->out, "No %s information\n\n", list->none);
		return;
	}
	fprintf(session->out,
		"Summary Results: Distinct %s = %zu, Total Instances = %" PRId64
		", Total Bytes %s = %" PRId64 "\n\n",
		list->all, distinct, instances(list, &traces->all), list->bytes,
		bytes(list, &traces->all));
	sort(traces, list->compare);
	for (size_t i = 0; i < traces->count; i++) {
		const struct trace *trace = &traces->items[i];

		if (instances(list, trace) == 0 ||
		    (session->limit && shown == session->limit))
			continue;
		fprintf(session->out,
			"%s #%zu, Instances = %" PRId64 ", Bytes %s = %" PRId64 "\n",
			list->each, ++shown, instances(list, trace), list->bytes,
			bytes(list, trace));
		print_stack(session, trace->stack);
		fputc('\n', session->out);
	}
}

static int run_list(struct session *session, const struct list *list)
{
	struct traces traces = { 0 };
	bool is_good;

	if (!heap_is_there(session))
		return heap_report_none(session, "\n");
	is_good = find_traces(session, &traces);
	if (is_good)
		print_list(session, list, &traces);
	array_release(&traces);
	return is_good ? 0 : -1;
}

int run_leaks(struct session *session, int count, char **words)
{
	static const struct list list = { "Leak", "Leaks",	  "Leaked",
					  "leak", compare_leaked, true };

	return run_list(session, &list);
}

int run_allocs(struct session *session, int count, char **words)
{
	static const struct list list = { "Allocation", "Allocations",	   "Allocated",
					  "allocation", compare_allocated, false };

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

int run_heap(struct session *session, int count, char **words)
{
	struct traces traces = { 0 };
	bool is_good;

	if (!heap_is_there(session))
		return heap_report_none(session, "");
	is_good = find_traces(session, &traces);
	if (is_good) {
		sort(&traces, compare_leaked);
		fputs("<Total>\n", session->out);
		print_trace(session, &traces.all);
		for (size_t i = 0; i < traces.count; i++) {
			if (session->limit && i + 1 >= session->limit)
				break;
			fprintf(session->out, "\nStack 0x%" PRIx64 "\n",
				traces.items[i].stack->uid);
			print_trace(session, &traces.items[i]);
			print_stack(session, traces.items[i].stack);
		}
	}
	array_release(&traces);
	return is_good ? 0 : -1;
}
