/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/er_kernel/tracker.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/er_kernel/user.h"

/* ---- who is followed ---- */

/* The whole of the name, or of the number. */
static bool compile(struct tracker *tracker)
{
	const char *pattern = tracker->plan->follow_regex;
	char *whole;
	int rc;

	if (asprintf(&whole, "^(%s)$", pattern) < 0)
		return false;
	rc = regcomp(&tracker->regex, whole, REG_EXTENDED | REG_NOSUB);
	free(whole);
	tracker->has_regex = rc == 0;
	return rc == 0;
}

int tracker_open(struct tracker *tracker, const struct plan *plan)
{
	*tracker = (struct tracker){ .plan = plan };
	return plan->follow == PLAN_FOLLOW_MATCHING && !compile(tracker) ? -EINVAL : 0;
}

static bool matches(const struct tracker *tracker, const struct process *process)
{
	char number[16];

	snprintf(number, sizeof(number), "%d", process->pid);
	return regexec(&tracker->regex, process->name, 0, NULL, 0) == 0 ||
	       regexec(&tracker->regex, number, 0, NULL, 0) == 0;
}

/* Our own stacks are of no interest. */
static void decide(struct tracker *tracker, struct process *process)
{
	process->has_waits = process->has_waits ||
			     (tracker->has_waits && process->pid == tracker->load);
	switch (tracker->plan->follow) {
	case PLAN_FOLLOW_ALL:
		process->is_followed = process->pid != getpid();
		break;
	case PLAN_FOLLOW_MATCHING:
		process->is_followed = process->pid != getpid() &&
				       matches(tracker, process);
		break;
	case PLAN_FOLLOW_LOAD:
		process->is_followed = process->is_followed ||
				       process->pid == tracker->load;
		break;
	case PLAN_FOLLOW_NONE:
		break;
	}
}

static bool keeps_mappings(const struct tracker *tracker, const struct process *process)
{
	return tracker->plan->follow > PLAN_FOLLOW_LOAD || process->is_followed;
}

static unsigned count_threads(pid_t pid)
{
	char path[64];
	struct stat status;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	return stat(path, &status) == 0 && status.st_nlink > 2
		       ? (unsigned)status.st_nlink - 2
		       : 1;
}

void tracker_look(struct tracker *tracker)
{
	struct process *process = NULL;

	processes_open(&tracker->processes);
	if (tracker->plan->follow <= PLAN_FOLLOW_LOAD)
		return;
	while ((process = numbered_next(&tracker->processes, process)) != NULL) {
		if (process->pid <= 0)
			continue;
		process->threads = count_threads(process->pid);
		mappings_read(&process->mappings, process->pid);
		decide(tracker, process);
	}
}

/* ---- records ---- */

static void end_wait(struct process *process, struct wait *wait,
		     const struct perf_record *record)
{
	uint64_t time_us = wait_end(wait, record->time_ns);

	if (process && process->user)
		user_wait(process->user, record, wait->stack, time_us,
			  wait->is_preempted);
}

/* The last thread waits no more, and others, such as those of a program that is replaced,
 * have ended. */
static void end_waits(struct tracker *tracker, struct process *process, uint64_t now_ns)
{
	struct wait *wait = NULL;

	while ((wait = numbered_next(&tracker->waits, wait)) != NULL) {
		struct perf_record record = { .tid = (uint32_t)wait->thread,
					      .time_ns = now_ns };

		if (wait->process == process->pid && wait->since_ns != 0)
			end_wait(process, wait, &record);
	}
}

static void end_experiment(struct tracker *tracker, struct process *process,
			   uint64_t now_ns)
{
	if (process->user) {
		end_waits(tracker, process, now_ns);
		user_close(process->user, now_ns);
	}
	process->user = NULL;
	process->has_failed = false;
}

static void take_fork(struct tracker *tracker, const struct perf_record *record)
{
	struct process *process = numbered_find(&tracker->processes, (pid_t)record->pid);

	if (record->pid == record->parent) {
		if (process && process->threads > 0)
			process->threads++;
		return;
	}
	if (process)
		end_experiment(tracker, process, record->time_ns);
	process = processes_fork(&tracker->processes, (pid_t)record->pid,
				 (pid_t)record->parent);
	if (!process)
		return;
	process->start_ns = record->time_ns;
	decide(tracker, process);
}

/* The program is another one: so is its experiment. */
static void take_exec(struct tracker *tracker, struct process *process,
		      const struct perf_record *record)
{
	end_experiment(tracker, process, record->time_ns);
	mappings_clear(&process->mappings);
	process->start_ns = record->time_ns;
	process->threads = 1;
}

