/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The event starts a new period on each processor that a thread moves to, and gives no
 * samples in the kernel to users who may not see it. So the sampled ticks are compared
 * with the CPU time of the process, and the missing ones are charged to the last stack
 * seen.
 */

#include "collector/sampler/tree.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/outside/status.h"
#include "collector/sampler/founder.h"
#include "collector/sampler/image.h"
#include "collector/sampler/map.h"
#include "collector/sampler/usage.h"

struct process {
	struct process *next;
	pid_t pid;
	struct image *image; /* NULL: the first process, before its exec */
	struct usage usage;
	uint32_t cpu;	       /* of the last sample */
	uint64_t base_ns;      /* CPU time before we started */
	uint64_t cpu_ns;       /* since then, by the process's clock */
	uint64_t sampled_ns;   /* cpu_ns a round ago; its samples are complete */
	uint64_t threads_ns;   /* reported by threads when they ended */
	uint64_t phase_ns;     /* random, so that short processes get their share */
	uint64_t ticks;	       /* recorded */
	uint64_t ended_ns;     /* 0: it is alive */
	unsigned rounds_ended; /* rounds since it ended */
};

static struct process *processes;
static unsigned process_count; /* including those that have ended */
static const char *first_path, *first_command;
static uint64_t period_ns;
static bool sees_no_kernel;

static struct process *find(uint32_t pid)
{
	for (struct process *process = processes; process; process = process->next)
		if (process->pid == (pid_t)pid && process->ended_ns == 0)
			return process;
	return NULL;
}

static struct process *add_process(pid_t pid, uint64_t now_ns)
{
	struct process *process = calloc(1, sizeof(*process));

	if (!process)
		return NULL;
	process->pid = pid;
	usage_set_threads(&process->usage, 1, now_ns);
	process->phase_ns = (uint64_t)random() % period_ns;
	process->next = processes;
	processes = process;
	process_count++;
	founder_hold(pid);
	return process;
}

void tree_start(pid_t pid, const char *path, const char *command, bool is_kernel_hidden)
{
	struct process *process;

	srandom((unsigned)status_now());
	period_ns = (uint64_t)settings.period_us * 1000;
	sees_no_kernel = is_kernel_hidden;
	process = add_process(pid, status_now());
	first_path = path;
	first_command = command;
	if (!process)
		return;
	process->base_ns = status_cpu_ns(pid);
	usage_look(&process->usage, pid);
}

/* ---- CPU time ---- */

static void read_clock(struct process *process)
{
	uint64_t now = status_cpu_ns(process->pid);

	if (now > process->base_ns + process->cpu_ns)
		process->cpu_ns = now - process->base_ns;
}

static uint64_t known_cpu_ns(const struct process *process)
{
	return process->cpu_ns > process->threads_ns ? process->cpu_ns
						     : process->threads_ns;
}

/* Record the ticks due but not sampled, except kept ticks that may still come. */
static void settle(struct process *process, uint64_t cpu_ns, uint64_t kept,
		   uint64_t now_ns)
{
	uint64_t due = (cpu_ns + process->phase_ns) / period_ns;
	uint64_t told = process->ticks + kept;

	if (!process->image || due <= told)
		return;
	process->ticks += due - told;
	if (process->image->thread == 0) /* nothing was sampled yet */
		image_set_stack(process->image, (uint32_t)process->pid,
				&process->image->entry, 1);
	image_record(process->image, process->cpu,
		     sees_no_kernel ? EXPT_STATE_SYSTEM : EXPT_STATE_USER,
		     (uint32_t)(due - told), now_ns);
}

/* ---- images ---- */

static void add_element(char *lineage, const char *from, char element, unsigned number)
{
	snprintf(lineage, 2 * LINEAGE_MAX, "%s_%c%u", from, element, number);
}

static void say_how(struct image *image)
{
	outputs_message(&image->outputs, "comment", EXPT_COMMENT,
			sees_no_kernel
				? "clock: the kernel's task-clock, seen from outside; "
				  "without its own time; stacks by frame pointers"
				: "clock: the kernel's task-clock, seen from outside; "
				  "stacks by frame pointers",
			0);
}

static void open_image(struct process *process, const char *lineage, const char *path,
		       const char *command, uint64_t now_ns, const struct image *from)
{
	process->image = image_open(lineage, process->pid, path, command, now_ns,
				    &process->usage, from);
	if (process->image)
		say_how(process->image);
}

static void take_fork(const struct perf_record *record)
{
	struct process *process = find(record->pid);
	struct process *parent = find(record->parent);
	char lineage[2 * LINEAGE_MAX];

	if (record->pid == record->parent) {
		if (process)
			usage_set_threads(&process->usage,
					  process->usage.thread_count + 1,
					  record->time_ns);
		return;
	}
	if (process || !parent || !parent->image)
		return;
	process = add_process((pid_t)record->pid, record->time_ns);
	if (!process)
		return;
	add_element(lineage, parent->image->lineage, LINEAGE_FORK,
		    ++parent->image->forks);
	open_image(process, lineage, NULL, "(fork)", record->time_ns, parent->image);
}

