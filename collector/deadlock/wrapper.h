/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Common parts of the wrappers. A lock is first attempted by the counterpart of a
 * function that never waits: only if that fails, the thread is going to wait, and
 * deadlocks are looked for.
 */
#ifndef COLLECTOR_DEADLOCK_WRAPPER_H
#define COLLECTOR_DEADLOCK_WRAPPER_H

#include <stdbool.h>

#include "collector/base/interpose.h"
#include "collector/deadlock/order.h"

#define ORDER_WRAPPER(type, name, parameters)                              \
	type name parameters __attribute__((visibility("default"), used)); \
	type name parameters

/* The real function, called by CALL(), and its counterpart that does not wait; NULL: it
 * must not be called, because another library interposes the function. Both are looked up
 * when this library is initialised: a lookup takes a lock of the loader. */
#define ORDER_REAL(variable, symbol, version, type, parameters)         \
	typedef type(*variable##_function) parameters;                  \
	static struct real real_##variable = { symbol, version, NULL }; \
	static struct real *const entry_##variable                      \
		__attribute__((section("order_reals"), used)) = &real_##variable

#define ORDER_ATTEMPT(variable, symbol, version, type, parameters)                   \
	static struct real real_##variable = { symbol, version, NULL };              \
	static struct real *const entry_##variable                                   \
		__attribute__((section("order_attempts"), used)) = &real_##variable; \
	type(*const variable) parameters =                                           \
		atomic_load_explicit(&real_##variable.function, memory_order_relaxed)

#define CALL(variable) ((variable##_function)order_real(&real_##variable))

static inline void *order_real(struct real *real)
{
	void *function = atomic_load_explicit(&real->function, memory_order_relaxed);

	return __builtin_expect(function != NULL, 1) ? function : real_function(real);
}

#define FRAME __builtin_frame_address(0)

/* The body of a wrapper that waits as long as it takes. how: bits for order_wait(); has:
 * whether the result rc_ means that the thread has the lock. */
#define ORDER_LOCK(lock, is_shared, attempt, how, call, has)       \
	({                                                         \
		struct request request_;                           \
		int rc_ = 0;                                       \
                                                                   \
		if (!order_ask(&request_, lock, is_shared, FRAME)) \
			return call;                               \
		if (__builtin_expect(!(attempt), 0)) {             \
			order_wait(&request_, how);                \
			rc_ = call;                                \
			order_waited(&request_);                   \
		}                                                  \
		if (has)                                           \
			order_got(&request_);                      \
		rc_;                                               \
	})

/* That of a wrapper that gives up at once, or after a time: a thread that does holds its
 * other locks no longer than it takes. */
#define ORDER_TRY(lock, is_shared, call, has)                              \
	({                                                                 \
		struct request request_;                                   \
		int rc_ = call;                                            \
                                                                           \
		if ((has) && order_ask(&request_, lock, is_shared, FRAME)) \
			order_got_in_time(&request_);                      \
		rc_;                                                       \
	})

/* That of a wrapper that releases a lock. */
#define ORDER_UNLOCK(lock, call)                               \
	({                                                     \
		bool is_own_ = order_release(lock);            \
		int rc_ = call;                                \
                                                               \
		if (__builtin_expect(!is_own_, 0) && rc_ == 0) \
			order_released_for_other(lock);        \
		rc_;                                           \
	})

/* That of a wrapper that waits for a condition without the lock. */
#define ORDER_CONDITION(condition, lock, call, is_woken)                 \
	({                                                               \
		bool is_own_ = order_release(lock);                      \
		int rc_ = call;                                          \
		struct request request_;                                 \
                                                                         \
		if (is_woken)                                            \
			order_take_over(condition);                      \
		if (is_own_ && order_ask(&request_, lock, false, FRAME)) \
			order_got(&request_);                            \
		rc_;                                                     \
	})

#endif
