/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CPU time of threads between their samples, by the kernel's records of switches. A
 * processor may take several threads, each for a moment, between two of its samples.
 */
#ifndef COLLECTOR_ER_KERNEL_CPU_TIME_H
#define COLLECTOR_ER_KERNEL_CPU_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include "collector/outside/numbered.h"
#include "collector/outside/record.h"

/* Items of a table of threads; those that have ended keep theirs. */
struct thread_time {
	pid_t thread, process;
	uint64_t time_ns; /* of the CPU, since its last sample */
	/* Where the last sample was, for time without a later one: the number of the
	 * stack in the experiment of the kernel, or in that which the process has had
	 * since then. */
	bool has_place, is_in_kernel;
	uint64_t stack, since_ns;
};

struct cpu_time {
	struct numbered threads; /* struct thread_time */
	struct processor *processors;
	size_t count;
};

/* False: out of memory. */
bool cpu_time_open(struct cpu_time *times);
/* The processors are recorded from now on. */
void cpu_time_begin(struct cpu_time *times, uint64_t now_ns);
/* A thread leaves its processor, or comes to it. */
void cpu_time_switch(struct cpu_time *times, const struct perf_record *record);
/* Records of the processor are lost: forget who runs there, and the time up to now. */
void cpu_time_lose(struct cpu_time *times, const struct perf_record *record);
/* Count the time up to a record that its own thread has caused. Returns the thread, valid
 * until the next call; NULL: unknown. */
struct thread_time *cpu_time_count(struct cpu_time *times,
				   const struct perf_record *record);
/* Take the microseconds since the thread's last sample. The rest is left for the next. */
uint64_t thread_time_take(struct thread_time *thread);
/* Count the time of the threads that run until now. */
void cpu_time_end(struct cpu_time *times, uint64_t now_ns);
void cpu_time_release(struct cpu_time *times);

#endif
