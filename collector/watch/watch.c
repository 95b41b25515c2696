/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/watch/watch.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdatomic.h>

#include "collector/base/debugger.h"
#include "collector/base/memory.h"
#include "collector/base/system.h"
#include "collector/common/settings.h"
#include "collector/threads/stacks.h"
#include "collector/threads/thread.h"
#include "collector/unwind/x86_64.h"
#include "collector/watch/blocks.h"
#include "collector/watch/cells.h"
#include "collector/watch/globals.h"

#define POINTS 4 /* debug registers of x86-64 */

/* Accesses in a period: a trap takes 1 to 15 us. After this many to one byte, how often
 * it is accessed is computed from the time that they took. Further bytes tell more than
 * further accesses to one. */
#define ACCESSES_MAX	12
#define ACCESSES_OF_ONE 4

/* A signal's way into the handler and back, in the kernel */
#define SIGNAL_NS 1500
/* Traps may use one part of so many of a thread's time. */
#define TRAP_SHARE 80
/* Accesses in less time than this part of the traps' own cannot be told apart from
 * them. */
#define TRAP_PART 4

#define TRAPS_MEASURED 8

/* In a virtual machine the program runs slowly at first after its registers have been
 * moved. */
#define SETTLING_NS 50000

struct watchpoint {
	struct overflow event;
	struct watch_cell cell;
	bool is_chosen;
	bool is_over;	    /* nothing more is counted */
	int64_t from_ns;    /* after began_ns: when it began to count */
	uint64_t passed_ns; /* from then to the last access */
	unsigned accesses;
};

struct watch {
	struct watchpoint points[POINTS];
	struct watch_lines lines;
	struct watch_access accesses[ACCESSES_MAX];
	size_t count;
	size_t chosen;
	struct overflow clock;
	uint64_t random;
	uint64_t period_ns;
	uint64_t own_ns;     /* of the thread's CPU time: used for traps */
	uint64_t cost_ns;    /* of it: in this period */
	uint64_t trapped_ns; /* of that time: when the access at hand was taken */
	/* On the program's clock: */
	uint64_t began_ns;   /* the period's begin */
	uint64_t covered_ns; /* the accesses so far stand for the time up to here */
	uint64_t full_ns;    /* accesses was full; 0: it is not */
	uint64_t paid_ns;    /* no traps before */
};

static _Atomic uint64_t trap_ns;

bool watch_open(void)
{
	watch_globals_open();
	return watch_blocks_open();
}

/* ---- time ---- */

static uint64_t cpu_ns(void)
{
	return sys_clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* The thread's CPU time without that of traps, which is an estimate: the clock may go
 * back. */
static uint64_t program_ns(const struct watch *watch, uint64_t cpu)
{
	return cpu - watch->own_ns;
}

static uint64_t after(uint64_t begin_ns, uint64_t end_ns)
{
	return (int64_t)(end_ns - begin_ns) > 0 ? end_ns - begin_ns : 0;
}

/* ---- registers ---- */

static struct perf_event_attr attributes(uint64_t address, uint64_t period)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_BREAKPOINT,
		.bp_type = HW_BREAKPOINT_RW,
		.bp_addr = address,
		.bp_len = HW_BREAKPOINT_LEN_1,
		.sample_period = period,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
}

/* How long the program is stopped by an access, without a signal. */
static void measure_trap(void)
{
	static volatile char byte;
	struct perf_event_attr event = attributes((uintptr_t)&byte, 0);
	uint64_t began;
	int fd;

	event.size = sizeof(event);
	fd = (int)system_call(SYS_perf_event_open, (long)&event, 0, -1, -1,
			      PERF_FLAG_FD_CLOEXEC, 0);
	if (fd < 0)
		return;
	began = cpu_ns();
	for (int i = 0; i < TRAPS_MEASURED; i++)
		byte = 0;
	atomic_store(&trap_ns, (cpu_ns() - began) / TRAPS_MEASURED + SIGNAL_NS);
	sys_close(fd);
}

static void close_point(struct watchpoint *point)
{
	overflow_close_in_handler(&point->event);
	point->is_over = true;
}

static void close_points(struct watch *watch)
{
	for (size_t i = 0; i < POINTS; i++)
		close_point(&watch->points[i]);
}

