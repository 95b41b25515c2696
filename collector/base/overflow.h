/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Overflows of a kernel's event, of the thread that has asked for them: each sends
 * SIGNAL_OF_OVERFLOWS to it, or SIGNAL_QUIET in a debugger and where the event counts the
 * kernel's work too, and leaves a record, which the handler reads without a system call.
 */
#ifndef COLLECTOR_OVERFLOW_H
#define COLLECTOR_OVERFLOW_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct perf_event_attr;

struct overflow {
	_Atomic(void *) ring; /* NULL: none */
};

struct overflow_record {
	uint64_t pc, address; /* 0: the kernel does not tell */
	uint64_t count;	      /* of events since the opening */
	uint64_t call;	      /* see restart_call_of() */
};

/* attr has the event and its period; the rest is filled in here. In the thread itself. 0,
 * or a negative errno. */
int overflow_open(struct overflow *overflow, const struct perf_event_attr *event);
/* From any thread: waits until the handler is not in use. */
void overflow_close(struct overflow *overflow, const _Atomic bool *is_handling);
/* In a child of fork, which has no ring. */
void overflow_forget(struct overflow *overflow);

/* May the signal come from an event of ours? And, in the handler, the next record that it
 * has left. */
bool overflow_is_signal(const siginfo_t *info);
bool overflow_next(struct overflow *overflow, struct overflow_record *record);

#endif
