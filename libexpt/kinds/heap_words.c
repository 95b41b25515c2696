/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/kinds/heap_words.h"

#include <stdlib.h>

#include "libexpt/base/array.h"
#include "libexpt/kinds/heap_calls.h"

/* Bytes of a call: those that it got, that were never freed, that it freed, and that the
 * process has and has leaked after it. */
struct outcome {
	int64_t got, leaked, freed, in_use, all_leaked;
};

struct member_calls {
	bool is_read;
	struct idmap by_offset; /* of the records in their file */
	struct {
		struct outcome *items; /* in the order of time */
		size_t count, capacity;
	} outcomes;
	int64_t in_use;
};

struct heap_words {
	struct member_calls *members;
	size_t count;
};

/* ---- following the calls ---- */

static struct outcome *last(struct member_calls *calls)
{
	return &calls->outcomes.items[calls->outcomes.count - 1];
}

static uint32_t number_call(void *context, const struct expt_record *record)
{
	const struct member_calls *calls = context;

	return (uint32_t)(calls->outcomes.count - 1);
}

static bool count_allocated(void *context, uint32_t number, uint64_t size,
			    uint64_t time_ns)
{
	struct member_calls *calls = context;

	last(calls)->got = last(calls)->leaked = value_saturated(size);
	add_saturated(&calls->in_use, value_saturated(size));
	return true;
}

static void count_released(void *context, uint32_t number, uint64_t bytes, bool is_all)
{
	struct member_calls *calls = context;

	add_saturated(&calls->outcomes.items[number].leaked, -value_saturated(bytes));
	add_saturated(&last(calls)->freed, value_saturated(bytes));
	add_saturated(&calls->in_use, -value_saturated(bytes));
}

static void ignore_lost(void *context, uint32_t number, uint64_t size)
{
}

static bool ignore_unknown(void *context, uint32_t number, uint64_t size)
{
	return true;
}

static const struct heap_effects effects = {
	.number = number_call,
	.allocate = count_allocated,
	.release = count_released,
	.lose = ignore_lost,
	.guess = ignore_unknown,
};

static bool follow(struct member_calls *calls, struct heap_calls *heap,
		   const struct expt_record *record)
{
	uint32_t *slot = idmap_add(&calls->by_offset, record->offset);

	if (!slot || !array_add(&calls->outcomes))
		return false;
	*slot = (uint32_t)(calls->outcomes.count - 1);
	if (!heap_calls_follow(heap, record))
		return false;
	last(calls)->in_use = calls->in_use;
	return true;
}

/* Leaks are known at the end. */
static void sum_up_leaks(struct member_calls *calls)
{
	int64_t leaked = 0;

	for (size_t i = 0; i < calls->outcomes.count; i++) {
		add_saturated(&leaked, calls->outcomes.items[i].leaked);
		calls->outcomes.items[i].all_leaked = leaked;
	}
}

/* Calls that cannot be read are reported where they are summed up. */
static void read_calls(struct member_calls *calls, struct expt *expt)
{
	struct heap_calls heap = {
		.page_size = expt_info(expt)->page_size,
		.effects = &effects,
		.context = calls,
	};
	struct expt_records *records;
	struct expt_record record;

	calls->is_read = true;
	if (expt_records_open(&records, expt, EXPT_HEAP, NULL) < 0)
		return;
	if (expt_records_order(records, NULL) >= 0)
		while (expt_records_next(records, &record, NULL) > 0)
			if (!follow(calls, &heap, &record))
				break;
	sum_up_leaks(calls);
	heap_calls_release(&heap);
	expt_records_close(records);
}

/* ---- words ---- */

static struct member_calls *calls_of(struct kind_use *use, const struct event *event)
{
	struct heap_words *words = use->own;

	if (!words) {
		words = use->own = calloc(1, sizeof(*words));
		if (!words)
			return NULL;
		words->count = event->view->members.count;
		words->members = calloc(words->count, sizeof(*words->members));
	}
	return words->members && event->member < words->count
		       ? &words->members[event->member]
		       : NULL;
}

static bool find_value(const struct outcome *outcome, enum expression_word word,
		       int64_t *value)
{
	switch (word) {
	case EXPRESSION_HLEAKED:
		*value = outcome->leaked;
		return true;
	case EXPRESSION_HFREED:
		*value = outcome->freed;
		return true;
	case EXPRESSION_HMEM_USAGE:
	case EXPRESSION_HCUR_ALLOCS:
		*value = outcome->in_use;
		return true;
	case EXPRESSION_HCUR_LEAKS:
		*value = outcome->all_leaked;
		return true;
	case EXPRESSION_HCUR_NET_ALLOC:
		*value = outcome->got - outcome->freed;
		return true;
	default:
		return false;
	}
}

bool heap_words_find(struct kind_use *use, const struct event *event,
		     enum expression_word word, int64_t *value)
{
	struct member_calls *calls;
	uint32_t number;

	if (!find_value(&(struct outcome){ .leaked = 0 }, word, value) ||
	    !expt_record_value(event->record, EXPT_HTYPE, value))
		return false;
	calls = calls_of(use, event);
	if (calls && !calls->is_read)
		read_calls(calls, event->view->members.items[event->member].expt);
	number = calls ? idmap_find(&calls->by_offset, event->record->offset)
		       : IDMAP_NONE;
	return number < IDMAP_NONE &&
	       find_value(&calls->outcomes.items[number], word, value);
}

void heap_words_free(void *own)
{
	struct heap_words *words = own;

	for (size_t i = 0; words->members && i < words->count; i++) {
		idmap_release(&words->members[i].by_offset);
		array_release(&words->members[i].outcomes);
	}
	free(words->members);
	free(words);
}
