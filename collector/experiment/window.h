/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The time between the limits of -t, and the end of events. The first and the last time
 * within the limits are logged as a resume and as the exit. All functions may be called
 * in a handler, with signals blocked.
 */
#ifndef COLLECTOR_EXPERIMENT_WINDOW_H
#define COLLECTOR_EXPERIMENT_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "collector/process/guard.h"

extern struct time_window {
	/* held while what is recorded is changed: the log has the changes in order */
	struct spin lock;
	_Atomic bool is_ahead; /* the first limit has not been met yet */
} time_window;

/* Call in a child of fork. */
void window_forget(void);

/* Returns true if -t was given; and if it was, whether the time is between its limits. */
bool collector_has_window(void);
bool collector_is_in_window(uint64_t now);

/* End events and samples in a process that continues. The files are not closed, and the
 * archive is not made. */
void collector_end_events(uint64_t now);
/* Take the last sample and log the exit, once. */
void window_close(uint64_t now);

#endif
