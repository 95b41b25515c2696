/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The time between the limits of -t, and the end of events. The first and the last time
 * within the limits are written to the log as a resume and as the exit. All of it may be
 * called in a handler; signals are blocked.
 */
#ifndef COLLECTOR_EXPERIMENT_WINDOW_H
#define COLLECTOR_EXPERIMENT_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "collector/process/guard.h"

extern struct time_window {
	/* Hold this to change what is recorded: the log has the changes in order. */
	struct spin lock;
	_Atomic bool is_ahead; /* the first limit has not been met yet */
} time_window;

/* In a child of fork. */
void window_forget(void);

/* Was -t given? And if so, is this a time between its limits? */
bool collector_has_window(void);
bool collector_is_in_window(uint64_t now);

/* No more events and samples in a process that goes on. Without the end of the files and
 * the archive. */
void collector_end_events(uint64_t now);
/* The last sample and the exit in the log, once. */
void window_close(uint64_t now);

#endif
