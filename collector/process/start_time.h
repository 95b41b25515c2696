/* SPDX-License-Identifier: Apache-2.0 */
/* When a process that was not seen to begin has begun. */
#ifndef COLLECTOR_START_TIME_H
#define COLLECTOR_START_TIME_H

#include <stdint.h>

/* As collector_now() tells it, of this process, which is younger than earliest; the
 * kernel tells hundredths of seconds. In normal code. */
uint64_t start_time_after(uint64_t earliest);

#endif
