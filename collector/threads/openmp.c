/* SPDX-License-Identifier: Apache-2.0 */
/* Regions and tasks of OpenMP, as the threads pass through them. */

#include "collector/threads/openmp.h"

#include "collector/base/memory.h"
#include "collector/base/system.h"
#include "collector/common/settings.h"
#include "collector/threads/thread.h"

#define COUNTS_FIRST 64

static _Atomic(openmp_asker *) ask_runtime;

void openmp_ask(openmp_asker *asker)
{
	atomic_store(&ask_runtime, asker);
}

/* The numbers of regions go on: others may still know one of the last thread's. */
void openmp_attach(struct thread *thread)
{
	struct openmp *openmp = &thread->openmp;

	for (size_t i = 0; i < OPENMP_LEVELS; i++)
		if ((openmp->regions[i].number & 1) != 0)
			atomic_fetch_add(&openmp->regions[i].number, 1);
	openmp->now = (struct openmp_now){ EXPT_OMP_NONE, { NULL, 0 }, { 0, 0 } };
	openmp->level = 0;
	openmp->asks_runtime = false;
	openmp->told_region = openmp->told_task = 0;
}

bool openmp_make_room(struct openmp *openmp)
{
	openmp->pcs = memory_get((settings.depth + 2) * sizeof(*openmp->pcs));
	return openmp->pcs;
}

/* ---- counts ---- */

static struct openmp_counts *make_counts(size_t size)
{
	struct openmp_counts *counts =
		memory_get(sizeof(*counts) + size * sizeof(counts->slots[0]));

	if (counts)
		counts->size = size;
	return counts;
}

static bool is_same(const struct openmp_site *left, const struct openmp_site *right)
{
	return left->caller == right->caller && left->function == right->function;
}

/* Returns the slot of the first, or the free one where it belongs. */
static struct openmp_count *find_count(struct openmp_counts *counts,
				       const struct openmp_count *wanted)
{
	uint64_t hash = (wanted->site.caller * STACK_UID_FACTOR + wanted->site.function +
			 wanted->outer.caller) *
			STACK_UID_FACTOR;

	for (size_t at = hash >> 20;; at++) {
		struct openmp_count *slot = &counts->slots[at & (counts->size - 1)];

		if (slot->site.caller == 0 || (is_same(&slot->site, &wanted->site) &&
					       is_same(&slot->outer, &wanted->outer) &&
					       slot->is_task == wanted->is_task))
			return slot;
	}
}

/* A handler, or the end of the process, may read the old table at any time: it stays as
 * it is. */
static struct openmp_counts *grow(struct openmp *openmp, const struct openmp_counts *old)
{
	struct openmp_counts *new = make_counts(old ? old->size * 2 : COUNTS_FIRST);

	if (!new)
		return NULL;
	for (size_t i = 0; old && i < old->size; i++) {
		const struct openmp_count *slot = &old->slots[i];

		if (slot->site.caller != 0)
			*find_count(new, slot) = *slot;
	}
	new->used = old ? old->used : 0;
	atomic_store(&openmp->counts, new);
	return new;
}

static void count(struct thread *thread, const struct openmp_count *wanted)
{
	struct openmp *openmp = &thread->openmp;
	struct openmp_counts *counts =
		atomic_load_explicit(&openmp->counts, memory_order_relaxed);
	struct openmp_count *slot;

	if (!counts || counts->used * 4 >= counts->size * 3)
		counts = grow(openmp, counts);
	if (!counts)
		return;
	slot = find_count(counts, wanted);
	if (slot->site.caller == 0) {
		slot->site.function = wanted->site.function;
		slot->outer = wanted->outer;
		slot->is_task = wanted->is_task;
		counts->used++;
		__atomic_store_n(&slot->site.caller, wanted->site.caller,
				 __ATOMIC_RELEASE);
	}
	__atomic_store_n(&slot->count, slot->count + 1, __ATOMIC_RELAXED);
}

void openmp_count_task(struct thread *thread, struct openmp_site site)
{
	count(thread, &(struct openmp_count){ .site = site, .is_task = true });
}

/* ---- regions ---- */

static bool is_under_way(const struct openmp_place *place)
{
	return place->region && atomic_load(&place->region->number) == place->number;
}

/* A region may be in itself. */
static const struct openmp_site *outer_of(const struct openmp_site *site,
					  const struct openmp_place *place)
{
	const struct openmp_region *outer = place->region;

	return outer && !is_same(&outer->site, site) ? &outer->site : NULL;
}

const struct openmp_site *openmp_outer(const struct openmp_region *region)
{
	return outer_of(&region->site, &region->before.place);
}

struct openmp_place openmp_begin_region(struct thread *thread, const void *frame,
					struct openmp_site site)
{
	struct openmp *openmp = &thread->openmp;
	const struct openmp_site *outer = outer_of(&site, &openmp->now.place);
	struct openmp_count counted = { .site = site };
	struct openmp_region *region;

	if (outer)
		counted.outer = *outer;
	count(thread, &counted);
	if (openmp->level++ >= OPENMP_LEVELS)
		return (struct openmp_place){ NULL, 0 };
	region = &openmp->regions[openmp->level - 1];
	region->frame = frame;
	region->site = site;
	region->before = openmp->now;
	if (openmp->now.state == EXPT_OMP_NONE)
		region->before.state = EXPT_OMP_SERIAL;
	openmp->now = (struct openmp_now){
		.state = EXPT_OMP_OVERHEAD,
		.place = { region, atomic_fetch_add(&region->number, 1) + 1 },
	};
	return openmp->now.place;
}

void openmp_end_region(struct thread *thread)
{
	struct openmp *openmp = &thread->openmp;
	struct openmp_region *region;

	/* The record may be a later one than that of the begin. */
	if (openmp->level == 0 || --openmp->level >= OPENMP_LEVELS)
		return;
	region = &openmp->regions[openmp->level];
	openmp->now = region->before;
	atomic_fetch_add(&region->number, 1);
}

/* A thread that waits at the end of a region does not see that the others have left
 * it. */
bool openmp_look(struct thread *thread, struct openmp_seen *seen)
{
	struct openmp *openmp = &thread->openmp;
	openmp_asker *asker = atomic_load_explicit(&ask_runtime, memory_order_relaxed);

	if (openmp->now.state == EXPT_OMP_NONE || !openmp->pcs)
		return false;
	*seen = (struct openmp_seen){ .state = openmp->now.state };
	if (openmp->asks_runtime && asker)
		seen->state = asker();
	if (is_under_way(&openmp->now.place)) {
		seen->region = openmp->now.place.region;
		seen->task = openmp->now.task;
	} else if (seen->state == EXPT_OMP_IMPLICIT_BARRIER) {
		seen->state = EXPT_OMP_IDLE;
	}
	if (seen->state == EXPT_OMP_IDLE)
		seen->region = NULL;
	return true;
}
