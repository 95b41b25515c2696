/* SPDX-License-Identifier: Apache-2.0 */
/* Profiling by the overflows of counters, of the hardware or of the kernel. */
#ifndef COLLECTOR_SOURCES_COUNTERS_H
#define COLLECTOR_SOURCES_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#include "collector/files/source.h"
#include "collector/signals/overflow.h"
#include "collector/watch/watch.h"

extern const struct data_source counters_source;

struct counter_overflow {
	size_t counter; /* its number: 0 before the first is taken */
	enum { COUNTER_OVERFLOW, COUNTER_ACCESS, COUNTER_PERIOD } kind;
	struct overflow_record record;
	uint64_t events;	    /* since the previous overflow */
	struct watch_access access; /* a counter of watchpoints: instead of these two */
};

/* Call in the handler. counters_take() gets the thread's next overflow; false: there are
 * no more. counters_record() writes it, with the stack at which the thread was
 * interrupted, and the context. */
bool counters_take(struct thread *thread, struct counter_overflow *overflow);
void counters_record(struct thread *thread, const struct counter_overflow *overflow,
		     uint64_t now, uint64_t stack, const ucontext_t *context);
/* Discard all overflows so far. */
void counters_drop(struct thread *thread);

#endif
