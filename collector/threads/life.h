/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The total lifetime of the threads that have used a record, in one word, so that readers
 * need no lock. While a thread uses it, the lowest bit is set, and the total is the time
 * of the clock minus the word.
 */
#ifndef COLLECTOR_THREADS_LIFE_H
#define COLLECTOR_THREADS_LIFE_H

#include <stdatomic.h>
#include <stdint.h>

#define LIFE_IS_LIVING UINT64_C(1)

/* A thread begins or ends. */
static inline void life_turn(_Atomic uint64_t *life, uint64_t now)
{
	atomic_store(life, (now | LIFE_IS_LIVING) - *life);
}

/* A thread may have begun after that moment. */
static inline uint64_t life_until(uint64_t life, uint64_t now)
{
	if (!(life & LIFE_IS_LIVING))
		return life;
	return (int64_t)(now - life) > 0 ? now - life : 0;
}

#endif
