/* SPDX-License-Identifier: Apache-2.0 */
/* Fits the line that maps the processor's counter to the clock. Any thread that comes to
 * the end of a line fits the next one, in handlers too. */

#include "collector/process/tsc.h"

#include <time.h>

#include "collector/base/interpose.h"
#include "collector/base/system.h"
#include "collector/process/guard.h"

/* The error of a rate is that of two readings divided by the time between them: the
 * longer that time, the longer the line may serve. The first line begins before there are
 * threads. */
#define FIRST_SPAN_NS 20000
#define SPAN_MAX      (UINT64_C(1) << 31) /* in counts; fits 64 bits when scaled */
#define CLOSE_COUNTS  2000		  /* readings farther apart were interrupted */
#define DRIFT_MAX_NS  100000 /* beyond it the counter is no longer reliable */
#define LINES	      16     /* no reader is this many lines late */
#define TRIES	      10000

_Atomic(const struct tsc_line *) tsc_line;

static struct tsc_line lines[LINES];
static unsigned line_count;
static _Atomic bool is_allowed;
static _Atomic(const char *) measurer; /* the measuring thread, identified by the address
					* of its myself */
static __thread char myself;
static uint64_t first_count, first_ns;

/* ---- the system's clock ---- */

/* Calls libc's clock_gettime directly, bypassing the wrapper of a sanitizer. */
static uint64_t read_libc_clock(clockid_t clock)
{
	LIBC(clock_gettime, "GLIBC_2.17", int, (clockid_t, struct timespec *));
	struct timespec time;

	real(clock, &time);
	return timespec_ns(&time);
}

/* Offset from the coarse clock to ours; not 0 if the counter must not be read. */
static _Atomic uint64_t coarse_offset;

uint64_t collector_read_clock(void)
{
	uint64_t offset = atomic_load_explicit(&coarse_offset, memory_order_relaxed);

	if (offset != 0)
		return read_libc_clock(CLOCK_MONOTONIC_COARSE) + offset;
	return read_libc_clock(CLOCK_MONOTONIC_RAW);
}

/* ---- the line ---- */

struct reading {
	uint64_t count, ns;
};

static bool read_both(struct reading *reading)
{
	for (int tries = 0; tries < 4; tries++) {
		uint64_t before = tsc_read(), after;

		reading->ns = collector_read_clock();
		after = tsc_read();
		reading->count = before + (after - before) / 2;
		if (after - before < CLOSE_COUNTS)
			return true;
	}
	return false;
}

/* Returns true if the kernel takes its own time from the counter. */
static bool is_clock_source(void)
{
	static const char path[] =
		"/sys/devices/system/clocksource/clocksource0/current_clocksource";
	char name[4] = "";
	int fd = sys_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	long length;

	if (fd < 0)
		return false;
	length = system_call(SYS_read, fd, (long)name, sizeof(name), 0, 0, 0);
	sys_close(fd);
	return length == 4 && name[0] == 't' && name[1] == 's' && name[2] == 'c' &&
	       name[3] == '\n';
}

void tsc_init(void)
{
	struct reading reading;

	if (!is_clock_source() || !read_both(&reading))
		return;
	first_count = reading.count;
	first_ns = reading.ns;
	atomic_store(&is_allowed, true);
}

void tsc_forbid(void)
{
	atomic_store(&is_allowed, false);
	atomic_store(&tsc_line, NULL);
}

void tsc_after_fork(void)
{
	atomic_store(&measurer, NULL);
}

static void publish(const struct tsc_line *line)
{
	struct tsc_line *place = &lines[line_count++ % LINES];

	*place = *line;
	atomic_store_explicit(&tsc_line, place, memory_order_release);
}

/* Begins at start_ns, with a slope such that at the line's end the clock is right. */
static void begin_line(const struct reading *now, uint64_t start_ns)
{
	uint64_t counts = now->count - first_count;
	double rate = (double)(now->ns - first_ns) / (double)counts;
	double span = counts < SPAN_MAX ? (double)counts : (double)SPAN_MAX;
	double ahead = (double)(int64_t)(start_ns - now->ns);
	struct tsc_line line = {
		.start = now->count,
		.span = (uint64_t)span,
		.start_ns = start_ns,
		.scale = (uint64_t)((rate - ahead / span) * 4294967296.0),
	};

	publish(&line);
}

/* Returns true if the line covers this moment. */
static bool is_on_line(const struct tsc_line *line, uint64_t *now)
{
	uint64_t count = tsc_read();

	if (!line || count - line->start >= line->span) {
		/* Another processor's counter may lag a little: use the start. */
		if (!line || (int64_t)(count - line->start) >= 0)
			return false;
		count = line->start;
	}
	*now = tsc_time(line, count);
	return true;
}

/* Called by one thread at a time. The next line begins no earlier than the last one
 * ended; no thread has followed that line past its end. */
static uint64_t measure(void)
{
	const struct tsc_line *old = atomic_load(&tsc_line);
	struct reading now;
	uint64_t start_ns;

	if (is_on_line(old, &start_ns))
		return start_ns;
	if (!read_both(&now))
		return collector_read_clock();
	start_ns = now.ns;
	if (old && start_ns < tsc_time(old, old->start + old->span))
		start_ns = tsc_time(old, old->start + old->span);
	if (start_ns - now.ns > DRIFT_MAX_NS)
		tsc_forbid();
	else if (old || now.ns - first_ns >= FIRST_SPAN_NS)
		begin_line(&now, start_ns);
	return start_ns;
}

static bool try_to_measure(uint64_t *now)
{
	const char *nobody = NULL;

	if (!atomic_compare_exchange_strong(&measurer, &nobody, &myself))
		return false;
	*now = measure();
	atomic_store(&measurer, NULL);
	return true;
}

uint64_t tsc_renew(bool may_wait)
{
	uint64_t now;

	/* Where it is never allowed, this is every time. */
	if (!atomic_load_explicit(&is_allowed, memory_order_relaxed))
		return collector_read_clock();
	for (int tries = 0; tries < TRIES; tries++) {
		if (!atomic_load_explicit(&is_allowed, memory_order_relaxed))
			break;
		if (is_on_line(atomic_load(&tsc_line), &now) || try_to_measure(&now))
			return now;
		/* The program's signal handler may have interrupted this very thread
		 * while it was measuring. */
		if (!may_wait || atomic_load(&measurer) == &myself)
			break;
		if (!collector_is_frozen())
			sys_yield();
	}
	return collector_read_clock();
}

uint64_t collector_now(void)
{
	return tsc_now(false);
}

void collector_use_coarse_clock(void)
{
	atomic_store(&coarse_offset, read_libc_clock(CLOCK_MONOTONIC_RAW) -
					     read_libc_clock(CLOCK_MONOTONIC_COARSE));
	tsc_forbid();
}
