/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stopping a thread of another process where it may call dlopen(3): it holds no lock that
 * is needed for that, and has room on its stack.
 */
#ifndef COLLECTOR_INJECT_SAFE_H
#define COLLECTOR_INJECT_SAFE_H

#include <stdint.h>
#include <sys/types.h>

struct stack_reader;

struct safe {
	pid_t process;
	int memory; /* see maps.h */
	struct stack_reader *reader;
	uint64_t usual_slice, own_slice,
		slice;	       /* see slice.h; the last is the thread's */
	uint64_t stopped_ns;   /* for how long a thread did not run */
	uint64_t stopped_at;   /* when the thread was stopped that is stopped now */
	uint64_t asleep_since; /* when it had gone to sleep, if it did */
};

/* Call stack_load() before. Returns 0 or a negative errno. */
int safe_open(struct safe *safe, pid_t process);
void safe_close(struct safe *safe);
/* Stop one thread of the process at such a place: the main thread, or another one if that
 * does not come to a place within some time. Returns the thread, stopped by ptrace, or a
 * negative errno: -ETIMEDOUT if there is no such place, -EINTR if we are interrupted. */
pid_t safe_stop(struct safe *safe);
/* The thread has been let go. */
void safe_is_over(struct safe *safe, pid_t thread);

#endif
