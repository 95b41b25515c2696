/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CPU time that a thread spends for the collector: in handlers, and between
 * collector_enter() and collector_leave(), which call these. It is not the program's.
 */
#ifndef COLLECTOR_PROCESS_OWN_TIME_H
#define COLLECTOR_PROCESS_OWN_TIME_H

#include <stdbool.h>
#include <stdint.h>

/* From now on count() is told of the calling thread's time. Until then nothing is
 * measured. */
void own_time_open(void (*count)(uint64_t time_ns));
/* Returns true if the time begins here, and not in a caller. */
bool own_time_begin(void);
/* Nothing happens if no time has begun. Call begin and end the other way round where the
 * program's own call is made in between, such as the fork itself. */
void own_time_end(void);
/* Tell count() of the time so far. */
void own_time_settle(void);
/* Call where a child of fork or vfork may have used the memory: its clock is another. */
void own_time_forget(void);

#endif
