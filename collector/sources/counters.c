/* SPDX-License-Identifier: Apache-2.0 */
/* Counters: each thread has its own event for each counter. */

#include "collector/sources/counters.h"

#include <linux/perf_event.h>

#include "collector/base/cpu.h"
#include "collector/base/system.h"
#include "collector/base/text.h"
#include "collector/common/counter_text.h"
#include "collector/common/settings.h"
#include "collector/files/blocks.h"
#include "collector/files/files.h"
#include "collector/files/log.h"
#include "collector/process/guard.h"
#include "collector/signals/overflow.h"
#include "collector/signals/signals.h"
#include "collector/threads/stacks.h"
#include "collector/threads/thread.h"
#include "collector/unwind/x86_64.h"
#include "collector/watch/watch.h"
#include "libexpt/format.h"

/* ---- in the handler ---- */

static bool is_of_kernel(uint64_t address)
{
	return (int64_t)address < 0;
}

static bool has_address(size_t counter)
{
	return (settings.counters[counter].flags & COUNTER_ADDRESS) != 0;
}

/* Returns true for the counter that watches memory, which is not the kernel's. */
static bool is_watch(size_t counter)
{
	return settings.counters[counter].type == PERF_TYPE_BREAKPOINT;
}

/* The kernel has the upper half. Below it, processors know addresses of 57 bits. */
static bool is_of_program(uint64_t address)
{
	return address >> 56 == 0;
}

/* Addresses in the page at 0 are those of members of a null pointer's structure. Readers
 * would mistake the smallest for codes. */
static uint64_t address_or_code(uint64_t address)
{
	return address < EXPT_ADDRESS_CODES || !is_of_program(address)
		       ? EXPT_ADDRESS_INVALID
		       : address;
}

/* Readers take a pc for the leaf of the stack: it must be the program's, and where the
 * event happened. */
static bool has_pc(const struct counter *counter, const struct overflow_record *record)
{
	bool is_precise = (counter->flags >> COUNTER_PRECISE_SHIFT & 3) != 0;

	return !is_of_kernel(record->pc) && (record->is_exact || !is_precise);
}

/*
 * Get the registers at the event. Only the processor knows those of a precise sample. A
 * page fault is followed by its signal before the program goes on: the interrupted
 * context still has its registers, and the kernel need not copy them, which is slow. If
 * the signal comes late, the thread has left the instruction, or a later fault of the
 * same instruction has sent it.
 */
static bool find_registers(uint64_t *registers, const struct overflow_record *record,
			   const struct overflow *overflow, const ucontext_t *context)
{
	struct registers now;

	if (record->has_registers) {
		copy_bytes(registers, record->registers, sizeof(record->registers));
		return true;
	}
	if (record->is_exact || record->pc != context_pc(context) ||
	    overflow_comes_again(overflow, record->pc) ||
	    !registers_from_context(&now, (uintptr_t)context))
		return false;
	copy_bytes(registers, now.value, sizeof(record->registers));
	return true;
}

static void add_access(struct counter_address_packet *packet, struct thread *thread,
		       const struct overflow_record *record, const ucontext_t *context)
{
	size_t number = (size_t)packet->counter.tag;

	packet->address = address_or_code(record->address);
	packet->pc = has_pc(&settings.counters[number], record) ? record->pc : 0;
	packet->physical = record->physical;
	if (!find_registers(packet->registers, record, &thread->counters[number],
			    context))
		clear_bytes(packet->registers, sizeof(packet->registers));
}

static struct counter_packet make_packet(const struct thread *thread, size_t counter,
					 uint64_t now, uint64_t stack, uint64_t events)
{
	return (struct counter_packet){
		.head = { .lwp = thread->tid,
			  .thread = thread->tid,
			  .cpu = cpu_current(),
			  .time_ns = now,
			  .stack = stack },
		.tag = (int32_t)counter,
		.events = (int64_t)events,
	};
}

/* Write the accesses of the period that has ended. */
static void record_accesses(struct thread *thread, size_t counter)
{
	const struct watch_access *accesses;
	size_t count = watch_finish(thread, &accesses);

	for (size_t i = 0; i < count; i++) {
		const struct watch_access *access = &accesses[i];
		struct counter_address_packet packet = {
			.counter = make_packet(thread, counter, access->time_ns,
					       access->stack, access->bytes),
			.address = access->record.address,
			.pc = access->record.pc,
		};

		if (access->record.has_registers)
			copy_bytes(packet.registers, access->record.registers,
				   sizeof(packet.registers));
		cursor_put(&thread->data[DATA_COUNTERS], &files.data[DATA_COUNTERS],
			   PACKET_HWC_ADDRESS, &packet, sizeof(packet));
	}
}

static void record_watched(struct thread *thread, const struct counter_overflow *overflow,
			   uint64_t now, uint64_t stack, const ucontext_t *context)
{
	if (overflow->kind == COUNTER_ACCESS) {
		watch_keep(thread, &overflow->access, now, stack, context);
		return;
	}
	record_accesses(thread, overflow->counter);
	watch_begin(thread, context);
}

