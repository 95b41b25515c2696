/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clock of all records, CLOCK_MONOTONIC_RAW, by the processor's counter, which takes
 * less than asking for it: where the kernel itself takes its time from there, that clock
 * is a straight line over the counter. The line is measured again and again, in ever
 * longer steps, and none begins before the last one ended: so all threads have one clock,
 * which never goes back.
 */
#ifndef COLLECTOR_PROCESS_TSC_H
#define COLLECTOR_PROCESS_TSC_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tsc_line {
	uint64_t start, span; /* by the counter */
	uint64_t start_ns;
	uint64_t scale; /* nanoseconds per count, times 2^32 */
};

extern _Atomic(const struct tsc_line *) tsc_line __attribute__((visibility("hidden")));

/* Absolute, CLOCK_MONOTONIC_RAW. */
uint64_t collector_now(void);
/* The same as the system has it. */
uint64_t collector_read_clock(void);
/* From now on by the kernel's ticks: strict seccomp forbids the counter, which the other
 * clocks read. */
void collector_use_coarse_clock(void);

/* Once, and only where time is asked for often: see whether it can be done. */
void tsc_init(void);
/* The counter must not be read any more. */
void tsc_forbid(void);
/* In a child of fork. */
void tsc_after_fork(void);
/* The time where there is no line, or it has ended: from a line that is measured now.
 * Whoever may not wait for another thread that does so, as in a handler, gets the
 * system's. */
uint64_t tsc_renew(bool may_wait);

/* After all that comes before: a time that is read ahead of it would be before what
 * another thread did to make it so. */
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
