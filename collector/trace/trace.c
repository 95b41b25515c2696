/* SPDX-License-Identifier: Apache-2.0 */
/* Recording of calls. No signal is blocked here: a handler may interrupt at any point. */

#include "collector/trace/trace.h"

#include "collector/base/system.h"
#include "collector/common/settings.h"
#include "collector/descendants/descendants.h"
#include "collector/experiment/experiment.h"
#include "collector/experiment/samples.h"
#include "collector/experiment/window.h"
#include "collector/files/blocks.h"
#include "collector/files/files.h"
#include "collector/files/source.h"
#include "collector/process/guard.h"
#include "collector/process/process.h"
#include "collector/process/tsc.h"
#include "collector/sources/adopt.h"
#include "collector/threads/stacks.h"
#include "collector/threads/thread.h"

/* Two stacks are hardly ever closer than this. */
#define OTHER_STACK_MIN 4096

static bool is_on_stack(const struct thread *thread, uintptr_t address)
{
	return address >= thread->stack.low && address < thread->stack.high;
}

/* Is here deeper than the call in progress, or in a handler on a stack of its own? If two
 * calls on one stack are not nested, a jump has left the first. */
static bool is_nested(const struct thread *thread, uintptr_t here)
{
	return here < thread->call_frame ||
	       (is_on_stack(thread, thread->call_frame) && !is_on_stack(thread, here));
}

/* Samples continue during a pause, so calls must trigger them then as well. */
static void sample_in_pause(void)
{
	uint64_t mask, now;

	if (settings.sample_period_ns == 0 || !collector_takes_samples())
		return;
	now = collector_now();
	if (!sample_is_due(now) || descendants_place() != PLACE_OWN)
		return;
	mask = collector_enter();
	sample_if_due(now);
	collector_leave(mask);
}

/* A child of vfork shares this memory, but its calls are not this process's. The thread
 * waits for the child, so once it runs again the child is gone. */
static bool is_in_vfork(struct thread *thread)
{
	if (thread->vfork_number == 0)
		return false;
	if (descendants_place() != PLACE_OWN)
		return true;
	thread->vfork_number = 0;
	return false;
}

bool trace_is_in_vfork(void)
{
	return thread_self && is_in_vfork(thread_self);
}

/* A process that an unseen clone() made with this memory runs on a stack of its own and
 * takes itself for this thread, as the leak sanitizer's tracer does. Calls on stacks that
 * are not the thread's are looked at once per place: fibers make them as well. */
static __attribute__((noinline)) bool is_from_elsewhere(struct thread *thread,
							uintptr_t here)
{
	uintptr_t place = here / OTHER_STACK_MIN;

	if (thread->other_stack == place)
		return false;
	if (descendants_place() != PLACE_OWN)
		return true;
	thread->other_stack = place;
	return false;
}

/* The thread has begun before the recording, or its clock and its pauses have ended with
 * it. */
static __attribute__((noinline)) struct thread *begin_without_record(uintptr_t here)
{
	struct thread *thread;

	if (!collector_is_recording() || atomic_load(&process.is_paused) ||
	    descendants_place() != PLACE_OWN)
		return NULL;
	thread = thread_is_over() ? thread_borrow() : adopt_in_call();
	if (thread)
		thread->call_frame = here;
	return thread;
}

static void end_call(struct thread *thread)
{
	thread->call_frame = 0;
	if (thread->is_borrowed)
		thread_return(thread);
}

/* The kernel's frame of a handler is larger than this on any processor. */
#define SIGNAL_FRAME_MIN 512

/* For nested calls. Most of them are calls that a library function makes for the program;
 * few come from handlers. */
static bool is_in_handler(const struct thread *thread, uintptr_t here)
{
	if (is_on_stack(thread, thread->call_frame) && !is_on_stack(thread, here))
		return true;
	return thread->call_frame - here >= SIGNAL_FRAME_MIN &&
	       unwind_meets_signal((const void *)here, thread->call_frame,
				   &thread->stack);
}

