/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accesses to memory, without a counter of them: the debug registers watch some bytes of
 * the program's memory for a short time, then others. An access stops the program after
 * its instruction. Each thread has its own registers, as in a debugger.
 *
 * An access stands for a number of bytes: those that were read and written while no
 * register could see it. The sum over all accesses to an object is an unbiased estimate
 * of the bytes that the thread read and wrote there.
 */
#ifndef COLLECTOR_WATCH_WATCH_H
#define COLLECTOR_WATCH_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#include "collector/signals/overflow.h"

struct thread;

struct watch_access {
	size_t point;			/* its register */
	struct overflow_record record;	/* pc: the next instruction */
	uint64_t time_ns, stack, bytes; /* bytes: after watch_finish() */
};

/* Call once, if a counter is of watchpoints. False: out of memory. */
bool watch_open(void);

/* In the thread itself. The first bytes are chosen at the first watch_is_due(): many
 * threads end before. Returns 0 or a negative errno. */
int watch_start(struct thread *thread, uint64_t period_ns);
/* Call from any thread. */
void watch_stop(struct thread *thread);

/* In the handler: */
/* Returns true if a period has ended: then call watch_finish() and watch_begin(). */
bool watch_is_due(struct thread *thread);
/* Get the next access. False: there are no more. */
bool watch_next(struct thread *thread, struct watch_access *access);
/* Keep it until the end of the period. */
void watch_keep(struct thread *thread, const struct watch_access *access, uint64_t now,
		uint64_t stack, const ucontext_t *context);
/* End the period: *accesses become those that were kept. Returns their number. */
size_t watch_finish(struct thread *thread, const struct watch_access **accesses);
/* Begin another one, with other bytes. */
void watch_begin(struct thread *thread, const ucontext_t *context);
/* Forget the period, and watch nothing until the next one begins. */
void watch_drop(struct thread *thread);

#endif
