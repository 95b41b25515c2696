/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/sources/clock_packet.h"

#include "collector/base/cpu.h"
#include "collector/common/clock_text.h"
#include "collector/common/packet_text.h"
#include "collector/files/blocks.h"
#include "collector/files/files.h"
#include "collector/process/process.h"
#include "collector/sources/cpu_mode.h"
#include "collector/threads/thread.h"

/* ---- time without samples ---- */

/* These functions are never called. Rows with their names show time without samples. */
#define PLACEHOLDER __attribute__((noipa)) static void

/* The start of a new program: exec, the loader, and everything before this library. */
PLACEHOLDER not_sampled_program_start(void)
{
}

/* The time of a child that began unseen, up to its first event. */
PLACEHOLDER not_sampled_before_first_event(void)
{
}

/* The time of a thread or process that ended before its first event, or was in the
 * kernel. */
PLACEHOLDER not_sampled(void)
{
}

/* The time of threads that the collector cannot enter. */
PLACEHOLDER not_sampled_other_threads(void)
{
}

uint64_t clock_stack_other_threads(struct stack_writer *writer)
{
	writer->pcs[0] = (uintptr_t)not_sampled_other_threads;
	return stack_id(writer, writer->pcs, 1);
}

static uint64_t stack_of_process_start(struct stack_writer *writer)
{
	writer->pcs[0] = (uintptr_t)(process.began_unseen ? not_sampled_before_first_event
							  : not_sampled_program_start);
	return stack_id(writer, writer->pcs, 1);
}

/* Its callers are the thread's start function and the callers of that. */
uint64_t clock_stack_not_sampled(struct stack_writer *writer, const struct thread *thread)
{
	size_t count = 0;

	writer->pcs[count++] = (uintptr_t)not_sampled;
	if (thread->root_count > 0)
		writer->pcs[count++] = (uintptr_t)thread->start;
	for (size_t i = 0; i < thread->root_count; i++)
		writer->pcs[count++] = thread->root[i];
	return stack_id(writer, writer->pcs, count);
}

/* ---- packets ---- */

static void put(struct thread *writer, pid_t tid, uint64_t now, uint64_t stack,
		enum expt_thread_state state, uint64_t time_ns)
{
	struct clock_packet packet = {
		.head = { .lwp = tid,
			  .thread = tid,
			  .cpu = cpu_current(),
			  .time_ns = now,
			  .stack = stack },
		.state = state,
	};

	packet.ticks = time_ns / CLOCK_UNIT_NS > INT32_MAX
			       ? INT32_MAX
			       : (int32_t)(time_ns / CLOCK_UNIT_NS);
	cursor_put(&writer->data[DATA_CLOCK], &files.data[DATA_CLOCK], PACKET_CLOCK,
		   &packet, sizeof(packet));
}

/* The first packet includes the time before this library was loaded. */
static void record(struct thread *writer, pid_t tid, uint64_t now, uint64_t stack,
		   enum expt_thread_state state, uint64_t time_ns)
{
	uint64_t past = atomic_load(&process.past_ns);

	if (past >= CLOCK_UNIT_NS &&
	    atomic_compare_exchange_strong(&process.past_ns, &past, 0))
		put(writer, tid, now, stack_of_process_start(&writer->in_handler),
		    EXPT_STATE_USER, past);
	put(writer, tid, now, stack, state, time_ns);
}

void clock_put_both(struct thread *writer, pid_t tid, uint64_t now, uint64_t stack,
		    uint64_t user_ns, uint64_t system_ns)
{
	if (user_ns > 0)
		record(writer, tid, now, stack, EXPT_STATE_USER, user_ns);
	if (system_ns > 0)
		record(writer, tid, now, stack, EXPT_STATE_SYSTEM, system_ns);
}

void clock_put_shared(struct thread *writer, pid_t tid, uint64_t now, uint64_t stack,
		      uint64_t user_share, uint64_t time_ns)
{
	uint64_t user = cpu_mode_user_ns(user_share, time_ns);

	clock_put_both(writer, tid, now, stack, user, time_ns - user);
}
