/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests that will receive a message. A request that is freed stays here until another
 * one has its number. If there is no room, a message is not counted.
 */
#include "collector/mpi/requests.h"

#include <stdatomic.h>
#include <stddef.h>

#define SIZE	   65536 /* a power of 2 */
#define REACH	   64	 /* slots that are looked at */
#define MULTIPLIER UINT64_C(0x9e3779b97f4a7c15)

static struct slot {
	uint64_t request; /* 0: none */
	int64_t bytes;
} slots[SIZE];

static atomic_flag lock = ATOMIC_FLAG_INIT;

static void take_lock(void)
{
	while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
		__builtin_ia32_pause();
}

static void give_lock(void)
{
	atomic_flag_clear_explicit(&lock, memory_order_release);
}

/* Returns its slot, or an empty one if that may be, or NULL. */
static struct slot *find(uint64_t request, bool may_be_empty)
{
	uint64_t first = request * MULTIPLIER >> 40;
	struct slot *empty = NULL;

	for (size_t i = 0; i < REACH; i++) {
		struct slot *slot = &slots[(first + i) % SIZE];

		if (slot->request == request)
			return slot;
		if (slot->request == 0 && !empty)
			empty = slot;
	}
	return may_be_empty ? empty : NULL;
}

void requests_put(uint64_t request, int64_t bytes)
{
	struct slot *slot;

	if (request == 0)
		return;
	take_lock();
	slot = find(request, true);
	if (slot)
		*slot = (struct slot){ request, bytes };
	give_lock();
}

bool requests_take(uint64_t request, int64_t *bytes)
{
	struct slot *slot;

	if (request == 0)
		return false;
	take_lock();
	slot = find(request, false);
	if (slot) {
		*bytes = slot->bytes;
		slot->request = 0;
	}
	give_lock();
	return slot;
}
