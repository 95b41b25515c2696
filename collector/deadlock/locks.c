/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/deadlock/locks.h"

#include <stdatomic.h>

#include "collector/base/memory.h"
#include "collector/deadlock/party.h"

#define HASH_BITS 12
#define LOCKS_MAX 65536
#define SETS_MAX  16384

MEMORY_APART static struct lock *locks[1 << HASH_BITS];
MEMORY_APART static struct lock_set *sets[1 << HASH_BITS];
static struct lock *unused;
static uint32_t lock_count, set_count, last_number;

static struct lock_set empty;

/* Where locks were, a bit for so many bytes of memory, and again for those of other
 * memory */
#define GRAIN	   16
#define GRAINS	   65536
#define LOCK_ALIGN 8
MEMORY_APART static _Atomic uint64_t grains[GRAINS / 64];

static size_t bucket(uint64_t hash)
{
	return hash >> (64 - HASH_BITS);
}

/* ---- locks ---- */

struct lock *lock_find(uintptr_t address)
{
	struct lock *lock = locks[bucket(party_mix(address))];

	while (lock && lock->address != address)
		lock = lock->next;
	return lock;
}

static void mark(uintptr_t address)
{
	size_t grain = address / GRAIN % GRAINS;

	atomic_fetch_or(&grains[grain / 64], UINT64_C(1) << grain % 64);
}

/* Returns the marks of the 64 grains that this one is among. */
static uint64_t marks_at(size_t grain)
{
	return atomic_load_explicit(&grains[grain % GRAINS / 64], memory_order_relaxed);
}

bool lock_is_none_in(uintptr_t block, size_t size)
{
	size_t grain = block / GRAIN / 64 * 64, end = (block + size + GRAIN - 1) / GRAIN;

	if (end - grain > GRAINS)
		end = grain + GRAINS;
	for (; grain < end; grain += 64)
		if (marks_at(grain) != 0)
			return false;
	return true;
}

struct lock *lock_find_in(uintptr_t block, size_t size)
{
	uintptr_t end = block + size, at = block & -(uintptr_t)GRAIN;

	for (; at < end; at += GRAIN) {
		size_t grain = at / GRAIN;

		if ((marks_at(grain) >> grain % 64 & 1) == 0)
			continue;
		for (uintptr_t i = at; i < at + GRAIN; i += LOCK_ALIGN) {
			struct lock *lock = i >= block && i < end ? lock_find(i) : NULL;

			if (lock)
				return lock;
		}
	}
	return NULL;
}

static struct lock *make(void)
{
	struct lock *lock = unused;

	if (lock)
		unused = lock->next;
	else if (lock_count < LOCKS_MAX)
		lock = memory_get(sizeof(*lock));
	if (lock)
		lock_count++;
	return lock;
}

struct lock *lock_get(uintptr_t address)
{
	struct lock **at = &locks[bucket(party_mix(address))], *lock;

	lock = lock_find(address);
	if (lock)
		return lock;
	lock = make();
	if (!lock)
		return NULL;
	*lock = (struct lock){ .next = *at, .address = address, .number = ++last_number };
	*at = lock;
	mark(address);
	return lock;
}

void lock_drop(struct lock *lock)
{
	struct lock **at = &locks[bucket(party_mix(lock->address))];

	while (*at != lock)
		at = &(*at)->next;
	*at = lock->next;
	lock->next = unused;
	unused = lock;
	lock_count--;
}

void locks_after_fork(void)
{
	for (size_t i = 0; i < 1 << HASH_BITS && lock_count > 0; i++)
		locks[i] = NULL;
	lock_count = 0;
}

/* ---- sets ---- */

static void sort(struct lock_element *elements, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		struct lock_element element = elements[i];
		size_t at = i;

		for (; at > 0 && elements[at - 1].number > element.number; at--)
			elements[at] = elements[at - 1];
		elements[at] = element;
	}
}

static bool is_equal(const struct lock_set *set, const struct lock_element *elements,
		     size_t count)
{
	if (set->count != count)
		return false;
	for (size_t i = 0; i < count; i++)
		if (set->elements[i].number != elements[i].number ||
		    set->elements[i].is_shared != elements[i].is_shared)
			return false;
	return true;
}

const struct lock_set *lock_set_get(struct lock_element *elements, size_t count)
{
	struct lock_set **at, *set;
	uint64_t hash = 0;

	if (count == 0)
		return &empty;
	sort(elements, count);
	for (size_t i = 0; i < count; i++)
		hash = party_mix(hash ^ (elements[i].number * UINT64_C(2) +
					 elements[i].is_shared));
	at = &sets[bucket(hash)];
	for (set = *at; set; set = set->next)
		if (is_equal(set, elements, count))
			return set;
	if (set_count == SETS_MAX)
		return NULL;
	set = memory_get(sizeof(*set) + count * sizeof(*elements));
	if (!set)
		return NULL;
	set->next = *at;
	set->count = (uint32_t)count;
	for (size_t i = 0; i < count; i++)
		set->elements[i] = elements[i];
	*at = set;
	set_count++;
	return set;
}

bool lock_set_excludes(const struct lock_set *set, uint32_t number, bool is_shared)
{
	for (uint32_t i = 0; i < set->count; i++)
		if (set->elements[i].number == number)
			return !is_shared || !set->elements[i].is_shared;
	return false;
}

bool lock_sets_exclude(const struct lock_set *set, const struct lock_set *other)
{
	uint32_t i = 0, j = 0;

	while (i < set->count && j < other->count) {
		const struct lock_element *a = &set->elements[i];
		const struct lock_element *b = &other->elements[j];

		if (a->number == b->number && (!a->is_shared || !b->is_shared))
			return true;
		i += a->number <= b->number;
		j += b->number <= a->number;
	}
	return false;
}
