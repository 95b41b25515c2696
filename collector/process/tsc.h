/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clock of all records, CLOCK_MONOTONIC_RAW, computed from the processor's counter,
 * which is cheaper than asking the kernel: where the kernel itself takes its time from
 * the counter, that clock is a linear function of it. The line is fitted repeatedly, in
 * ever longer steps, and none begins before the last one ended. So all threads share one
 * clock, which never goes back.
 */
#ifndef COLLECTOR_PROCESS_TSC_H
#define COLLECTOR_PROCESS_TSC_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tsc_line {
	uint64_t start, span; /* in counts */
	uint64_t start_ns;
	uint64_t scale; /* nanoseconds per count, times 2^32 */
};

extern _Atomic(const struct tsc_line *) tsc_line __attribute__((visibility("hidden")));

/* Returns the time on CLOCK_MONOTONIC_RAW. */
uint64_t collector_now(void);
/* The same, read from the system. */
uint64_t collector_read_clock(void);
/* Use the kernel's coarse clock from now on: strict seccomp forbids the counter, which
 * the other clocks read. */
void collector_use_coarse_clock(void);

/* Allow the counter if it is usable. Call once, and only where time is read often. */
void tsc_init(void);
/* Forbid reading the counter from now on. */
void tsc_forbid(void);
/* Call in a child of fork. */
void tsc_after_fork(void);
/* Returns the time when there is no line or it has ended, after fitting a new one. A
 * caller that may not wait for another thread that is fitting one, such as a handler,
 * gets the system's time. */
uint64_t tsc_renew(bool may_wait);

/* lfence orders the reading after all earlier instructions. A time read ahead of them
 * could precede an event in another thread that they depend on. */
static inline uint64_t tsc_read(void)
{
	uint32_t low, high;

	__asm__ volatile("lfence\n\trdtsc" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
}

static inline uint64_t tsc_time(const struct tsc_line *line, uint64_t count)
{
	return line->start_ns + ((count - line->start) * line->scale >> 32);
}

static inline uint64_t tsc_now(bool may_wait)
{
	const struct tsc_line *line =
		atomic_load_explicit(&tsc_line, memory_order_acquire);
	uint64_t count;

	if (!line)
		return tsc_renew(may_wait);
	count = tsc_read();
	if (count - line->start >= line->span)
		return tsc_renew(may_wait);
	return tsc_time(line, count);
}

#endif
