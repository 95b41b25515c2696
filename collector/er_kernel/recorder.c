/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel makes a record on each processor whenever a period has passed, whatever runs
 * there, and one of each switch. Timers may be late, or do not fire while a machine that
 * holds this one is busy elsewhere, and the work that a sample wakes up follows it at
 * once. So each sample stands for the time that its thread has had since its last one.
 */

#include "collector/er_kernel/recorder.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "collector/base/system.h"
#include "collector/er_kernel/cpu_time.h"
#include "collector/er_kernel/drain.h"
#include "collector/er_kernel/events.h"
#include "collector/er_kernel/kernel.h"
#include "collector/er_kernel/load.h"
#include "collector/er_kernel/tracker.h"
#include "collector/er_kernel/user.h"
#include "collector/inject/interrupts.h"
#include "collector/outside/rings.h"
#include "collector/outside/status.h"
#include "collector/outside/walk.h"

#define ROUND_NS (NS_PER_SECOND / 4)
/* Processing a round may take longer than the program. */
#define RECORDS_PER_LOOK 64

struct recorder {
	const struct plan *plan;
	struct outcome *outcome;
	struct rings rings;
	struct drain drain;
	struct batch batch;
	struct kernel kernel;
	struct tracker tracker;
	struct load load;
	struct cpu_time times;
	bool is_enabled, is_over;
	size_t unrecorded; /* threads */
	uint64_t drained_ns, start_ns, ready_ns, round_ns, begin_ns, end_ns;
	uint64_t changed_ns; /* is_enabled */
};

int recorder_check(const struct plan *plan)
{
	return events_check(plan);
}

/* ---- records ---- */

static uint64_t spend(struct recorder *recorder, const struct perf_record *record,
		      struct process *process, uint64_t time_us)
{
	if (!record->is_in_kernel)
		return tracker_spend(&recorder->tracker, record, time_us);
	if (record->pid != 0 || recorder->plan->has_idle)
		return kernel_spend(&recorder->kernel, record, process, time_us);
	return 0;
}

/* Threads have a time only where switches between all of them are recorded. */
static bool has_times(const struct recorder *recorder)
{
	return recorder->plan->scope == PLAN_ALL_PROCESSES &&
	       recorder->plan->period_us != 0;
}

static void take_clock(struct recorder *recorder, const struct perf_record *record,
		       struct process *process)
{
	struct thread_time *thread =
		has_times(recorder) ? cpu_time_count(&recorder->times, record) : NULL;

	if (!thread) {
		spend(recorder, record, process, recorder->plan->period_us);
		return;
	}
	thread->has_place = true;
	thread->is_in_kernel = record->is_in_kernel;
	thread->stack = spend(recorder, record, process, thread_time_take(thread));
	thread->since_ns = process ? process->start_ns : 0;
}

/* A thread has ended, or runs another program: what it has had since its last sample
 * belongs there, too. Where no sample fell, as in most ends of threads, the time of a
 * followed process is in the kernel, at its name. */
static void spend_rest(struct recorder *recorder, struct thread_time *thread,
		       uint64_t now_ns)
{
	struct process *process =
		numbered_find(&recorder->tracker.processes, thread->process);
	const struct perf_record record = { .pid = (uint32_t)thread->process,
					    .tid = (uint32_t)thread->thread,
					    .time_ns = now_ns };
	uint64_t time_us = thread_time_take(thread);

	if (thread->has_place && thread->is_in_kernel) {
		if (thread->stack != 0)
			kernel_spend_at(&recorder->kernel, &record, thread->stack,
					time_us);
	} else if (thread->has_place) {
		if (process && process->user && thread->since_ns == process->start_ns)
			user_spend(process->user, &record, thread->stack, time_us);
	} else if (process && process->is_followed && time_us > 0) {
		kernel_spend(&recorder->kernel, &record, process, time_us);
	}
	thread->has_place = false;
}

/* At the end, of threads that go on. */
static void spend_rests(struct recorder *recorder)
{
	struct thread_time *thread = NULL;

	cpu_time_end(&recorder->times, recorder->changed_ns);
	while ((thread = numbered_next(&recorder->times.threads, thread)) != NULL)
		spend_rest(recorder, thread, recorder->changed_ns);
}

/* Take a record that tells of processes. */
static void take_task(struct recorder *recorder, const struct perf_record *record)
{
	bool is_end = record->type == PERF_RECORD_EXIT ||
		      (record->type == PERF_RECORD_COMM && record->is_exec);
	struct thread_time *thread = NULL;

	if (is_end && has_times(recorder))
		thread = cpu_time_count(&recorder->times, record);
	else if (record->type == PERF_RECORD_FORK) /* another one had the number */
		thread = numbered_find(&recorder->times.threads, (pid_t)record->tid);
	if (thread)
		spend_rest(recorder, thread, record->time_ns);
	tracker_take(&recorder->tracker, record);
}