/* A handler's stack may be anywhere, even in a frame of the interrupted function's
 * caller. */
static bool is_on_alternate_stack(const struct thread *thread)
{
	stack_t alternate;

	return !collector_is_frozen() &&
	       system_call(SYS_sigaltstack, 0, (long)&alternate, 0, 0, 0, 0) == 0 &&
	       (alternate.ss_flags & SS_ONSTACK) != 0 &&
	       thread->call_frame - (uintptr_t)alternate.ss_sp >= alternate.ss_size;
}

/* Returns the record for a call that arrives during another one, or seems to. */
static __attribute__((noinline)) struct thread *begin_within(struct thread *self,
							     uintptr_t here)
{
	struct thread *thread = self;
	bool is_in_order = is_nested(self, here);

	if (!is_in_order && !is_on_alternate_stack(self)) {
		thread_leave_nested(self);
		return self;
	}
	while (thread->nested && is_nested(thread->nested, here))
		thread = thread->nested;
	if (thread->nested)
		thread_leave_nested(thread);
	if ((thread == self && !is_in_order) || is_in_handler(thread, here))
		return thread_borrow_nested(thread);
	return NULL;
}

static inline __attribute__((always_inline)) struct thread *begin(uintptr_t here)
{
	struct thread *thread = thread_self;

	if (!thread)
		return begin_without_record(here);
	if (!collector_takes_events(thread)) {
		if (thread_is_stale(thread))
			return begin_without_record(here);
		if (collector_is_paused(thread))
			sample_in_pause();
		return NULL;
	}
	if (is_in_vfork(thread) ||
	    (descendants_is_stranger() && descendants_place() != PLACE_OWN) ||
	    (!is_on_stack(thread, here) && is_from_elsewhere(thread, here)))
		return NULL;
	if (__builtin_expect(thread->call_frame != 0, 0)) {
		thread = begin_within(thread, here);
		if (!thread)
			return NULL;
	}
	thread->call_frame = here;
	return thread;
}

struct thread *trace_begin(void)
{
	return begin((uintptr_t)__builtin_frame_address(0));
}

void trace_end(struct thread *thread)
{
	end_call(thread);
}

void trace_left(void)
{
	if (!thread_self)
		return;
	thread_leave_nested(thread_self);
	end_call(thread_self);
}

void trace_hide(enum data_kind kind, bool is_hidden)
{
	if (thread_self)
		thread_self->hidden = is_hidden ? 1U << kind : 0;
}

uint64_t trace_now(void)
{
	return tsc_now(true);
}

/* The rare part, which takes locks that handlers take as well. A library of wrappers may
 * have been preloaded by hand, though the settings do not ask for its kind of data. */
static bool prepare(enum data_kind kind, uint64_t now)
{
	uint64_t mask;
	bool is_good;

	if (!sources_have(kind))
		return false;
	mask = collector_enter();
	is_good = collector_is_in_window(now) && experiment_materialise();
	if (is_good)
		sample_if_due(now);
	collector_leave(mask);
	return is_good;
}

/* Copy all but the packet's own head, which marks it as valid. */
static void put_packet(char *room, const struct trace_head *packet, size_t size)
{
	struct trace_head *head = (void *)room;
	const uint64_t *from = (const void *)packet;
	uint64_t *to = (void *)room;

	head->what = packet->what;
	head->thread = packet->thread;
	head->fd = packet->fd;
	head->time_ns = packet->time_ns;
	for (size_t i = sizeof(*head) / sizeof(*to); i < size / sizeof(*to); i++)
		to[i] = from[i];
}

/* Returns NULL if the call is not recorded or there is no room. The end of a recording
 * changes the state before it waits for calls, so the state is looked at here, when the
 * call can be seen. frame is that of the function that the library of wrappers called.
 */