static void take_name(struct tracker *tracker, const struct perf_record *record)
{
	struct process *process = processes_find(&tracker->processes, (pid_t)record->pid);

	if (!process || (record->pid != record->tid && !record->is_exec))
		return;
	if (record->is_exec)
		take_exec(tracker, process, record);
	process_set_name(process, record->name);
	if (record->is_exec)
		decide(tracker, process);
}

static void take_map(struct tracker *tracker, const struct perf_record *record)
{
	struct process *process = numbered_find(&tracker->processes, (pid_t)record->pid);
	const struct mapping *mapping;

	if (!process || !keeps_mappings(tracker, process))
		return;
	if (process->user)
		user_unmap(process->user, &process->mappings, record->address,
			   record->size, record->time_ns);
	mapping = mappings_take(&process->mappings, record);
	if (process->user && mapping)
		user_map(process->user, mapping, record->time_ns);
}

static void take_exit(struct tracker *tracker, const struct perf_record *record)
{
	struct process *process = numbered_find(&tracker->processes, (pid_t)record->pid);

	if (!process || process->threads == 0 || --process->threads > 0)
		return;
	end_experiment(tracker, process, record->time_ns);
	mappings_clear(&process->mappings);
}

static void take_switch(struct tracker *tracker, const struct perf_record *record)
{
	struct wait *wait = numbered_find(&tracker->waits, (pid_t)record->tid);

	if (!wait || wait->since_ns == 0)
		return;
	if (record->is_out)
		wait->is_preempted = record->is_preempted;
	else
		end_wait(numbered_find(&tracker->processes, wait->process), wait, record);
}

void tracker_take(struct tracker *tracker, const struct perf_record *record)
{
	switch (record->type) {
	case PERF_RECORD_COMM:
		take_name(tracker, record);
		break;
	case PERF_RECORD_FORK:
		take_fork(tracker, record);
		break;
	case PERF_RECORD_EXIT:
		take_exit(tracker, record);
		break;
	case PERF_RECORD_MMAP2:
		take_map(tracker, record);
		break;
	case PERF_RECORD_SWITCH:
		take_switch(tracker, record);
		break;
	}
}

/* ---- events ---- */

/* Returns the experiment of a process that is followed, or NULL. */
static struct user *experiment_of(struct tracker *tracker, struct process *process)
{
	if (!process || !process->is_followed || process->has_failed)
		return NULL;
	if (!process->user)
		process->user = user_open(tracker->plan->directory, process,
					  process->start_ns ? process->start_ns
							    : tracker->start_ns);
	process->has_failed = !process->user;
	return process->user;
}

static uint64_t stack_of(struct tracker *tracker, struct process *process,
			 const struct perf_record *record)
{
	size_t most = record->source < EVENT_SOURCES
			      ? tracker->stacks.bytes[record->source]
			      : 0;

	return user_stack(process->user, record, &process->mappings,
			  record->stack_size >= most);
}

uint64_t tracker_spend(struct tracker *tracker, const struct perf_record *record,
		       uint64_t time_us)
{
	struct process *process = processes_find(&tracker->processes, (pid_t)record->pid);
	struct user *user = experiment_of(tracker, process);
	uint64_t stack;

	if (!user)
		return 0;
	stack = stack_of(tracker, process, record);
	user_spend(user, record, stack, time_us);
	return stack;
}

void tracker_count(struct tracker *tracker, const struct perf_record *record,
		   size_t counter)
{
	struct process *process = processes_find(&tracker->processes, (pid_t)record->pid);
	struct user *user = experiment_of(tracker, process);

	if (user)
		user_count(user, record, stack_of(tracker, process, record), counter);
}

void tracker_leave(struct tracker *tracker, const struct perf_record *record)
{
	struct process *process = processes_find(&tracker->processes, (pid_t)record->pid);
	struct wait wait = { .thread = (pid_t)record->tid,
			     .process = (pid_t)record->pid,
			     .since_ns = record->time_ns };

	if (!experiment_of(tracker, process))
		return;
	wait.stack = stack_of(tracker, process, record);
	waits_begin(&tracker->waits, &wait);
}

void tracker_flush(struct tracker *tracker, uint64_t now_ns)
{
	const struct process *process = NULL;

	while ((process = numbered_next(&tracker->processes, process)) != NULL)
		if (process->user)
			user_flush(process->user, now_ns);
}

void tracker_close(struct tracker *tracker, uint64_t now_ns)
{
	struct process *process = NULL;

	while ((process = numbered_next(&tracker->processes, process)) != NULL)
		end_experiment(tracker, process, now_ns);
	processes_close(&tracker->processes);
	numbered_release(&tracker->waits);
	binaries_release();
	if (tracker->has_regex)
		regfree(&tracker->regex);
}