/* The name in the record is cut short; the arguments may belong to a later exec. */
static void take_exec(const struct perf_record *record)
{
	struct process *process = find(record->pid);
	struct image *former = process ? process->image : NULL;
	char lineage[2 * LINEAGE_MAX], buffer[8192];
	struct text command = TEXT_ON(buffer);

	if (!process)
		return;
	usage_set_threads(&process->usage, 1, record->time_ns);
	if (!former) {
		open_image(process, getenv(ENV_LINEAGE), first_path, first_command,
			   record->time_ns, NULL);
		return;
	}
	if (!status_add_command(&command, process->pid))
		text_add(&command, record->name);
	add_element(lineage, former->lineage, LINEAGE_EXEC, ++former->execs);
	image_log_exec(former, lineage, command.start, record->time_ns);
	open_image(process, lineage, record->name, command.start, record->time_ns, NULL);
	image_close(former, SAMPLE_EXEC, record->time_ns);
}

static void take_sample(const struct perf_record *record)
{
	struct process *process = find(record->pid);

	if (!process || !process->image)
		return;
	process->cpu = record->cpu;
	process->ticks++;
	image_set_stack(process->image, record->tid, record->pcs, record->pc_count);
	image_record(process->image, record->cpu,
		     record->is_in_kernel ? EXPT_STATE_SYSTEM : EXPT_STATE_USER, 1,
		     record->time_ns);
}

static void take_exit(const struct perf_record *record)
{
	struct process *process = find(record->pid);

	if (!process)
		return;
	usage_set_threads(&process->usage, process->usage.thread_count - 1,
			  record->time_ns);
	if (process->usage.thread_count == 0)
		process->ended_ns = record->time_ns;
}

/* READ arrives after the end of its process. */
static void take_time(const struct perf_record *record)
{
	for (struct process *process = processes; process; process = process->next)
		if (process->pid == (pid_t)record->pid) {
			process->threads_ns += record->value;
			return;
		}
}

static void take_map(const struct perf_record *record)
{
	struct process *process = find(record->pid);
	const struct code code = {
		.segment = { .address = record->address,
			     .size = record->size,
			     .file_offset = record->file_offset,
			     .name = record->name },
		.file = { .device = record->device, .inode = record->inode },
	};

	if (process && process->image)
		image_map(process->image, &code, record->time_ns);
}

static void take_lost(const struct perf_record *record)
{
	char buffer[128];

	snprintf(buffer, sizeof(buffer), "the kernel lost %llu records",
		 (unsigned long long)record->value);
	for (struct process *process = processes; process; process = process->next)
		if (process->image)
			outputs_message(&process->image->outputs, "cwarn",
					EXPT_WARNING_GENERAL, buffer, 0);
}

void tree_take(const struct perf_record *record)
{
	switch (record->type) {
	case PERF_RECORD_SAMPLE:
		take_sample(record);
		break;
	case PERF_RECORD_MMAP2:
		take_map(record);
		break;
	case PERF_RECORD_COMM:
		if (record->is_exec)
			take_exec(record);
		break;
	case PERF_RECORD_FORK:
		take_fork(record);
		break;
	case PERF_RECORD_EXIT:
		take_exit(record);
		break;
	case PERF_RECORD_READ:
		take_time(record);
		break;
	case PERF_RECORD_LOST:
		take_lost(record);
		break;
	}
}

/* ---- rounds ---- */

static void end_process(struct process **link, uint64_t cpu_ns, uint64_t now_ns)
{
	struct process *process = *link;
	uint64_t end = process->ended_ns != 0 ? process->ended_ns : now_ns;

	settle(process, cpu_ns, 0, end);
	if (process->image)
		image_close(process->image, SAMPLE_CLOSE, end);
	founder_release(process->pid);
	usage_release(&process->usage);
	*link = process->next;
	free(process);
}

static void keep_up(struct process *process, uint64_t now_ns)
{
	process->sampled_ns = process->cpu_ns;
	read_clock(process);
	usage_look(&process->usage, process->pid);
	if (!process->image)
		return;
	if (sees_no_kernel)
		settle(process, process->sampled_ns, 2 * process->usage.thread_count,
		       now_ns);
	image_sample_if_due(process->image, now_ns);
	image_flush(process->image);
}

bool tree_round(uint64_t now_ns)
{
	struct process **link = &processes;
	bool is_ending = false;

	while (*link) {
		struct process *process = *link;

		if (process->ended_ns == 0)
			keep_up(process, now_ns);
		/* A process that was alone waits for tree_end() and the exact total. */
		if (process->ended_ns != 0 && process->rounds_ended++ > 0 &&
		    process_count > 1) {
			end_process(link, known_cpu_ns(process), now_ns);
			continue;
		}
		is_ending = is_ending || process->ended_ns != 0;
		link = &process->next;
	}
	return is_ending;
}

void tree_end(uint64_t now_ns, uint64_t total_ns)
{
	while (processes)
		end_process(&processes,
			    process_count == 1 ? total_ns : known_cpu_ns(processes),
			    now_ns);
}
