/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Common parts of the wrappers of functions that wait. Most such functions have a
 * counterpart that never waits; it is called first. If it succeeds, the call is done: the
 * program has the object, no clock was read, and with a threshold nothing is left to do.
 */
#ifndef COLLECTOR_SYNC_SYNC_H
#define COLLECTOR_SYNC_SYNC_H

#include <stdbool.h>
#include <time.h>

#include "collector/base/interpose.h"
#include "collector/files/files.h"
#include "collector/sources/sync.h"
#include "collector/trace/trace.h"

#define SYNC_WRAPPER(type, name, parameters)                               \
	type name parameters __attribute__((visibility("default"), used)); \
	type name parameters

/* The function that waits, to be called by SYNC_CALL. It is looked up when this library
 * is initialised, because a lookup takes a lock of the loader, whose holder may wait for
 * a thread that makes its first call. */
#define SYNC_REAL(variable, symbol, version, type, parameters)          \
	typedef type(*variable##_function) parameters;                  \
	static struct real real_##variable = { symbol, version, NULL }; \
	static struct real *const entry_##variable                      \
		__attribute__((section("sync_reals"), used)) = &real_##variable

#define SYNC_CALL(variable) ((variable##_function)sync_real(&real_##variable))

/* The counterpart that does not wait. NULL: do not call it, because another library,
 * such as a sanitizer, interposes the function and would attribute this call to the
 * program. */
#define SYNC_ATTEMPT(variable, symbol, version, type, parameters)                   \
	static struct real real_##variable = { symbol, version, NULL };             \
	static struct real *const entry_##variable                                  \
		__attribute__((section("sync_attempts"), used)) = &real_##variable; \
	type(*const variable) parameters =                                          \
		atomic_load_explicit(&real_##variable.function, memory_order_relaxed)

static inline void *sync_real(struct real *real)
{
	void *function = atomic_load_explicit(&real->function, memory_order_relaxed);

	return __builtin_expect(function != NULL, 1) ? function : real_function(real);
}

/* find.c: calls that take at least this many nanoseconds are recorded; 0: every call,
 * waiting or not. */
extern uint64_t sync_threshold_ns __attribute__((visibility("hidden")));

#define SYNC_INLINE static inline __attribute__((always_inline))

/* These record the call of the wrapper they are inlined in, so that the wrapper is the
 * leaf of the stack. Their state is kept in memory: registers would have to be saved even
 * by calls that record nothing. */

struct sync_call {
	struct sync_packet packet;
	struct thread *thread;
	char *room;
};
#define SYNC_KEEP(call) __asm__ volatile("" : "+m"(*(call)))

/* Is every call recorded, waiting or not? */
SYNC_INLINE bool sync_takes_all(void)
{
	return __builtin_expect(sync_threshold_ns == 0, 0);
}

SYNC_INLINE void sync_begin(struct sync_call *call, const volatile void *object)
{
	call->packet.head.what = 0;
	call->packet.object = (uintptr_t)object;
	call->packet.requested_ns = trace_now();
	SYNC_KEEP(call);
}

/* ---- calls that wait ---- */

SYNC_INLINE void sync_end(struct sync_call *call)
{
	bool has_stack = sync_takes_all() && call->packet.stack != 0;

	SYNC_KEEP(call);
	call->packet.head.time_ns = trace_now();
	if (call->packet.head.time_ns - call->packet.requested_ns >= sync_threshold_ns)
		trace_returned(DATA_SYNC, PACKET_SYNC, &call->packet.head,
			       sizeof(call->packet),
			       has_stack ? TRACE_WITHOUT_STACK : TRACE_WITH_STACK);
}

/* Make the call, record how long it took and return its result. If every call is
 * recorded, the stack is walked before it, because others may wait for the object
 * afterwards. */
#define SYNC_WAIT(object, expression)                                \
	({                                                           \
		struct sync_call call_;                              \
		__typeof__(expression) result_;                      \
                                                                     \
		if (sync_takes_all())                                \
			call_.packet.stack = trace_stack(DATA_SYNC); \
		sync_begin(&call_, object);                          \
		result_ = expression;                                \
		sync_end(&call_);                                    \
		result_;                                             \
	})

/* ---- attempts ---- */

/* An attempt never waits, so the recorded call can begin before it. If the thread gets
 * the object, only one store is left to do while others wait for it. */
SYNC_INLINE void sync_prepare(struct sync_call *call, const volatile void *object)
{
	call->room = NULL;
	if (!sync_takes_all())
		return;
	call->packet.stack = 0;
	sync_begin(call, object);
	call->packet.head.time_ns = call->packet.requested_ns;
	call->thread = trace_begin();
	SYNC_KEEP(call);
	if (!call->thread)
		return;
	call->room = trace_reserve(call->thread, DATA_SYNC, &call->packet.head,
				   sizeof(call->packet));
	SYNC_KEEP(call);
	if (!call->room)
		trace_end(call->thread);
}

/* The object was obtained without waiting. */
SYNC_INLINE void sync_got(struct sync_call *call)
{
	SYNC_KEEP(call);
	if (__builtin_expect(call->room != NULL, 0))
		trace_publish(call->thread, call->room, PACKET_SYNC,
			      sizeof(call->packet));
}

SYNC_INLINE void sync_missed(struct sync_call *call)
{
	SYNC_KEEP(call);
	if (call->room)
		trace_withdraw(call->thread, DATA_SYNC, sizeof(call->packet));
}

/* SYNC_WAIT(), but with an attempt first. */
#define SYNC_TRY_OR_WAIT(object, attempt, expression) \
	({                                            \
		struct sync_call call_;               \
		int result_ = 0;                      \
                                                      \
		sync_prepare(&call_, object);         \
		if (__builtin_expect((attempt), 1)) { \
			sync_got(&call_);             \
		} else {                              \
			sync_missed(&call_);          \
			sync_begin(&call_, object);   \
			result_ = expression;         \
			sync_end(&call_);             \
		}                                     \
		result_;                              \
	})

/* Functions with a time limit check it first, and reject invalid ones. */
static inline bool sync_is_clock(clockid_t clock)
{
	return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
}

static inline bool sync_is_limit(clockid_t clock, const struct timespec *limit)
{
	return sync_is_clock(clock) && limit && limit->tv_nsec >= 0 &&
	       limit->tv_nsec < 1000000000;
}

#endif