static void open_point(struct watch *watch, struct watchpoint *point)
{
	struct perf_event_attr event;

	point->is_chosen = false;
	point->is_over = true;
	point->accesses = 0;
	point->passed_ns = 0;
	point->from_ns = 0;
	if (!watch_cell_choose(&point->cell, &watch->lines, &watch->random,
			       watch->period_ns))
		return;
	if (point->cell.is_in_line) {
		watch->chosen++; /* as a byte that is not accessed */
		watch_cell_learn(&point->cell, &watch->lines, 0, watch->period_ns, 0);
		return;
	}
	event = attributes(point->cell.address, 1);
	if (overflow_open(&point->event, &event, false) < 0)
		return;
	point->is_chosen = true;
	point->is_over = false;
	watch->chosen++;
}

/* ---- a thread ---- */

int watch_start(struct thread *thread, uint64_t period_ns)
{
	struct perf_event_attr clock = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.sample_period = period_ns,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	struct watch *watch = thread->watch;

	/* The registers are the debugger's, and it would stop at each access. */
	if (debugger_is_there())
		return -EBUSY;
	if (!watch)
		watch = thread->watch = memory_get((sizeof(*watch) + 15) / 16 * 16);
	if (!watch)
		return -ENOMEM;
	clear_bytes(watch, sizeof(*watch));
	watch->period_ns = period_ns;
	watch->random =
		sys_clock_ns(CLOCK_MONOTONIC_RAW) * 2 + 1 + ((uint64_t)thread->tid << 40);
	watch->covered_ns = cpu_ns();
	return overflow_open(&watch->clock, &clock, false);
}

void watch_stop(struct thread *thread)
{
	struct watch *watch = thread->watch;

	if (!watch)
		return;
	overflow_close(&watch->clock, &thread->is_handling);
	for (size_t i = 0; i < POINTS; i++)
		overflow_close(&watch->points[i].event, &thread->is_handling);
}

/* ---- accesses ---- */

bool watch_is_due(struct thread *thread)
{
	struct overflow_record record;
	bool is_due = false;

	while (overflow_next(&thread->watch->clock, &record))
		is_due = true;
	return is_due;
}

/* Returns for how long the program had run in this period when the access at hand was
 * made. */
static int64_t passed_ns(const struct watch *watch)
{
	return (int64_t)(program_ns(watch, watch->trapped_ns) - atomic_load(&trap_ns) -
			 watch->began_ns);
}

/* After a trap the program has to fill its caches again, which takes about as long. */
static void end_trap(struct watch *watch)
{
	uint64_t cost = cpu_ns() - watch->trapped_ns + atomic_load(&trap_ns);

	watch->cost_ns += cost;
	watch->own_ns += cost + atomic_load(&trap_ns);
}

/* Get the time for which the point has been watching. It begins after the settling, or
 * with the first access during that: where accesses are frequent the program would make
 * no progress. */
static bool has_begun(uint64_t *watched_ns, struct watchpoint *point, int64_t passed)
{
	if (passed < 0 && point->from_ns == 0) {
		point->from_ns = passed;
		return false;
	}
	passed -= point->from_ns;
	*watched_ns = passed > 0 ? (uint64_t)passed : 0;
	return true;
}

static bool counts(struct watch *watch, struct watchpoint *point)
{
	uint64_t watched = 0;

	if (!point->is_over && !has_begun(&watched, point, passed_ns(watch)))
		return false;
	if (!point->is_over && watched <= point->cell.span_ns &&
	    watch_cell_is_there(&point->cell)) {
		point->passed_ns = watched;
		return true;
	}
	close_point(point);
	return false;
}

bool watch_next(struct thread *thread, struct watch_access *access)
{
	struct watch *watch = thread->watch;

	for (size_t i = 0; i < POINTS; i++) {
		struct watchpoint *point = &watch->points[i];

		while (overflow_next(&point->event, &access->record)) {
			watch->trapped_ns = cpu_ns();
			access->point = i;
			/* The handler itself would cause its own next signal. */
			if (stacks_is_own(access->record.pc))
				close_point(point);
			if (counts(watch, point))
				return true;
			end_trap(watch);
		}
	}
	return false;
}

static void take_registers(struct watch_access *access, const struct overflow *event,
			   const ucontext_t *context)
{
	struct overflow_record *record = &access->record;
	struct registers now;

	record->has_registers = record->pc == context_pc(context) &&
				!overflow_comes_again(event, record->pc) &&
				registers_from_context(&now, (uintptr_t)context);
	if (record->has_registers)
		copy_bytes(record->registers, now.value, sizeof(record->registers));
}

