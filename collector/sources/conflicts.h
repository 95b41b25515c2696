/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What threads do to each other: deadlocks that happened or may happen, which a library
 * of its own finds, and data races, which the thread sanitizer reports in programs built
 * with it.
 */
#ifndef COLLECTOR_SOURCES_CONFLICTS_H
#define COLLECTOR_SOURCES_CONFLICTS_H

#include <stdbool.h>
#include <stdint.h>

#include "collector/files/source.h"

extern const struct data_source deadlock_source, race_source;

/* What the library for deadlocks is told, and tells. */
struct deadlock_hooks {
	/* In the thread that creates another: returns what that one finds by
	 * trace_inherited(). */
	void *(*thread_begins)(void);
	void (*thread_ends)(void);    /* in the thread itself */
	void (*process_forked)(void); /* in the child */
	/* Returns how many requests of locks could not be looked at. */
	unsigned (*lost)(void);
	uintptr_t low, high; /* its code */
};

#pragma GCC visibility push(default)

/* Keep in these variables whether deadlocks are looked for in this process, and what to
 * do when threads are in one: enum deadlock_action. */
void deadlocks_tell(const struct deadlock_hooks *hooks, bool *is_wanted, int *action);
/* Returns a number that no other deadlock of the process has. */
int64_t deadlocks_next_id(void);
/* Leave possible deadlocks to the run-time of a sanitizer, whose reports are recorded. */
void deadlocks_leave_possible(void);
bool deadlocks_are_left(void);
/* Put a warning into the log: enum expt_message. */
void deadlocks_note(int number, const char *text);

bool races_are_wanted(void);
/* Are possible deadlocks wanted as well? */
bool races_want_deadlocks(void);

#pragma GCC visibility pop

#endif
