/* SPDX-License-Identifier: Apache-2.0 */
/* The time slice of threads: one with a short slice is run sooner, and for less long. */
#ifndef COLLECTOR_INJECT_SLICE_H
#define COLLECTOR_INJECT_SLICE_H

#include <stdint.h>
#include <sys/types.h>

/* Returns the slice of this thread, in ns, before it is changed. */
uint64_t slice_usual(void);
/* Shorten the slice of the thread, whose share of the processor stays the same. 0 is this
 * thread. Returns what to pass to slice_restore(). */
uint64_t slice_shorten(pid_t thread, uint64_t usual);
void slice_restore(pid_t thread, uint64_t former);

#endif
