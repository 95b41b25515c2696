/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stack as the user of OpenMP knows it. The frames of the runtime are left out, and a
 * thread of a team goes on with the stack of the thread that began the region. That is
 * walked by the first thread that an event meets there, while the other one waits in the
 * runtime; if the region ends meanwhile, what was found does not count.
 */

#include "collector/threads/openmp_user.h"

#include <dlfcn.h>
#include <link.h>

#include "collector/common/settings.h"
#include "collector/threads/stack_id.h"
#include "collector/threads/thread.h"
#include "collector/unwind/x86_64.h"

#define RUNTIMES 4

static struct range {
	_Atomic uintptr_t low, high;
} runtimes[RUNTIMES], libc;

extern const char __start_openmp_code[],
	__stop_openmp_code[] __attribute__((visibility("hidden")));

static void set(struct range *range, const struct dl_find_object *found)
{
	atomic_store(&range->high, (uintptr_t)found->dlfo_map_end);
	atomic_store(&range->low, (uintptr_t)found->dlfo_map_start);
}

bool openmp_note_runtime(const void *function)
{
	struct dl_find_object found;

	if (_dl_find_object(dlsym, &found) == 0)
		set(&libc, &found);
	if (_dl_find_object((void *)(uintptr_t)function, &found) != 0)
		return true;
	for (size_t i = 0; i < RUNTIMES; i++) {
		uintptr_t low = 0;

		if (atomic_load(&runtimes[i].low) == (uintptr_t)found.dlfo_map_start)
			return true;
		if (!atomic_compare_exchange_strong(&runtimes[i].low, &low,
						    (uintptr_t)found.dlfo_map_start))
			continue;
		set(&runtimes[i], &found);
		return true;
	}
	return false;
}

static bool is_in(const struct range *range, uint64_t pc)
{
	return pc >= range->low && pc < range->high;
}

static bool is_own(uint64_t pc)
{
	return pc >= (uintptr_t)__start_openmp_code && pc < (uintptr_t)__stop_openmp_code;
}

bool openmp_is_runtime(uint64_t pc)
{
	for (size_t i = 0; i < RUNTIMES && runtimes[i].low != 0; i++)
		if (is_in(&runtimes[i], pc))
			return true;
	return is_own(pc);
}

static uint64_t call_before(uint64_t caller)
{
	return caller - call_length(caller, 0, 0);
}

uint64_t openmp_pragma(const struct openmp_site *site)
{
	uint64_t target;

	if (site->caller == 0)
		return 0;
	target = call_target(site->caller, 0, UINTPTR_MAX);
	if (target != 0 && !openmp_is_runtime(target))
		return site->function != 0 ? site->function : target;
	return call_before(site->caller);
}

/* ---- the stack of a region's begin ---- */

/* Walk the stack of a thread that may go on, and end: no load is unchecked. */
static uint64_t walk_region(struct thread *thread, const struct openmp_region *region,
			    uint64_t outer)
{
	static const struct unwind_bounds unknown;
	uint64_t *pcs = thread->openmp.pcs;
	uint32_t failed = 0;
	enum unwind_end end;
	size_t count = 0, limit;

	if (region->frame)
		guarded_load64((uintptr_t)region->frame, &failed);
	if (!region->frame || failed)
		return 0;
	limit = unwind_from(pcs, settings.depth, &unknown, &end, region->frame);
	while (count < limit && !openmp_is_runtime(pcs[count]))
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

/* Returns where the user's frames begin. A thread that works in its runtime does not work
 * for the user; one that waits is in the runtime, or in something that this called. */
static size_t skip_runtime(struct openmp_seen *seen, const uint64_t *pcs, size_t count)
{
	bool is_working = seen->state == EXPT_OMP_WORK ||
			  seen->state == EXPT_OMP_REDUCTION;
	size_t i = 0;

	while (i < count && !openmp_is_runtime(pcs[i]))
		i++;
	/* The runtime has called the user's function, or one of libc. */
	if (is_working && i > 0 && (i == count || !is_in(&libc, pcs[i - 1])))
		return 0;
	if (is_working)
		seen->state = EXPT_OMP_OVERHEAD;
	if (i == count)
		return 0;
	while (i < count && openmp_is_runtime(pcs[i]))
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
	/* The thread has not entered the function of the region yet, or has left it. */
	if (link != 0 && i < count && pcs[i] == call_before(seen->region->site.caller))
		return link;
	for (; i < count && !openmp_is_runtime(pcs[i]); i++)
		openmp->pcs[own++] = pcs[i];
	if (i == count && link != 0)
		return link;
	if (i < count && seen->task.caller != 0)
		openmp->pcs[own++] = openmp_pragma(&seen->task);
	if (i < count && link == 0)
		for (; i < count; i++)
			if (!openmp_is_runtime(pcs[i]))
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
