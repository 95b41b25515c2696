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
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "collector/base/system.h"
#include "collector/er_kernel/drain.h"
#include "collector/er_kernel/kernel.h"
#include "collector/er_kernel/load.h"
#include "collector/er_kernel/processes.h"
#include "collector/inject/interrupts.h"
#include "collector/outside/rings.h"
#include "collector/outside/status.h"

#define RING_SIZE (1 << 20) /* more than a second at the highest rates */
#define ROUND_NS  (NS_PER_SECOND / 4)
#define US_NS	  1000

struct recorder {
	const struct plan *plan;
	struct outcome *outcome;
	struct rings rings;
	struct drain drain;
	struct batch batch;
	struct kernel kernel;
	struct processes processes;
	struct load load;
	uint64_t *last_ns; /* record, by processor */
	size_t cpus;
	bool is_enabled;
	uint64_t start_ns, round_ns, begin_ns, end_ns;
};

/* ---- opening ---- */

static int open_rings(struct rings *rings, const struct plan *plan)
{
	struct perf_event_attr event = rings_event((uint64_t)plan->period_us * US_NS);

	if (plan->period_us == 0)
		return 0;
	event.config = PERF_COUNT_SW_CPU_CLOCK;
	event.exclude_callchain_user = 1;
	return rings_add(rings, &event, -1, RING_SIZE);
}

int recorder_check(const struct plan *plan)
{
	struct rings rings = { 0 };
	int rc = open_rings(&rings, plan);

	rings_close(&rings);
	return rc;
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

static void take_sample(struct recorder *recorder, const struct perf_record *record)
{
	uint64_t time_us = time_since_last(recorder, record);

	if (!record->is_in_kernel || (record->pid == 0 && !recorder->plan->has_idle))
		return;
	kernel_spend(&recorder->kernel, record,
		     processes_find(&recorder->processes, (pid_t)record->pid), time_us);
}

static void take(struct recorder *recorder, const struct perf_record *record)
{
	switch (record->type) {
	case PERF_RECORD_SAMPLE:
		take_sample(recorder, record);
		break;
	case PERF_RECORD_COMM:
		if (record->pid == record->tid)
			processes_rename(&recorder->processes, (pid_t)record->pid,
					 record->name);
		break;
	case PERF_RECORD_FORK:
		if (record->pid != record->parent)
			processes_fork(&recorder->processes, (pid_t)record->pid,
				       (pid_t)record->parent);
		break;
	case PERF_RECORD_LOST:
		recorder->outcome->lost += record->value;
		break;
	}
}

/* Process all records older than this time. */
static void process(struct recorder *recorder, uint64_t before_ns)
{
	struct perf_record record;

	drain_take(&recorder->drain, &recorder->batch);
	batch_order(&recorder->batch);
	while (batch_next(&recorder->batch, before_ns, &record))
		take(recorder, &record);
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
		processes_open(&recorder->processes);
}

/* All processors have reported the records older than the last round. */
static void do_round(struct recorder *recorder, uint64_t now_ns)
{
	process(recorder, recorder->round_ns);
	recorder->round_ns = now_ns;
	kernel_sample_if_due(&recorder->kernel, now_ns);
	kernel_flush(&recorder->kernel);
}

static bool has_load(const struct recorder *recorder)
{
	return *recorder->plan->load != NULL;
}

/* Begin the load after its quiet time, and end after another one. False: it is over. */
static bool watch_load(struct recorder *recorder, uint64_t now_ns)
{
	struct load *load = &recorder->load;

	if (!load->has_begun && now_ns >= recorder->start_ns + recorder->plan->quiet_ns) {
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

static void run(struct recorder *recorder)
{
	uint64_t now = status_now();

	while (watch(recorder, now) && interrupts_take() == 0) {
		now = status_now();
		if (now >= recorder->round_ns + ROUND_NS)
			do_round(recorder, now);
	}
}

static void set_times(struct recorder *recorder)
{
	const struct plan *plan = recorder->plan;

	recorder->round_ns = recorder->start_ns;
	recorder->begin_ns = recorder->start_ns + plan->window_start_ns;
	recorder->end_ns =
		plan->window_end_ns == 0 ? 0 : recorder->start_ns + plan->window_end_ns;
}

static int begin(struct recorder *recorder)
{
	int rc;

	recorder->cpus = (size_t)sysconf(_SC_NPROCESSORS_CONF);
	recorder->last_ns = calloc(recorder->cpus, sizeof(*recorder->last_ns));
	if (!recorder->last_ns)
		return -ENOMEM;
	rc = open_rings(&recorder->rings, recorder->plan);
	if (rc == 0 && has_load(recorder))
		rc = load_prepare(&recorder->load, recorder->plan);
	if (rc < 0)
		return rc;
	recorder->start_ns = status_now();
	return kernel_open(&recorder->kernel, recorder->plan, recorder->start_ns);
}

static void log_lost(struct recorder *recorder)
{
	char buffer[128];

	if (recorder->outcome->lost == 0)
		return;
	snprintf(buffer, sizeof(buffer), "the kernel lost %llu records",
		 (unsigned long long)recorder->outcome->lost);
	kernel_message(&recorder->kernel, "cwarn", EXPT_WARNING_GENERAL, buffer);
}

static void end(struct recorder *recorder)
{
	enable(recorder, false);
	process(recorder, UINT64_MAX);
	drain_stop(&recorder->drain);
	log_lost(recorder);
	recorder->outcome->are_names_hidden = recorder->kernel.symbols.are_hidden;
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
	if (recorder.kernel.plan)
		kernel_close(&recorder.kernel, status_now());
	load_release(&recorder.load);
	rings_close(&recorder.rings);
	batch_release(&recorder.batch);
	processes_close(&recorder.processes);
	free(recorder.last_ns);
	return rc;
}
