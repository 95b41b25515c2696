/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What wrappers of locks tell. A lock is requested before the program's call is made:
 *
 *	if (!order_ask(&request, ...))
 *		return ... the call;
 *	... the call, or an attempt that does not wait. Around a call that may wait for
 *	    ever: order_wait(), order_waited() ...
 *	if (the thread has the lock)
 *		order_got(&request);
 *
 * Nothing here changes errno.
 */
#ifndef COLLECTOR_DEADLOCK_ORDER_H
#define COLLECTOR_DEADLOCK_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct party;

struct request {
	struct party *party;
	uintptr_t lock;
	uint64_t stack;
	bool is_shared;
	bool is_noted;	 /* the graph knows it */
	bool is_joining; /* it is counted as such */
};

/* frame: the frame pointer of the wrapper. Returns false if nothing is to be done. */
bool order_ask(struct request *request, const volatile void *lock, bool is_shared,
	       const void *frame);
/* The same for the end of a thread, which is no lock in the order of others. */
bool order_ask_end(struct request *request, unsigned long thread, const void *frame);
enum order_wait {
	ORDER_MAY_HANG_ALONE = 1, /* see hang.h */
	ORDER_SPINS = 2,	  /* the thread waits without sleeping */
	ORDER_JOINS = 4,	  /* it waits for the end of another thread */
};
/* how: bits of the enumeration */
void order_wait(struct request *request, unsigned how);
void order_waited(struct request *request);
/* For calls that give up after a time, too: they are in no deadlock. */
void order_got(struct request *request);
void order_got_in_time(struct request *request);

/* Call before a lock is released. Returns whether the thread holds it. */
bool order_release(const volatile void *lock);
/* Call after the release of a lock that another thread may have obtained. */
void order_released_for_other(const volatile void *lock);

/* The object is made or destroyed. */
void order_forget(const volatile void *object);
/* So are those in a block of memory. */
void order_forget_block(const void *block, size_t size);
/* Is there anything to forget? */
bool order_is_used(void);

/* What happened in this thread up to now is before what another thread does when it gets
 * something from the object: see clock.h. */
void order_hand_over(const volatile void *object);
void order_take_over(const volatile void *object);
/* The same as the first, for a condition variable, whose mutex is not known. */
void order_signal(const volatile void *condition);

/* For order_join(), before the call that waits for the thread, which may be gone after
 * it. */
struct joined {
	unsigned long thread;
	struct party *party; /* NULL: it has no record yet */
	uint32_t number;
};
struct joined order_find(unsigned long thread);
void order_join(const struct joined *joined);

#endif
