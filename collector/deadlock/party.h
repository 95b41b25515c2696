/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads as parties of deadlocks: which locks each of them holds, and which one it waits
 * for. Only the thread itself writes to its record. Others read it at any time, and check
 * by the number of changes that what they have read belongs together.
 *
 * An entry appears after the lock was obtained, and disappears before it is released: so
 * a thread with an entry does hold the lock.
 */
#ifndef COLLECTOR_DEADLOCK_PARTY_H
#define COLLECTOR_DEADLOCK_PARTY_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* More locks at a time are counted only. */
#define HELD_MAX 64
#define NOT_HELD HELD_MAX

/* The cache of requests that the graph knows already, by their keys */
#define KNOWN_BITS 8

struct held {
	_Atomic uintptr_t lock; /* 0: another thread has released it */
	uint64_t stack;		/* of the call that obtained it */
	uint64_t key;		/* part of the party's held_key */
	uint32_t depth;		/* how often it is held */
	bool is_shared;		/* it is held for reading */
};

struct clock;

struct party {
	struct party *next;	  /* in the list of all, which only grows */
	struct party *next_ended; /* in the queue of ended ones */
	_Atomic unsigned changes; /* odd while the next four change */
	_Atomic unsigned count;
	_Atomic unsigned lost; /* locks for which there is no room */
	_Atomic bool is_live;
	struct held held[HELD_MAX];
	_Atomic uintptr_t wanted; /* it waits for this lock, or may; 0: for none */
	_Atomic bool wants_shared;
	_Atomic bool is_spinning; /* it does not sleep meanwhile */
	uint64_t wanted_stack;
	pthread_t id;
	pid_t tid;
	_Atomic uint32_t number; /* no other thread of the process has it; 0: unused */
	bool is_busy; /* in this library: calls of handlers are not looked at */

	/* clock.c: what happened before, as far as the thread can know */
	struct clock *clock; /* NULL: nothing of interest */
	uint32_t slot;	     /* SLOT_NONE: none yet */
	bool is_marked;	     /* the present moment has been used */
	bool must_advance;   /* the next one must differ from the last */

	uintptr_t released; /* the lock that it released last */
	uint32_t epoch;	    /* changes with the clock */
	uint64_t held_key;  /* the sum of the keys of held */
	uint64_t known[1 << KNOWN_BITS];
};

/* The record of the calling thread; NULL before party_begin(), and after its end */
extern __thread struct party *party_own __attribute__((visibility("hidden")));

/* Give the calling thread a record. Returns NULL if it has ended, or memory runs out. */
struct party *party_begin(void);
/* Call in the thread at its end. The record may be used by another thread once this one
 * is joined, or many others have ended. */
void party_end(void);
/* Returns the record of that thread, whether it still runs or not, or NULL. */
struct party *party_of(pthread_t id);
/* Let another thread have the record. The caller has the guard. */
void party_joined(struct party *party);
struct party *party_first(void);
/* Call in the child of fork, where the caller is the only thread. It holds nothing: the
 * child has none of the stacks recorded before. */
void party_after_fork(void);

/* Returns the index of a lock that the party holds, or NOT_HELD. */
size_t party_find(const struct party *party, uintptr_t lock);
void party_push(struct party *party, uintptr_t lock, bool is_shared, uint64_t stack);
/* The lock is released, once if it is held several times. Returns false if the party does
 * not hold it. */
bool party_pop(struct party *party, uintptr_t lock);
/* The calling thread has released a lock that another one holds, if one does. */
void party_pop_of_other(uintptr_t lock);
/* The party waits for a lock; 0: it no longer does. */
void party_want(struct party *party, uintptr_t lock, bool is_shared, uint64_t stack);

/* Mix the bits of a word. */
static inline uint64_t party_mix(uint64_t word)
{
	word *= UINT64_C(0x9E3779B97F4A7C15);
	word ^= word >> 32;
	return word * UINT64_C(0xD6E8FEB86659FD93);
}

#endif
