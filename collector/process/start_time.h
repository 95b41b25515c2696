/* SPDX-License-Identifier: Apache-2.0 */
/* The start time of a process that was not seen to start. */
#ifndef COLLECTOR_PROCESS_START_TIME_H
#define COLLECTOR_PROCESS_START_TIME_H

#include <stdint.h>

/* Returns the start time of this process, on the clock of collector_now(), but not before
 * earliest. The kernel reports hundredths of seconds. Call in normal code. */
uint64_t start_time_after(uint64_t earliest);

#endif
