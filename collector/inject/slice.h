/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that the scheduler is to run soon and often, for a moment. */
#ifndef COLLECTOR_INJECT_SLICE_H
#define COLLECTOR_INJECT_SLICE_H

#include <stdint.h>
#include <sys/types.h>

/* Returns the time that this thread gets at once, before it is changed. */
uint64_t slice_usual(void);
/* Shorten the time that the thread gets at once, so that it gets it earlier: its share is
 * the same. 0 is this thread. Returns what to pass to slice_restore(). */
uint64_t slice_shorten(pid_t thread, uint64_t usual);
void slice_restore(pid_t thread, uint64_t former);

#endif
