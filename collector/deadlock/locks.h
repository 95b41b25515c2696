/* SPDX-License-Identifier: Apache-2.0 */
/* The locks that were held while another was requested, or requested then, and sets of
 * locks. All functions are called with the guard. */
#ifndef COLLECTOR_DEADLOCK_LOCKS_H
#define COLLECTOR_DEADLOCK_LOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct order;

/* A lock, from its first use to its destruction. */
struct lock {
	struct lock *next; /* with the same hash, or unused */
	uintptr_t address;
	uint32_t number; /* no other lock of the process has it */
	struct order *out, *in;
};

/* Returns the lock at the address, or NULL: there is none, or too many. */
struct lock *lock_find(uintptr_t address);
struct lock *lock_get(uintptr_t address);
/* Returns the first lock in a block of memory, or NULL. */
struct lock *lock_find_in(uintptr_t block, size_t size);
/* Is there none in the block, as far as a look tells? May be called without the guard. */
bool lock_is_none_in(uintptr_t block, size_t size);
/* The lock has no more orders. */
void lock_drop(struct lock *lock);
void locks_after_fork(void);

/* A set has no more elements than a thread can hold locks. */
struct lock_set {
	struct lock_set *next; /* with the same hash */
	uint32_t count;
	struct lock_element {
		uint32_t number;
		bool is_shared;
	} elements[]; /* by number */
};

/* Returns the one set with these elements, which are sorted; NULL: too many sets. */
const struct lock_set *lock_set_get(struct lock_element *elements, size_t count);
/* Has the set that lock, and is one of the two holders not just a reader? */
bool lock_set_excludes(const struct lock_set *set, uint32_t number, bool is_shared);
/* The same for any lock of both sets. */
bool lock_sets_exclude(const struct lock_set *set, const struct lock_set *other);

#endif
