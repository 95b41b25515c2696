/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order in which threads take locks, as a graph: an order leads from a lock that a
 * thread held to one that it requested. Threads can be in a deadlock if orders of several
 * of them form a circle. Not a circle is one
 *
 *	- in which a thread occurs twice,
 *	- in which two threads held another lock at the time, which lets in one at a time,
 *	- in which what one thread did is known to be before what another one did,
 *	- or in which both sides only read.
 *
 * The graph is made in the process, and not afterwards from records of all calls: these
 * would fill a disk, and what happened before what must be known at once anyhow. An order
 * that was seen before costs a look into a cache. Circles are searched for when an order
 * is new, and recorded when they are found, so that a killed process misses none.
 */
#ifndef COLLECTOR_DEADLOCK_GRAPH_H
#define COLLECTOR_DEADLOCK_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/deadlock/clock.h"
#include "collector/deadlock/locks.h"

struct party;

/* A thread that requested a lock while it held another. */
struct occurrence {
	struct occurrence *next;
	struct moment moment; /* of the last time */
	uint32_t party;	      /* its number */
	int32_t tid;
	uint64_t held_stack, wanted_stack; /* of the first time */
};

struct order {
	struct order *next_out, *next_in; /* from, and to, the same lock */
	struct order *next;		  /* with the same hash, or unused */
	struct lock *from, *to;
	const struct lock_set *others; /* held at the same time */
	bool held_is_shared, wanted_is_shared;
	bool is_ordered; /* it is in a circle, but one thing was before another */
	uint32_t count;
	struct occurrence *occurrences;
};

/* A circle that was found: each order leads to the lock that the next one comes from. */
#define CIRCLE_MAX 16
struct circle {
	unsigned count;
	const struct order *orders[CIRCLE_MAX];
	const struct occurrence *occurrences[CIRCLE_MAX];
};

/* The party requests a lock while it holds others. Call without the guard. */
void graph_add(struct party *party, uintptr_t lock, bool is_shared, uint64_t stack);
/* The lock at the address is made or destroyed: it is another one from now on. */
void graph_forget(uintptr_t lock);
/* The same for all locks in a block of memory that is freed. */
void graph_forget_block(uintptr_t block, size_t size);
/* How often orders were forgotten: what was known then may be new now. */
extern _Atomic uint32_t graph_generation __attribute__((visibility("hidden")));
/* How many orders there was no room for */
uint32_t graph_lost(void);
/* Call in the child of fork. */
void graph_after_fork(void);

#endif