static void record_overflow(struct thread *thread,
			    const struct counter_overflow *overflow, uint64_t now,
			    uint64_t stack, const ucontext_t *context)
{
	bool with_access = has_address(overflow->counter);
	struct counter_address_packet packet;

	packet.counter =
		make_packet(thread, overflow->counter, now, stack, overflow->events);
	if (with_access)
		add_access(&packet, thread, &overflow->record, context);
	cursor_put(&thread->data[DATA_COUNTERS], &files.data[DATA_COUNTERS],
		   with_access ? PACKET_HWC_ADDRESS : PACKET_HWC, &packet,
		   with_access ? sizeof(packet) : sizeof(packet.counter));
}

void counters_record(struct thread *thread, const struct counter_overflow *overflow,
		     uint64_t now, uint64_t stack, const ucontext_t *context)
{
	if (overflow->kind == COUNTER_OVERFLOW)
		record_overflow(thread, overflow, now, stack, context);
	else
		record_watched(thread, overflow, now, stack, context);
}

/* Get the counter's next overflow that was caused by the program. The handler's own
 * overflow arrives after it has ended: its last event is not the program's, and the
 * events before it count for the next overflow. */
static bool next_overflow(struct thread *thread, size_t i, struct overflow_record *record,
			  uint64_t *events)
{
	while (overflow_next(&thread->counters[i], record)) {
		if (record->call != 0 && record->call == thread->interrupted_pc)
			thread->overflowed_in_call = true;
		if (stacks_is_own(record->pc)) {
			thread->counted[i]++;
			continue;
		}
		*events = record->count - thread->counted[i];
		thread->counted[i] = record->count;
		return true;
	}
	return false;
}

static bool next_watched(struct thread *thread, struct counter_overflow *overflow)
{
	if (!thread->watch)
		return false;
	overflow->kind = COUNTER_ACCESS;
	if (watch_next(thread, &overflow->access))
		return true;
	overflow->kind = COUNTER_PERIOD;
	return watch_is_due(thread);
}

bool counters_take(struct thread *thread, struct counter_overflow *overflow)
{
	for (; overflow->counter < settings.counter_count; overflow->counter++) {
		if (is_watch(overflow->counter)) {
			if (next_watched(thread, overflow))
				return true;
			continue;
		}
		overflow->kind = COUNTER_OVERFLOW;
		if (next_overflow(thread, overflow->counter, &overflow->record,
				  &overflow->events))
			return true;
	}
	return false;
}

void counters_drop(struct thread *thread)
{
	struct counter_overflow overflow;

	overflow.counter = 0;
	while (counters_take(thread, &overflow))
		if (overflow.kind != COUNTER_OVERFLOW)
			watch_drop(thread);
}

/* ---- a thread's start and end ---- */

static int open_counter(struct thread *thread, size_t i)
{
	const struct counter *counter = &settings.counters[i];
	struct perf_event_attr event = {
		.type = counter->type,
		.config = counter->config,
		.config1 = counter->config1,
		.config2 = counter->config2,
		.sample_period = counter->period,
		.precise_ip = counter->flags >> COUNTER_PRECISE_SHIFT & 3,
		.exclude_kernel = counter->flags & COUNTER_USER_ONLY,
		.exclude_hv = 1,
	};

	if (is_watch(i))
		return watch_start(thread, counter->period);
	thread->counted[i] = 0;
	return overflow_open(&thread->counters[i], &event, has_address(i));
}

static void report(const struct counter *counter, int error)
{
	char buffer[LOG_SHORT_RECORD_SIZE];
	struct text text = TEXT_ON(buffer);

	text_add(&text, "cannot count a thread with ");
	text_add(&text, counter->name);
	log_message("cwarn", EXPT_WARNING_GENERAL, buffer, error);
}

static _Atomic bool is_reported;

static void start(struct thread *thread)
{
	for (size_t i = 0; i < settings.counter_count && !collector_is_frozen(); i++) {
		int rc = open_counter(thread, i);

		if (rc < 0 && !atomic_exchange(&is_reported, true))
			report(&settings.counters[i], -rc);
	}
}

/* The accesses that wait for the end of their period. */
static void write_rest(struct thread *thread)
{
	if (!thread->watch || collector_is_paused(thread))
		return;
	for (size_t i = 0; i < settings.counter_count; i++)
		if (is_watch(i))
			record_accesses(thread, i);
}

static void close_really(struct thread *thread)
{
	for (size_t i = 0; i < settings.counter_count; i++)
		overflow_close(&thread->counters[i], &thread->is_handling);
	watch_stop(thread);
}

static void close_counters(struct thread *thread)
{
	if (collector_is_frozen())
		return;
	close_really(thread);
	write_rest(thread);
}

static void silence(void)
{
	for (struct thread *thread = thread_first(); thread; thread = thread->next)
		if (atomic_load(&thread->is_live))
			close_really(thread);
}

static void close_all(void)
{
	silence();
	if (thread_self && !collector_is_frozen())
		write_rest(thread_self);
}

/* ---- the experiment ---- */

static bool open_counters(void)
{
	if (settings.counter_count == 0)
		return false;
	atomic_store(&is_reported, false);
	cpu_current(); /* look it up before a handler needs it */
	for (size_t i = 0; i < settings.counter_count; i++)
		if (is_watch(i) && !watch_open())
			return false;
	return signals_take_overflows();
}

const struct data_source counters_source = {
	.file = HWC_FILE,
	.kind = DATA_COUNTERS,
	.describe = counters_describe,
	.open = open_counters,
	.start = start,
	.stop = close_counters,
	.close = close_all,
	.silence = silence,
	.suspend = close_counters,
	.resume = start,
};
