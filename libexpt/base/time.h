/* SPDX-License-Identifier: Apache-2.0 */
/* Times are unsigned nanoseconds everywhere except in the kernel's structs. */
#ifndef LIBEXPT_BASE_TIME_H
#define LIBEXPT_BASE_TIME_H

#include <stdint.h>
#include <time.h>

#define NS_PER_SECOND UINT64_C(1000000000)

/* Returns 0 for times before 1970. */
static inline uint64_t timespec_ns(const struct timespec *time)
{
	return time->tv_sec < 0
		       ? 0
		       : (uint64_t)time->tv_sec * NS_PER_SECOND + (uint64_t)time->tv_nsec;
}

/* Returns the time of the monotonic clock, which is never set. */
static inline uint64_t time_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return timespec_ns(&now);
}

#endif
