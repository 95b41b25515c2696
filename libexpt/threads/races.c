/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data races. A recorder writes the two accesses of a race one after the other, at one
 * time; a race that happens again has the same id. Pairs of accesses with the same call
 * stacks are one trace.
 */
#include <stdlib.h>

#include "libexpt/base/array.h"
#include "libexpt/events/problems.h"
#include "libexpt/kinds/conflicts.h"
#include "libexpt/threads/stack_list.h"

/* A race, or another part of it, has at most this many traces: a thousand are more than
 * anyone reads, and each is two stacks. */
#define TRACES_MAX 1000

struct race {
	struct expt_race shown;
	struct {
		struct expt_race_trace *items;
		size_t count, capacity;
	} traces;
	bool has_first; /* an access waits for its other one */
	struct expt_access first;
};

struct expt_races {
	struct {
		struct race *items;
		size_t count, capacity;
	} list;
	struct idmap by_id, by_trace;
	struct stack_list stacks;
};

void expt_races_free(struct expt_races *races)
{
	if (!races)
		return;
	for (size_t i = 0; i < races->list.count; i++)
		array_release(&races->list.items[i].traces);
	array_release(&races->list);
	idmap_release(&races->by_id);
	idmap_release(&races->by_trace);
	stack_list_release(&races->stacks);
	free(races);
}

static struct race *race_of_record(struct expt_races *races, uint32_t member,
				   const struct expt_record *record)
{
	uint64_t words[2] = { member, 0 };
	struct race *race;
	uint32_t *slot;
	int64_t id = 0;

	expt_record_value(record, EXPT_RID, &id);
	words[1] = (uint64_t)id;
	slot = idmap_add(&races->by_id, idmap_key(IDMAP_KEY, words, sizeof(words)));
	if (!slot)
		return NULL;
	if (*slot != IDMAP_NONE)
		return &races->list.items[*slot];
	race = array_add(&races->list);
	if (!race)
		return NULL;
	*slot = (uint32_t)(races->list.count - 1);
	race->shown.id = (uint64_t)id;
	race->shown.expt = member;
	return race;
}

static bool read_access(struct expt_races *races, uint32_t member,
			const struct expt_record *record, struct expt_access *access)
{
	int64_t kind = EXPT_ACCESS_WRITE, address = 0, count = 0;
	uint32_t stack =
		stack_list_add(&races->stacks, member, record, race_leaf(record));

	expt_record_value(record, EXPT_RTYPE, &kind);
	expt_record_value(record, EXPT_RVADDR, &address);
	expt_record_value(record, EXPT_RCNT, &count);
	*access = (struct expt_access){
		.kind = kind,
		.address = (uint64_t)address,
		.thread = record->thread,
		.count = count,
		.stack = stack,
	};
	return stack != IDMAP_NONE;
}

static bool add_trace(struct expt_races *races, struct race *race,
		      const struct expt_access *second)
{
	size_t number = (size_t)(race - races->list.items);
	uint64_t words[] = { number, race->first.stack, (uint64_t)race->first.kind,
			     second ? second->stack : SIZE_MAX,
			     second ? (uint64_t)second->kind : 0 };
	uint32_t *slot =
		idmap_add(&races->by_trace, idmap_key(IDMAP_KEY, words, sizeof(words)));
	struct expt_race_trace *trace;

	if (!slot)
		return false;
	if (*slot == IDMAP_NONE) {
		if (race->traces.count == TRACES_MAX)
			return true;
		trace = array_add(&race->traces);
		if (!trace)
			return false;
		*slot = (uint32_t)(race->traces.count - 1);
		trace->accesses[0] = race->first;
		trace->access_count = 1 + (second != NULL);
		if (second)
			trace->accesses[1] = *second;
		return true;
	}
	trace = &race->traces.items[*slot];
	add_saturated(&trace->accesses[0].count, race->first.count);
	if (second)
		add_saturated(&trace->accesses[1].count, second->count);
	return true;
}

static void count_access(struct race *race, const struct expt_access *access)
{
	if (race->traces.count == 0 && !race->has_first)
		race->shown.address = access->address;
	if (access->address != race->shown.address)
		race->shown.has_several_addresses = true;
	add_saturated(&race->shown.count, access->count);
}

static bool take(void *context, uint32_t member, const struct expt_record *record)
{
	struct expt_races *races = context;
	struct race *race = race_of_record(races, member, record);
	struct expt_access access;

	if (!race || !read_access(races, member, record, &access))
		return false;
	count_access(race, &access);
	race->has_first = !race->has_first;
	if (race->has_first) {
		race->first = access;
		return true;
	}
	return add_trace(races, race, &access);
}

static int compare(const void *left, const void *right)
{
	const struct race *a = left, *b = right;

	if (a->shown.expt != b->shown.expt)
		return a->shown.expt < b->shown.expt ? -1 : 1;
	return a->shown.id < b->shown.id ? -1 : a->shown.id > b->shown.id;
}

/* Add the accesses whose other one is missing, and sort. */
static bool finish(struct expt_races *races)
{
	for (size_t i = 0; i < races->list.count; i++)
		if (races->list.items[i].has_first &&
		    !add_trace(races, &races->list.items[i], NULL))
			return false;
	if (races->list.count > 1)
		qsort(races->list.items, races->list.count, sizeof(*races->list.items),
		      compare);
	for (size_t i = 0; i < races->list.count; i++) {
		struct race *race = &races->list.items[i];

		race->shown.traces = race->traces.items;
		race->shown.trace_count = race->traces.count;
	}
	return true;
}

int expt_races_find(struct expt_races **out, struct expt_view *view,
		    struct expt_error *err)
{
	struct expt_races *races = calloc(1, sizeof(*races));

	if (races) {
		races->stacks.view = view;
		if (stack_sums_get(view) &&
		    stack_list_read(view, EXPT_RACE, take, races) && finish(races)) {
			*out = races;
			return 0;
		}
	}
	expt_races_free(races);
	return view_refuse(view, err);
}

size_t expt_races_count(const struct expt_races *races)
{
	return races->list.count;
}

const struct expt_race *expt_race(const struct expt_races *races, size_t i)
{
	return &races->list.items[i].shown;
}

int expt_races_frames(struct expt_races *races, expt_conflict_stack stack,
		      struct expt_frames *frames, struct expt_error *err)
{
	return stack_list_frames(&races->stacks, stack, frames, err);
}
