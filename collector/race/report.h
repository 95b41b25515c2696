/* SPDX-License-Identifier: Apache-2.0 */
/* From reports of the run-time to records. */
#ifndef COLLECTOR_RACE_REPORT_H
#define COLLECTOR_RACE_REPORT_H

#include "collector/race/tsan.h"

extern struct tsan report_tsan __attribute__((visibility("hidden")));
/* The code of the run-time, if it is a library: its functions that lock are not the
 * program's. */
extern uintptr_t report_low, report_high __attribute__((visibility("hidden")));

/* Called by the run-time, which holds locks of its own: nothing of libc may be called. */
void report_take(void *report);

#endif