static void take_counter(struct recorder *recorder, const struct perf_record *record,
			 struct process *process)
{
	size_t counter = record->source - EVENT_COUNTERS;

	if (counter >= recorder->plan->counter_count)
		return;
	if (!record->is_in_kernel)
		tracker_count(&recorder->tracker, record, counter);
	else if (record->pid != 0 || recorder->plan->has_idle)
		kernel_count(&recorder->kernel, record, process, counter);
}

static void take_sample(struct recorder *recorder, const struct perf_record *record)
{
	struct process *process =
		processes_find(&recorder->tracker.processes, (pid_t)record->pid);

	switch (record->source) {
	case EVENT_CLOCK:
		take_clock(recorder, record, process);
		break;
	case EVENT_LEAVING:
		tracker_leave(&recorder->tracker, record);
		break;
	default:
		take_counter(recorder, record, process);
	}
}

static void take_lost(struct recorder *recorder, const struct perf_record *record)
{
	if (record->source == EVENT_LEAVING) {
		recorder->outcome->lost_waits += record->value;
		return;
	}
	recorder->outcome->lost += record->value;
	if (record->source == EVENT_CLOCK)
		cpu_time_lose(&recorder->times, record);
}

static void take(struct recorder *recorder, const struct perf_record *record)
{
	switch (record->type) {
	case PERF_RECORD_SAMPLE:
		take_sample(recorder, record);
		break;
	case PERF_RECORD_LOST:
		take_lost(recorder, record);
		break;
	case PERF_RECORD_SWITCH_CPU_WIDE:
		cpu_time_switch(&recorder->times, record);
		break;
	default:
		take_task(recorder, record);
	}
}

/* ---- the course of a recording ---- */

static void enable(struct recorder *recorder, bool is_enabled)
{
	if (recorder->is_enabled == is_enabled)
		return;
	recorder->is_enabled = is_enabled;
	recorder->changed_ns = status_now();
	rings_enable(&recorder->rings, is_enabled);
	if (!is_enabled)
		return;
	cpu_time_begin(&recorder->times, recorder->changed_ns);
	/* Records tell of later ones. */
	tracker_look(&recorder->tracker);
}

static bool has_load(const struct recorder *recorder)
{
	return *recorder->plan->load != NULL;
}

/* Begin the load after its quiet time, and end after another one. False: it is over. */
static bool watch_load(struct recorder *recorder, uint64_t now_ns)
{
	struct load *load = &recorder->load;

	if (!load->has_begun && now_ns >= recorder->ready_ns + recorder->plan->quiet_ns) {
		int rc = load_begin(load);

		if (rc < 0) {
			recorder->outcome->load_error = -rc;
			return false;
		}
	}
	if (!load->has_begun || load->has_ended || !load_has_ended(load))
		return recorder->end_ns == 0 || now_ns < recorder->end_ns;
	now_ns += recorder->plan->quiet_ns;
	if (recorder->end_ns == 0 || now_ns < recorder->end_ns)
		recorder->end_ns = now_ns;
	return true;
}

/* False: it is over. */
static bool watch(struct recorder *recorder, uint64_t now_ns)
{
	if (now_ns >= recorder->begin_ns)
		enable(recorder, true);
	if (recorder->end_ns != 0 && now_ns >= recorder->end_ns)
		return false;
	return !has_load(recorder) || watch_load(recorder, now_ns);
}

/* At the end no further event is recorded, however many are still to be processed. */
static void look_at_end(struct recorder *recorder)
{
	if (recorder->is_over)
		return;
	recorder->is_over = (interrupts_are_there() && interrupts_take() != 0) ||
			    !watch(recorder, status_now());
	if (!recorder->is_over)
		return;
	enable(recorder, false);
}

/* Process the records in the order of time: before a while, all processors have reported
 * theirs. */
static void process(struct recorder *recorder)
{
	struct perf_record record;
	uint64_t before = recorder->drained_ns, count = 0;

	recorder->drained_ns = drain_take(&recorder->drain, &recorder->batch);
	if (recorder->drained_ns == UINT64_MAX)
		before = UINT64_MAX;
	batch_order(&recorder->batch);
	while (batch_next(&recorder->batch, before, &record)) {
		take(recorder, &record);
		if (++count % RECORDS_PER_LOOK == 0)
			look_at_end(recorder);
	}
}

static void do_round(struct recorder *recorder, uint64_t now_ns)
{
	process(recorder);
	recorder->round_ns = now_ns;
	kernel_sample_if_due(&recorder->kernel, now_ns);
	kernel_flush(&recorder->kernel);
	tracker_flush(&recorder->tracker, now_ns);
}

static void run(struct recorder *recorder)
{
	uint64_t now = status_now();

	while (!recorder->is_over && watch(recorder, now) && interrupts_take() == 0) {
		now = status_now();
		if (now >= recorder->round_ns + ROUND_NS)
			do_round(recorder, now);
	}
}

