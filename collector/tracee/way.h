/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a stopped thread runs to an address: at full speed to a debug register, or step by
 * step. The signal of either is SIGTRAP, and forced: the kernel would open it for good,
 * and take its handler away, if the thread blocked it. So it is open meanwhile, in each
 * mask that the thread has.
 */
#ifndef COLLECTOR_TRACEE_WAY_H
#define COLLECTOR_TRACEE_WAY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct way {
	bool has_steps;
	bool has_opened;
	uint64_t mask;	   /* in which SIGTRAP was opened last */
	unsigned handlers; /* that the thread is in, not stepped through */
	bool is_in_call;   /* of the system */
};

void way_open_trap(struct way *way, pid_t thread);
/* A thread that has left a handler since, or set its mask, has the right one. */
void way_close_trap(struct way *way, pid_t thread);

/* Let the thread go on, after this signal is delivered to it, unless that is 0. Returns 0
 * or a negative errno. */
int way_continue(struct way *way, pid_t thread, int signal);

/* Note a stop with this signal for the thread, or 0; is_call: at a system call. */
void way_note_stop(struct way *way, pid_t thread, int signal, bool is_call);

/* Whether the thread may be left after a step: not in a handler that is run to its
 * return, nor in a system call. */
bool way_may_end(const struct way *way);

/* Whether the SIGTRAP of a step is still to come. */
bool way_has_trap(const struct way *way, pid_t thread);

#endif
