/* SPDX-License-Identifier: Apache-2.0 */
/* Since when a thread of another process sleeps, which is about to be stopped. */
#ifndef COLLECTOR_INJECT_SLEEP_H
#define COLLECTOR_INJECT_SLEEP_H

#include <stdint.h>
#include <sys/types.h>

struct sleep {
	uint64_t began_ns; /* as a time of time_now_ns(); 0: it runs, or is not known */
	uint64_t pauses;   /* see status.h */
};

/* Ask before the thread is stopped. */
struct sleep sleep_ask(pid_t process, pid_t thread);
/* Call when the thread has stopped. Returns since when it has slept, if it does: if that
 * is not known, or it has run since it was asked for, this is now. */
uint64_t sleep_began(const struct sleep *sleep, pid_t thread);

#endif
