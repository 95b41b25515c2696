/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A replacement for collector/signals/overflow.h on machines without hardware counters:
 * the overflows come from a file, named by OVERFLOWS in the environment. Each line is one
 * overflow:
 *
 *	SIGNAL COUNTER COUNT PC ADDRESS [PHYSICAL [NUMBER=VALUE ...]] [inexact]
 *
 * SIGNAL is the number, from 1, of the signal that brings it; COUNTER the counter's
 * configuration (struct perf_event_attr); COUNT its events since it was opened; PC,
 * ADDRESS and PHYSICAL are hexadecimal, as are the VALUEs of registers, whose NUMBERs are
 * those of DWARF. Registers without a VALUE are 0, but without any VALUE the overflow has
 * no registers. "inexact": the processor did not record the PC itself. The thread that
 * opens counters first gets the signals, one after each millisecond of CPU time; other
 * threads do not get counters.
 */

#include <errno.h>
#include <linux/perf_event.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/base/system.h"
#include "collector/signals/overflow.h"
#include "collector/signals/signals.h"

#define COUNTERS    8
#define RECORDS_MAX 1024
#define PERIOD_NS   1000000

/* Overflows of one counter, in place of the kernel's ring */
struct feed {
	struct {
		unsigned signal;
		struct overflow_record record;
	} items[RECORDS_MAX];
	size_t count, taken;
};

static char cookie;
static struct feed feeds[COUNTERS];
static unsigned signals_come;
static pid_t owner;

static void read_registers(struct overflow_record *record, const char *line)
{
	unsigned long value;
	unsigned number;
	int length;

	while (sscanf(line, " %u=%lx%n", &number, &value, &length) == 2) {
		if (number >= COUNTER_REGISTERS)
			abort();
		record->has_registers = true;
		record->registers[number] = value;
		line += length;
	}
	record->is_exact = strcmp(line, " inexact\n") != 0;
	if (record->is_exact && strcmp(line, "\n") != 0)
		abort();
}

static void read_line(const char *line)
{
	unsigned long count, pc, address, physical = 0;
	unsigned signal, counter;
	struct overflow_record *record;
	struct feed *feed;
	int length = 0;

	if (sscanf(line, "%u %u %lu %lx %lx%n %lx%n", &signal, &counter, &count, &pc,
		   &address, &length, &physical, &length) < 5 ||
	    counter >= COUNTERS || feeds[counter].count == RECORDS_MAX)
		abort();
	feed = &feeds[counter];
	feed->items[feed->count].signal = signal;
	record = &feed->items[feed->count++].record;
	record->pc = pc;
	record->address = address;
	record->physical = physical;
	record->count = count;
	read_registers(record, line + length);
}

static void read_file(void)
{
	const char *name = getenv("OVERFLOWS");
	FILE *file = name ? fopen(name, "re") : NULL;
	char line[600];

	if (!file)
		abort();
	while (fgets(line, sizeof(line), file) != NULL)
		read_line(line);
	fclose(file);
}

static void send_signals(void)
{
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID,
				  .sigev_signo = SIGNAL_OF_OVERFLOWS,
				  .sigev_value.sival_ptr = &cookie };
	struct itimerspec when = { { 0, PERIOD_NS }, { 0, PERIOD_NS } };
	int timer;

	event._sigev_un._tid = owner;
	if (system_call(SYS_timer_create, CLOCK_THREAD_CPUTIME_ID, (long)&event,
			(long)&timer, 0, 0, 0) < 0)
		abort();
	system_call(SYS_timer_settime, timer, 0, (long)&when, 0, 0, 0);
}

bool overflow_prepare(void)
{
	return signals_take_overflows();
}

int overflow_open(struct overflow *overflow, const struct perf_event_attr *event,
		  bool has_access)
{
	atomic_store(&overflow->ring, NULL);
	if (event->type != PERF_TYPE_RAW || event->config >= COUNTERS)
		return -ENOENT;
	if (owner == 0) {
		owner = sys_gettid();
		read_file();
		send_signals();
	}
	if (owner != sys_gettid())
		return -ENOSPC;
	atomic_store(&overflow->ring, &feeds[event->config]);
	return 0;
}

void overflow_close(struct overflow *overflow, const _Atomic bool *is_handling)
{
	atomic_store(&overflow->ring, NULL);
}

/* Called exactly once for each signal. */
void overflow_close_in_handler(struct overflow *overflow)
{
	static const _Atomic bool is_handling = false;

	overflow_close(overflow, &is_handling);
}

bool overflow_is_signal(const siginfo_t *info)
{
	bool is_ours = info->si_code == SI_TIMER && info->si_value.sival_ptr == &cookie;

	if (is_ours)
		signals_come++;
	return is_ours;
}

bool overflow_next(struct overflow *overflow, struct overflow_record *record)
{
	struct feed *feed = atomic_load(&overflow->ring);

	if (!feed || feed->taken == feed->count ||
	    feed->items[feed->taken].signal > signals_come)
		return false;
	*record = feed->items[feed->taken++].record;
	return true;
}

bool overflow_comes_again(const struct overflow *overflow, uint64_t pc)
{
	const struct feed *feed = atomic_load(&overflow->ring);

	for (size_t i = feed->taken;
	     i < feed->count && feed->items[i].signal <= signals_come; i++)
		if (feed->items[i].record.pc == pc)
			return true;
	return false;
}
