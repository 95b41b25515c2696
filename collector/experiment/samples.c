/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of the process's resource use. There is no timer for them: periodic samples are
 * taken with an event. */

#include "collector/experiment/samples.h"

#include "collector/base/system.h"
#include "collector/common/settings.h"
#include "collector/experiment/experiment.h"
#include "collector/experiment/samples_waiting.h"
#include "collector/experiment/thread_times.h"
#include "collector/files/files.h"
#include "collector/files/log.h"
#include "collector/files/output.h"
#include "collector/process/guard.h"
#include "collector/process/process.h"
#include "collector/process/tsc.h"

static uint64_t created_ns;
static unsigned count;
static _Atomic uint64_t next_ns;
static struct spin lock;

static struct overview_time time_of(uint64_t nanoseconds)
{
	return (struct overview_time){ (int64_t)(nanoseconds / NS_PER_SECOND),
				       (int64_t)(nanoseconds % NS_PER_SECOND) };
}

static struct overview_time time_of_timeval(const struct timeval *time)
{
	return (struct overview_time){ time->tv_sec, time->tv_usec * 1000 };
}

static uint64_t used_ns(const struct rusage *usage)
{
	const struct timeval *user = &usage->ru_utime, *system = &usage->ru_stime;

	return (uint64_t)(user->tv_sec + system->tv_sec) * NS_PER_SECOND +
	       (uint64_t)(user->tv_usec + system->tv_usec) * 1000;
}

static void fill_record(struct overview_record *record, uint64_t now,
			const struct rusage *usage, struct thread_times times)
{
	*record = (struct overview_record){
		.id = process.pid,
		.contributors = 1,
		.stamp = time_of(now),
		.created = time_of(created_ns),
		.real = time_of(times.real_ns),
		.user = time_of_timeval(&usage->ru_utime),
		.system = time_of_timeval(&usage->ru_stime),
		.wait_cpu = time_of(times.wait_cpu_ns),
		.minor_faults = usage->ru_minflt,
		.major_faults = usage->ru_majflt,
		.swaps = usage->ru_nswap,
		.blocks_in = usage->ru_inblock,
		.blocks_out = usage->ru_oublock,
		.messages_sent = usage->ru_msgsnd,
		.messages_received = usage->ru_msgrcv,
		.signals = usage->ru_nsignals,
		.voluntary_switches = usage->ru_nvcsw,
		.involuntary_switches = usage->ru_nivcsw,
	};
}

static void schedule(uint64_t now)
{
	uint64_t next = now + settings.sample_period_ns;

	atomic_store(&next_ns, settings.sample_period_ns > 0 ? next : UINT64_MAX);
}

void sample_first(const char *label)
{
	uint64_t now = collector_now();
	struct overview_record record;
	struct rusage usage = { 0 };

	if (process.began_unseen)
		now = process.start_ns;
	else
		sys_getrusage(RUSAGE_SELF, &usage);
	created_ns = now;
	count = 1;
	fill_record(&record, now, &usage, thread_times_first(now, used_ns(&usage)));
	samples_waiting_put(0, &record);
	log_sample(now, 0, label);
	schedule(now);
}

/* Write the record first: a record that the log does not mention yet is harmless. */
static void write_sample(const char *label, uint64_t now, bool is_last)
{
	struct overview_record record;
	struct rusage usage = { 0 };

	sys_getrusage(RUSAGE_SELF, &usage);
	fill_record(&record, now, &usage, thread_times_at(now, used_ns(&usage), is_last));
	if (!output_is_open(&files.overview))
		samples_waiting_put(count, &record);
	else if (!output_append(&files.overview, (const char *)&record, sizeof(record),
				count * sizeof(record)))
		return;
	log_sample(now, count++, label);
}

static void write_and_unlock(const char *label, uint64_t now, bool is_last)
{
	if (output_is_open(&files.overview) || count < SAMPLES_WAITING_MAX ||
	    experiment_materialise())
		write_sample(label, now, is_last);
	spin_unlock(&lock);
}

void sample_take(const char *label, uint64_t now)
{
	if (!collector_is_frozen() && spin_lock(&lock))
		write_and_unlock(label, now, false);
}

void sample_take_last(const char *label, uint64_t now)
{
	if (!collector_is_frozen() && spin_lock(&lock))
		write_and_unlock(label, now, true);
}

void sample_take_unless_busy(const char *label, uint64_t now)
{
	if (!collector_is_frozen() && atomic_exchange(&lock.is_held, 1) == 0)
		write_and_unlock(label, now, false);
}

bool sample_is_due(uint64_t now)
{
	return now >= atomic_load_explicit(&next_ns, memory_order_relaxed);
}

void sample_if_due(uint64_t now)
{
	uint64_t due = atomic_load_explicit(&next_ns, memory_order_relaxed);

	if (now < due || !atomic_compare_exchange_strong(&next_ns, &due,
							 now + settings.sample_period_ns))
		return;
	sample_take(SAMPLE_PERIODIC, now);
}

void sample_hold(void)
{
	atomic_store(&next_ns, UINT64_MAX);
}

void sample_go_on(uint64_t now)
{
	schedule(now);
}

unsigned sample_count(void)
{
	return count;
}

void sample_forget(void)
{
	atomic_store(&lock.is_held, 0);
}
