/* SPDX-License-Identifier: Apache-2.0 */
/* Limits that end the recording of events: the size given with -L, and files that cannot
 * grow. */
#ifndef COLLECTOR_FILES_LIMITS_H
#define COLLECTOR_FILES_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Counts size more bytes against the limit of -L. Returns true, and logs it once, if they
 * exceed it. */
bool collector_is_full(size_t size);
/* The same for data that may be left out: they are counted only if they fit within the
 * limit. */
bool collector_has_room(size_t size);
/* Stop recording events, for the reason given by a message number of the log and an
 * errno. */
void collector_stop(int message, int error);

/* Call in the handler of SIGBUS. Returns true if the fault is in a file of the
 * experiment; recording has then been stopped. */
bool collector_absorb_fault(uintptr_t address);
/* Log at the end which fault stopped the recording. */
void limits_report(void);
/* Call in a child of fork. */
void limits_forget(void);

#endif