/* Reading the names of the kernel takes time, which is not the user's. */
static void set_times(struct recorder *recorder)
{
	const struct plan *plan = recorder->plan;
	uint64_t ready = status_now();

	recorder->ready_ns = recorder->round_ns = ready;
	recorder->begin_ns = ready + plan->window_start_ns;
	recorder->end_ns = plan->window_end_ns == 0 ? 0 : ready + plan->window_end_ns;
}

/* Experiments have several files each. The load has its limits already. */
static void raise_limits(void)
{
	struct rlimit files;

	signal(SIGXFSZ, SIG_IGN);
	if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
}

static bool has_waits(const struct recorder *recorder)
{
	return has_load(recorder) && recorder->plan->period_us != 0 &&
	       recorder->plan->follow != PLAN_FOLLOW_NONE;
}

static int open_events(struct recorder *recorder)
{
	const struct plan *plan = recorder->plan;
	const pid_t all = -1;
	struct event_threads threads = { &all, 1, 0 };
	pid_t *own = NULL;
	int rc;

	if (plan->scope != PLAN_ALL_PROCESSES) {
		threads.count = processes_own_threads(&own);
		threads.items = own;
	}
	rc = events_open(&recorder->rings, plan, &recorder->tracker.stacks, &threads);
	recorder->unrecorded = threads.failed;
	free(own);
	return rc;
}

static int begin(struct recorder *recorder)
{
	int rc = tracker_open(&recorder->tracker, recorder->plan), waits_error = 0;

	if (rc < 0)
		return rc;
	if (!cpu_time_open(&recorder->times))
		return -ENOMEM;
	walk_init();
	rc = has_load(recorder) ? load_prepare(&recorder->load, recorder->plan) : 0;
	raise_limits();
	if (rc == 0)
		rc = open_events(recorder);
	if (rc < 0)
		return rc;
	recorder->tracker.load = recorder->load.pid;
	if (has_waits(recorder))
		waits_error = -events_open_waits(&recorder->rings, recorder->load.pid,
						 &recorder->tracker.stacks);
	recorder->start_ns = recorder->tracker.start_ns = status_now();
	rc = kernel_open(&recorder->kernel, recorder->plan, recorder->start_ns);
	recorder->tracker.has_waits = has_waits(recorder) && waits_error == 0;
	if (rc == 0 && waits_error != 0)
		outputs_message(&recorder->kernel.outputs, "cwarn", EXPT_WARNING_GENERAL,
				"times of waiting are not recorded", waits_error);
	return rc;
}

static void log_count(struct recorder *recorder, const char *format, uint64_t count)
{
	char buffer[128];

	if (count == 0)
		return;
	snprintf(buffer, sizeof(buffer), format, (unsigned long)count);
	outputs_message(&recorder->kernel.outputs, "cwarn", EXPT_WARNING_GENERAL, buffer,
			0);
}

static void end(struct recorder *recorder)
{
	recorder->is_over = true;
	enable(recorder, false);
	drain_stop(&recorder->drain);
	process(recorder);
	spend_rests(recorder);
	recorder->outcome->skipped = recorder->batch.skipped;
	drain_release(&recorder->drain);
	log_count(recorder, "the kernel lost %lu records", recorder->outcome->lost);
	log_count(recorder, "the kernel lost %lu records of waits",
		  recorder->outcome->lost_waits);
	log_count(recorder,
		  "%lu samples were skipped, because er_kernel could not keep up",
		  recorder->outcome->skipped);
	log_count(recorder, "%lu threads are not recorded, because too many are",
		  recorder->unrecorded);
	recorder->outcome->are_names_hidden = recorder->plan->scope !=
						      PLAN_OWN_IN_USER_MODE &&
					      recorder->kernel.symbols.are_hidden;
	recorder->outcome->has_load = has_load(recorder);
	recorder->outcome->has_load_ended = recorder->load.has_ended;
	recorder->outcome->load_status = recorder->load.status;
}

int recorder_run(struct outcome *outcome, const struct plan *plan)
{
	struct recorder recorder = { .plan = plan,
				     .outcome = outcome,
				     .load = { .begin = -1, .answer = -1 } };
	int rc = begin(&recorder);

	*outcome = (struct outcome){ 0 };
	if (rc == 0)
		rc = drain_start(&recorder.drain, &recorder.rings);
	if (rc == 0) {
		set_times(&recorder);
		run(&recorder);
		end(&recorder);
	}
	tracker_close(&recorder.tracker, status_now());
	kernel_close(&recorder.kernel, status_now());
	load_release(&recorder.load);
	rings_close(&recorder.rings);
	batch_release(&recorder.batch);
	cpu_time_release(&recorder.times);
	return rc;
}
