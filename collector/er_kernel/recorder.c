/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel makes a record on each processor whenever a period has passed, whatever runs
 * there. A timer that is late, or does not fire while a machine that holds this one is
 * busy elsewhere, makes fewer. So each record stands for the time since the one before it
 * on its processor.
 */

#include "collector/er_kernel/recorder.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "collector/base/system.h"
#include "collector/er_kernel/drain.h"
#include "collector/er_kernel/events.h"
#include "collector/er_kernel/kernel.h"
#include "collector/er_kernel/load.h"
#include "collector/er_kernel/tracker.h"
#include "collector/inject/interrupts.h"
#include "collector/outside/rings.h"
#include "collector/outside/status.h"
#include "collector/outside/walk.h"

#define ROUND_NS (NS_PER_SECOND / 4)
/* Processing a round may take longer than the program. */
#define RECORDS_PER_LOOK 64
#define US_NS		 1000

struct recorder {
	const struct plan *plan;
	struct outcome *outcome;
	struct rings rings;
	struct drain drain;
	struct batch batch;
	struct kernel kernel;
	struct tracker tracker;
	struct load load;
	uint64_t *last_ns; /* record, by processor */
	size_t cpus;
	bool is_enabled, is_over;
	size_t unrecorded; /* threads */
	uint64_t drained_ns, start_ns, ready_ns, round_ns, begin_ns, end_ns;
};

int recorder_check(const struct plan *plan)
{
	return events_check(plan);
}

/* ---- records ---- */

/* Returns the microseconds that a record stands for. The rest is left for the next. */
static uint64_t time_since_last(struct recorder *recorder,
				const struct perf_record *record)
{
	uint64_t period = (uint64_t)recorder->plan->period_us * US_NS;
	uint64_t *last = record->cpu < recorder->cpus ? &recorder->last_ns[record->cpu]
						      : NULL;
	uint64_t time;

	/* Where others run in between, there is no record. */
	if (recorder->plan->scope != PLAN_ALL_PROCESSES)
		return recorder->plan->period_us;
	if (!last || *last == 0 || record->time_ns < *last ||
	    record->time_ns - *last > 10 * period + NS_PER_SECOND) {
		if (last)
			*last = record->time_ns;
		return recorder->plan->period_us;
	}
	time = (record->time_ns - *last) / US_NS;
	*last += time * US_NS;
	return time;
}

static void take_clock(struct recorder *recorder, const struct perf_record *record,
		       struct process *process)
{
	uint64_t time_us = time_since_last(recorder, record);

	if (!record->is_in_kernel)
		tracker_spend(&recorder->tracker, record, time_us);
	else if (record->pid != 0 || recorder->plan->has_idle)
		kernel_spend(&recorder->kernel, record, process, time_us);
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

static void take(struct recorder *recorder, const struct perf_record *record)
{
	switch (record->type) {
	case PERF_RECORD_SAMPLE:
		take_sample(recorder, record);
		break;
	case PERF_RECORD_LOST:
		recorder->outcome->lost += record->value;
		break;
	default:
		tracker_take(&recorder->tracker, record);
	}
}

/* ---- the course of a recording ---- */

static void enable(struct recorder *recorder, bool is_enabled)
{
	if (recorder->is_enabled == is_enabled)
		return;
	recorder->is_enabled = is_enabled;
	rings_enable(&recorder->rings, is_enabled);
	/* Records tell of later ones. */
	if (is_enabled)
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
	walk_init();
	recorder->cpus = (size_t)sysconf(_SC_NPROCESSORS_CONF);
	recorder->last_ns = calloc(recorder->cpus, sizeof(*recorder->last_ns));
	if (!recorder->last_ns)
		return -ENOMEM;
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
	recorder->outcome->skipped = recorder->batch.skipped;
	drain_release(&recorder->drain);
	log_count(recorder, "the kernel lost %lu records", recorder->outcome->lost);
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
	free(recorder.last_ns);
	return rc;
}
