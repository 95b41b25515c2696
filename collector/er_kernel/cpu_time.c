/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/er_kernel/cpu_time.h"

#include <stdlib.h>
#include <unistd.h>

#define US_NS 1000

/* The kernel's number of a thread that has lost its own at its end. */
#define GONE ((pid_t)-1)

struct processor {
	uint64_t last_ns; /* counted until then */
	pid_t thread, process;
	bool is_known; /* who runs */
};

bool cpu_time_open(struct cpu_time *times)
{
	times->count = (size_t)sysconf(_SC_NPROCESSORS_CONF);
	times->processors = calloc(times->count, sizeof(*times->processors));
	return times->processors != NULL;
}

void cpu_time_begin(struct cpu_time *times, uint64_t now_ns)
{
	for (size_t i = 0; i < times->count; i++)
		times->processors[i].last_ns = now_ns;
}

/* The idle threads of all processors have the same number. */
static pid_t number_of(const struct cpu_time *times, const struct processor *processor)
{
	return processor->thread != 0 ? processor->thread
				      : GONE - 1 - (pid_t)(processor - times->processors);
}

/* Count the time of the thread that runs. Returns it; NULL: unknown. */
static struct thread_time *count(struct cpu_time *times, struct processor *processor,
				 uint64_t now_ns)
{
	struct thread_time *thread = NULL;
	bool is_new;

	if (processor->is_known)
		thread = numbered_get(&times->threads, sizeof(*thread),
				      number_of(times, processor), &is_new);
	if (thread)
		thread->process = processor->process;
	if (now_ns <= processor->last_ns)
		return thread;
	if (thread)
		thread->time_ns += now_ns - processor->last_ns;
	processor->last_ns = now_ns;
	return thread;
}

static struct processor *processor_of(struct cpu_time *times,
				      const struct perf_record *record)
{
	return record->cpu < times->count ? &times->processors[record->cpu] : NULL;
}

static void set_thread(struct processor *processor, uint32_t process, uint32_t thread)
{
	if ((pid_t)thread == GONE)
		return;
	processor->thread = (pid_t)thread;
	processor->process = (pid_t)process;
	processor->is_known = true;
}

/* As in the accounts of the kernel, the thread that comes has the time of the switch. The
 * idle thread may come and leave without records of its own. */
void cpu_time_switch(struct cpu_time *times, const struct perf_record *record)
{
	struct processor *processor = processor_of(times, record);

	if (!processor)
		return;
	if (record->is_out) {
		set_thread(processor, record->pid, record->tid);
		count(times, processor, record->time_ns);
		set_thread(processor, record->next_pid, record->next_tid);
	} else if (!processor->is_known || processor->thread != (pid_t)record->tid) {
		count(times, processor, record->time_ns);
		set_thread(processor, record->pid, record->tid);
	}
}

void cpu_time_lose(struct cpu_time *times, const struct perf_record *record)
{
	struct processor *processor = processor_of(times, record);

	if (processor)
		*processor = (struct processor){ .last_ns = record->time_ns };
}

struct thread_time *cpu_time_count(struct cpu_time *times,
				   const struct perf_record *record)
{
	struct processor *processor = processor_of(times, record);

	if (!processor)
		return NULL;
	set_thread(processor, record->pid, record->tid);
	return count(times, processor, record->time_ns);
}

uint64_t thread_time_take(struct thread_time *thread)
{
	uint64_t time_us = thread->time_ns / US_NS;

	thread->time_ns -= time_us * US_NS;
	return time_us;
}

void cpu_time_end(struct cpu_time *times, uint64_t now_ns)
{
	for (size_t i = 0; i < times->count; i++)
		count(times, &times->processors[i], now_ns);
}

void cpu_time_release(struct cpu_time *times)
{
	numbered_release(&times->threads);
	free(times->processors);
	*times = (struct cpu_time){ 0 };
}