static inline __attribute__((always_inline)) char *
reserve(struct thread *thread, enum data_kind kind, struct trace_head *packet,
	size_t size, enum trace_stack stack, const void *frame)
{
	struct cursor *cursor = &thread->data[kind];
	uint64_t now = packet->time_ns;
	char *room;

	if (!collector_takes_event_at(thread, now) || (thread->hidden & 1U << kind) != 0)
		return NULL;
	if ((collector_has_window() || !cursor->block || sample_is_due(now)) &&
	    !prepare(kind, now))
		return NULL;
	if (stack != TRACE_OF_ANOTHER)
		packet->thread = thread->tid;
	if (stack == TRACE_WITH_STACK)
		*(uint64_t *)(void *)(packet + 1) =
			stacks_above(thread, &thread->in_call, frame);
	room = cursor_reserve(cursor, &files.data[kind], size);
	if (room)
		put_packet(room, packet, size);
	return room;
}

__attribute__((noinline)) void trace_record(struct thread *thread, enum data_kind kind,
					    enum packet_type type,
					    struct trace_head *packet, size_t size,
					    enum trace_stack stack)
{
	char *room =
		reserve(thread, kind, packet, size, stack, __builtin_frame_address(0));

	if (room)
		cursor_publish(room, type, size);
}

__attribute__((noinline)) bool trace_returned(enum data_kind kind, enum packet_type type,
					      struct trace_head *packet, size_t size,
					      enum trace_stack stack)
{
	const void *frame = __builtin_frame_address(0);
	struct thread *thread = begin((uintptr_t)frame);
	char *room;

	if (!thread)
		return false;
	room = reserve(thread, kind, packet, size, stack, frame);
	if (room)
		cursor_publish(room, type, size);
	end_call(thread);
	return room;
}

__attribute__((noinline)) char *trace_reserve(struct thread *thread, enum data_kind kind,
					      struct trace_head *packet, size_t size)
{
	return reserve(thread, kind, packet, size, TRACE_WITH_STACK,
		       __builtin_frame_address(0));
}

void trace_publish(struct thread *thread, char *room, enum packet_type type, size_t size)
{
	cursor_publish(room, type, size);
	end_call(thread);
}

void trace_withdraw(struct thread *thread, enum data_kind kind, size_t size)
{
	thread->data[kind].used -= (uint32_t)size;
	end_call(thread);
}

__attribute__((noinline)) uint64_t trace_stack(enum data_kind kind)
{
	struct thread *thread = trace_begin();
	uint64_t stack = 0;

	if (!thread)
		return 0;
	/* Leave the rare cases to trace_record(). */
	if (thread->data[kind].block && !collector_has_window())
		stack = stacks_above(thread, &thread->in_call,
				     __builtin_frame_address(0));
	trace_end(thread);
	return stack;
}

/* A clock is read once in so many calls, to see whether a sample is due. */
#define CALLS_PER_SAMPLE 256

static bool is_ready(struct thread *thread, enum data_kind kind)
{
	if (thread->in_call.frames.block && !collector_has_window() &&
	    ++thread->calls % CALLS_PER_SAMPLE != 0)
		return true;
	return prepare(kind, tsc_now(true));
}

__attribute__((noinline)) uint64_t trace_stack_of(enum data_kind kind, const void *frame)
{
	struct thread *thread = begin((uintptr_t)__builtin_frame_address(0));
	uint64_t stack = 0;

	if (!thread)
		return 0;
	if (is_ready(thread, kind))
		stack = stacks_above(thread, &thread->in_call, frame);
	end_call(thread);
	return stack;
}

void trace_prepare(enum data_kind kind)
{
	struct thread *thread = trace_begin();

	if (!thread)
		return;
	prepare(kind, tsc_now(true));
	end_call(thread);
}

uint64_t trace_stack_from(enum data_kind kind, const uint64_t *pcs, size_t count)
{
	struct thread *thread = trace_begin();
	uint64_t stack = 0;

	if (!thread)
		return 0;
	if (is_ready(thread, kind))
		stack = stack_id(&thread->in_call, pcs, count);
	end_call(thread);
	return stack;
}

void *trace_inherited(void)
{
	return thread_self ? thread_self->inherited : NULL;
}