void watch_keep(struct thread *thread, const struct watch_access *access, uint64_t now,
		uint64_t stack, const ucontext_t *context)
{
	struct watch *watch = thread->watch;
	struct watchpoint *point = &watch->points[access->point];
	struct watch_access *kept = &watch->accesses[watch->count++];

	copy_bytes(kept, access, sizeof(*kept));
	kept->time_ns = now;
	kept->stack = stack;
	take_registers(kept, &point->event, context);
	point->accesses++;
	if (point->accesses == ACCESSES_OF_ONE)
		close_point(point);
	if (watch->count == ACCESSES_MAX) {
		watch->full_ns =
			watch->began_ns + point->passed_ns + (uint64_t)point->from_ns;
		close_points(watch);
	}
	end_trap(watch);
}

/* ---- periods ---- */

/* How long the point was able to count, of the program's time. */
static uint64_t watched_ns(const struct watch *watch, const struct watchpoint *point,
			   uint64_t end_ns)
{
	uint64_t least = point->accesses * (atomic_load(&trap_ns) / TRAP_PART) + 1;
	uint64_t passed =
		point->accesses == ACCESSES_OF_ONE
			? point->passed_ns
			: after(watch->began_ns + (uint64_t)point->from_ns, end_ns);

	if (passed > point->cell.span_ns)
		passed = point->cell.span_ns;
	return passed > least ? passed : least;
}

static uint64_t whole(double number)
{
	return number < 1 ? 1 : number > 1e18 ? (uint64_t)1e18 : (uint64_t)(number + 0.5);
}

/* The bytes for which each access to the point stands. */
static uint64_t end_point(struct watch *watch, struct watchpoint *point, uint64_t end_ns,
			  uint64_t span_ns)
{
	uint64_t watched = watched_ns(watch, point, end_ns);
	double bytes = point->cell.bytes * (double)span_ns / (double)watched;

	if (point->accesses == ACCESSES_OF_ONE) /* the last one ended the time */
		bytes *= (ACCESSES_OF_ONE - 0.5) / ACCESSES_OF_ONE;
	watch_cell_learn(&point->cell, &watch->lines, point->accesses, watched,
			 point->accesses * point->cell.bytes * (double)watch->period_ns /
				 (double)watched);
	return whole(bytes / point->cell.chance / (double)watch->chosen);
}

/* Leave the program alone until traps have used no more than their share. */
static void pay(struct watch *watch, uint64_t end_ns)
{
	if (watch->paid_ns < watch->covered_ns)
		watch->paid_ns = watch->covered_ns;
	watch->paid_ns += watch->cost_ns * TRAP_SHARE;
	watch->cost_ns = 0;
	if (watch->paid_ns < end_ns)
		watch->paid_ns = end_ns;
}

size_t watch_finish(struct thread *thread, const struct watch_access **accesses)
{
	struct watch *watch = thread->watch;
	uint64_t now = program_ns(watch, cpu_ns());
	uint64_t end = watch->full_ns != 0 ? watch->full_ns : now;
	uint64_t span = after(watch->covered_ns, now);
	uint64_t bytes[POINTS] = { 0 };

	*accesses = watch->accesses;
	pay(watch, now);
	if (watch->chosen == 0) /* the next period stands for this one, too */
		return 0;
	for (size_t i = 0; i < POINTS; i++)
		if (watch->points[i].is_chosen)
			bytes[i] = end_point(watch, &watch->points[i], end, span);
	for (size_t i = 0; i < watch->count; i++)
		watch->accesses[i].bytes = bytes[watch->accesses[i].point];
	watch->covered_ns = now;
	return watch->count;
}

void watch_begin(struct thread *thread, const ucontext_t *context)
{
	struct watch *watch = thread->watch;
	uint64_t began = cpu_ns();
	struct registers registers;

	if (registers_from_context(&registers, (uintptr_t)context))
		watch_lines_renew(&watch->lines, &registers, &thread->stack,
				  watch_random(&watch->random));
	if (atomic_load(&trap_ns) == 0)
		measure_trap();
	watch->count = watch->chosen = 0;
	watch->full_ns = 0;
	close_points(watch);
	for (size_t i = 0; i < POINTS; i++) {
		watch->points[i].is_chosen = false;
		if (program_ns(watch, began) >= watch->paid_ns)
			open_point(watch, &watch->points[i]);
	}
	watch->cost_ns = cpu_ns() - began;
	watch->own_ns += watch->cost_ns;
	watch->began_ns = program_ns(watch, cpu_ns()) + SETTLING_NS;
}

void watch_drop(struct thread *thread)
{
	struct watch *watch = thread->watch;

	close_points(watch);
	watch->count = watch->chosen = 0;
	watch->covered_ns = program_ns(watch, cpu_ns());
}
