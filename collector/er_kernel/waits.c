/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/er_kernel/waits.h"

#include <stdlib.h>

#define US_NS 1000

static struct wait *slot_of(const struct waits *waits, pid_t thread)
{
	size_t at = (uint32_t)thread * UINT32_C(2654435761) & (waits->size - 1);

	while (waits->slots[at].thread != 0 && waits->slots[at].thread != thread)
		at = (at + 1) & (waits->size - 1);
	return &waits->slots[at];
}

static bool grow(struct waits *waits)
{
	struct waits old = *waits;

	waits->size = old.size > 0 ? 2 * old.size : 1024;
	waits->slots = calloc(waits->size, sizeof(*waits->slots));
	if (!waits->slots) {
		*waits = old;
		return false;
	}
	for (size_t i = 0; i < old.size; i++)
		if (old.slots[i].thread != 0)
			*slot_of(waits, old.slots[i].thread) = old.slots[i];
	free(old.slots);
	return true;
}

void waits_begin(struct waits *waits, const struct wait *wait)
{
	struct wait *slot;
	uint64_t rest;

	if (waits->used * 4 >= waits->size * 3 && !grow(waits))
		return;
	slot = slot_of(waits, wait->thread);
	waits->used += slot->thread == 0;
	rest = slot->process == wait->process ? slot->rest_ns : 0;
	*slot = *wait;
	slot->rest_ns = rest;
}

struct wait *waits_find(const struct waits *waits, pid_t thread)
{
	struct wait *slot = waits->size > 0 ? slot_of(waits, thread) : NULL;

	return slot && slot->thread == thread ? slot : NULL;
}

uint64_t wait_end(struct wait *wait, uint64_t now_ns)
{
	uint64_t time_ns = now_ns > wait->since_ns ? now_ns - wait->since_ns : 0;

	time_ns += wait->rest_ns;
	wait->since_ns = 0;
	wait->rest_ns = time_ns % US_NS;
	return time_ns / US_NS;
}

void waits_release(struct waits *waits)
{
	free(waits->slots);
	*waits = (struct waits){ 0 };
}
