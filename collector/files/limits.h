/* SPDX-License-Identifier: Apache-2.0 */
/* Limits that end the recording of events: the size of -L, and files that cannot grow. */
#ifndef COLLECTOR_FILES_LIMITS_H
#define COLLECTOR_FILES_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Count size bytes more against the limit of -L: true, and logged once, if they go beyond
 * it. */
bool collector_is_full(size_t size);
/* The same for what may be left out: it is counted only if it does not go beyond the
 * limit. */
bool collector_has_room(size_t size);
/* No more events, for the reason given by a message number of the log and an errno. */
void collector_stop(int message, int error);

/* In the handler of SIGBUS: true if the fault is ours, and recording has been stopped. */
bool collector_absorb_fault(uintptr_t address);
/* At the end: log what a fault has stopped. */
void limits_report(void);
/* In a child of fork. */
void limits_forget(void);

#endif
