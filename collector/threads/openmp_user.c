/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stack as the user of OpenMP knows it. The frames of the runtime are left out, and a
 * thread of a team goes on with the stack of the thread that began the region. That is
 * walked by the first thread that an event meets there, while the other one waits in the
 * runtime; if the region ends meanwhile, what was found does not count.
 */

#include "collector/threads/openmp_user.h"

#include <link.h>

#include "collector/common/settings.h"
#include "collector/threads/stack_id.h"
#include "collector/threads/thread.h"
#include "collector/unwind/x86_64.h"

#define RUNTIMES 4

static struct range {
	_Atomic uintptr_t low, high;
} runtimes[RUNTIMES];

extern const char __start_openmp_code[],
	__stop_openmp_code[] __attribute__((visibility("hidden")));

bool openmp_note_runtime(const void *function)
{
	struct dl_find_object found;

	if (_dl_find_object((void *)(uintptr_t)function, &found) != 0)
		return true;
	for (size_t i = 0; i < RUNTIMES; i++) {
		uintptr_t low = 0;

		if (atomic_load(&runtimes[i].low) == (uintptr_t)found.dlfo_map_start)
			return true;
		if (!atomic_compare_exchange_strong(&runtimes[i].low, &low,
						    (uintptr_t)found.dlfo_map_start))
			continue;
		atomic_store(&runtimes[i].high, (uintptr_t)found.dlfo_map_end);
		return true;
	}
	return false;
}

static bool is_own(uint64_t pc)
{
	return pc >= (uintptr_t)__start_openmp_code && pc < (uintptr_t)__stop_openmp_code;
}

static bool is_of_runtime(uint64_t pc)
{
	for (size_t i = 0; i < RUNTIMES && runtimes[i].low != 0; i++)
		if (pc >= runtimes[i].low && pc < runtimes[i].high)
			return true;
	return is_own(pc);
}

uint64_t openmp_pragma(const struct openmp_site *site)
{
	uint64_t target;

	if (site->caller == 0)
		return 0;
	target = call_target(site->caller, 0, UINTPTR_MAX);
	if (target != 0 && site->function != 0 && !is_of_runtime(target))
		return site->function;
	return site->caller - call_length(site->caller, 0, 0);
}

/* ---- the stack of a region's begin ---- */

/* Walk the stack of a thread that may go on, and end: no load is unchecked. */
static uint64_t walk_region(struct thread *thread, const struct openmp_region *region,
			    uint64_t outer)
{
	static const struct unwind_bounds unknown;
	uint64_t *pcs = thread->openmp.pcs;
	enum unwind_end end;
	size_t count = 0, limit;

	limit = unwind_from(pcs, settings.depth, &unknown, &end, region->frame);
	while (count < limit && !is_of_runtime(pcs[count]))
		count++;
	return stack_list(&thread->in_handler, pcs, count, count < limit ? outer : 0);
}

static uint64_t list_of(struct thread *thread, const struct openmp_place *place,
			unsigned depth)
{
	struct openmp_region *region = place->region;
	uint64_t list = 0;

	if (!region || atomic_load(&region->number) != place->number)
		return 0;
	if (atomic_load(&region->listed) == place->number)
		return atomic_load(&region->list);
	if (depth < OPENMP_LEVELS) {
		const struct openmp_place outer = region->before.place;

		list = list_of(thread, &outer, depth + 1);
	}
	list = walk_region(thread, region, list);
	if (atomic_load(&region->number) != place->number)
		return 0;
	atomic_store(&region->list, list);
	atomic_store(&region->listed, place->number);
	return list;
}

/* ---- that of an event ---- */

/* A thread that works in its runtime does not work for the user; one that waits is in the
 * runtime, or in something that this called. */
static size_t skip_runtime(struct openmp_seen *seen, const uint64_t *pcs, size_t count)
{
	size_t i = 0;

	if (is_of_runtime(pcs[0]) && seen->state == EXPT_OMP_WORK)
		seen->state = EXPT_OMP_OVERHEAD;
	if (seen->state == EXPT_OMP_WORK || seen->state == EXPT_OMP_REDUCTION)
		return 0;
	while (i < count && !is_of_runtime(pcs[i]))
		i++;
	if (i == count)
		return 0;
	while (i < count && is_of_runtime(pcs[i]))
		i++;
	return i;
}

uint64_t openmp_user_list(struct thread *thread, struct openmp_seen *seen,
			  const uint64_t *pcs, size_t count)
{
	struct openmp *openmp = &thread->openmp;
	uint64_t link = 0;
	size_t i, own = 0;

	if (count == 0 || seen->state == EXPT_OMP_SERIAL || seen->state == EXPT_OMP_IDLE)
		return 0;
	if (seen->region)
		link = list_of(thread, &openmp->now.place, 0);
	i = skip_runtime(seen, pcs, count);
	for (; i < count && !is_of_runtime(pcs[i]); i++)
		openmp->pcs[own++] = pcs[i];
	/* The thread has left the function of the region. */
	if (i == count && link != 0)
		return link;
	if (i < count && seen->task.caller != 0)
		openmp->pcs[own++] = openmp_pragma(&seen->task);
	if (i < count && link == 0)
		for (; i < count; i++)
			if (!is_of_runtime(pcs[i]))
				openmp->pcs[own++] = pcs[i];
	return stack_list(&thread->in_handler, openmp->pcs, own, link);
}

size_t openmp_remove_own(uint64_t *pcs, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (!is_own(pcs[i]))
			pcs[kept++] = pcs[i];
	return kept > 0 ? kept : count;
}
