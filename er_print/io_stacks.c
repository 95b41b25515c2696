/* SPDX-License-Identifier: Apache-2.0 */
/* I/O by call stack: the I/O of each, then its frames. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "er_print/aggregate.h"
#include "er_print/io.h"
#include "er_print/run.h"
#include "libexpt/base/array.h"
#include "libexpt/cli/cli.h"

struct io_stack {
	uint64_t name;		     /* shown to users, to tell stacks apart */
	const struct stack_sum *sum; /* the first of its sums; each epoch has one */
	int64_t key;		     /* while sorting */
	int64_t values[IO_METRIC_COUNT];
};

struct io_stacks {
	struct io_stack *items;
	size_t count, capacity;
	struct idmap by_name;
};

static int64_t io_value(const struct session *session, const int64_t *values,
			size_t metric)
{
	return value_of(session, values, io_metric_base() + metric);
}

static bool has_calls(const struct session *session, const int64_t *values)
{
	static const enum io_metric counts[] = { IO_READ_COUNT, IO_WRITE_COUNT,
						 IO_OTHER_COUNT, IO_ERROR_COUNT };

	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
		if (io_value(session, values, counts[i]) != 0)
			return true;
	return false;
}

/* ---- sums of a stack over all epochs ---- */

/* Returns a hash of the printed stack, the same for all unreadable ones of a member. */
static uint64_t name_of(struct session *session, const struct stack_sum *sum)
{
	struct expt *expt = session->members.items[sum->member].expt;
	uint64_t name = idmap_key(IDMAP_KEY, &sum->member, sizeof(sum->member));
	struct expt_stack stack;

	if (sum->uid == 0 || expt_stack(expt, sum->uid, &stack, NULL) <= 0)
		return name;
	name = idmap_key(name, &stack.end, sizeof(stack.end));
	for (size_t i = 0; i < stack.count; i++) {
		struct expt_place place;

		expt_place(expt, stack.pcs[i], sum->time_ns, &place);
		name = idmap_key(name, &place.function, sizeof(place.function));
		name = idmap_key(name, &place.offset, sizeof(place.offset));
	}
	return name;
}

static bool add_stack(struct session *session, struct io_stacks *stacks,
		      const struct stack_sum *sum)
{
	uint64_t name = name_of(session, sum);
	uint32_t *slot = idmap_add(&stacks->by_name, name);
	struct io_stack *stack;

	if (!slot)
		return false;
	if (*slot == IDMAP_NONE) {
		*slot = (uint32_t)stacks->count;
		stack = array_add(stacks);
		if (!stack)
			return false;
		stack->name = sum->uid;
		stack->sum = sum;
	}
	stack = &stacks->items[*slot];
	for (size_t i = 0; i < IO_METRIC_COUNT; i++)
		add_saturated(&stack->values[i], io_value(session, sum->values, i));
	return true;
}

/* ---- the order ---- */

/* Returns the metric to sort by: that of the current key, or the first I/O column.
 * Without either, IO_METRIC_COUNT keeps the order in which the stacks were met. */
static size_t sort_metric(const struct session *session)
{
	size_t base = io_metric_base();
	const struct metric_list *list = &session->metrics;

	if (list->sort.kind == COLUMN_METRIC &&
	    list->sort.metric - base < IO_METRIC_COUNT)
		return list->sort.metric - base;
	for (size_t i = 0; i < list->count && list->sort.kind != COLUMN_NAME; i++)
		if (list->columns[i].kind == COLUMN_METRIC &&
		    list->columns[i].metric - base < IO_METRIC_COUNT)
			return list->columns[i].metric - base;
	return IO_METRIC_COUNT;
}

static int compare_stacks(const void *left, const void *right, void *context)
{
	const struct io_stack *a = left, *b = right;
	const bool *is_reversed = context;
	int order = a->key > b->key ? -1 : a->key < b->key;

	if (*is_reversed)
		order = -order;
	return order ? order : a->sum < b->sum ? -1 : a->sum > b->sum;
}

static void sort_stacks(struct session *session, struct io_stacks *stacks)
{
	size_t metric = sort_metric(session);
	bool is_reversed = session->metrics.is_reversed;

	for (size_t i = 0; i < stacks->count; i++)
		stacks->items[i].key =
			metric < IO_METRIC_COUNT ? stacks->items[i].values[metric] : 0;
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
	print_group(out, "Write", values[IO_WRITE_TIME], &values[IO_WRITE_BYTES],
		    values[IO_WRITE_COUNT]);
	print_group(out, "Read", values[IO_READ_TIME], &values[IO_READ_BYTES],
		    values[IO_READ_COUNT]);
	print_group(out, "Other I/O", values[IO_OTHER_TIME], NULL,
		    values[IO_OTHER_COUNT]);
	print_group(out, "I/O Error", values[IO_ERROR_TIME], NULL,
		    values[IO_ERROR_COUNT]);
}

static void print_frames(struct session *session, const struct stack_sum *sum)
{
	static const char *const ends[] = {
		[EXPT_STACK_TRUNCATED] = "<Truncated-stack>",
		[EXPT_STACK_FAILED] = "<Stack-unwind-failed>",
	};
	struct expt *expt = session->members.items[sum->member].expt;
	struct expt_stack stack;

	if (sum->uid == 0 || expt_stack(expt, sum->uid, &stack, NULL) <= 0)
		return;
	for (size_t i = 0; i < stack.count; i++) {
		struct expt_place place;
		struct row row;
		char buffer[4096];

		expt_place(expt, stack.pcs[i], sum->time_ns, &place);
		if (place.is_plt && i == 0)
			continue;
		row = (struct row){ .function = place.function };
		fprintf(session->out, "  %s + 0x%08" PRIX64 "\n",
			aggregate_row_name(session, &row, buffer, sizeof(buffer)),
			place.offset);
	}
	if (stack.end != EXPT_STACK_WHOLE)
		fprintf(session->out, "  %s\n", ends[stack.end]);
}

static void print_stacks(struct session *session, const struct io_stacks *stacks)
{
	const struct row *total = &session->aggregate->rows.items[ROW_TOTAL];
	size_t count = stacks->count;
	int64_t values[IO_METRIC_COUNT];

	for (size_t i = 0; i < IO_METRIC_COUNT; i++)
		values[i] = io_value(session, total->exclusive, i);
	fputs("<Total>\n", session->out);
	print_values(session->out, values);
	if (session->limit && session->limit - 1 < count)
		count = session->limit - 1;
	for (size_t i = 0; i < count; i++) {
		const struct io_stack *stack = &stacks->items[i];

		fprintf(session->out, "\nStack 0x%" PRIx64 "\n", stack->name);
		print_values(session->out, stack->values);
		print_frames(session, stack->sum);
	}
}

int run_iocallstack(struct session *session, int count, char **words)
{
	struct io_stacks stacks = { 0 };
	struct aggregate *aggregate;
	bool is_good = true;

	if (!io_is_recorded(session))
		return 0;
	aggregate = session_aggregate(session);
	if (!aggregate)
		return -1;
	for (size_t i = 0; i < aggregate->stacks.count && is_good; i++)
		if (has_calls(session, aggregate->stacks.items[i].values))
			is_good =
				add_stack(session, &stacks, &aggregate->stacks.items[i]);
	if (is_good) {
		sort_stacks(session, &stacks);
		print_stacks(session, &stacks);
	} else {
		session->status = cli_error("out of memory");
	}
	idmap_release(&stacks.by_name);
	array_release(&stacks);
	return is_good ? 0 : -1;
}
