/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the wrappers of libgomp. */
#ifndef COLLECTOR_OPENMP_CALL_H
#define COLLECTOR_OPENMP_CALL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "collector/base/interpose.h"
#include "collector/process/guard.h"
#include "collector/threads/openmp.h"
#include "collector/threads/thread.h"

/* A parameter, be it an integer or a pointer. */
typedef uint64_t word;

/* A function of the runtime, found at its first use. */
struct openmp_real {
	struct real real;
	_Atomic(bool) is_elsewhere; /* in a runtime that tells by itself what it does */
};

/* Returns the function after the wrapper. caller: an address in the code that has called
 * the wrapper. */
void *openmp_real(struct openmp_real *real, const void *caller);
/* Returns the record of this thread if the call is to be noted, or NULL. Call after
 * openmp_real(). */
static inline struct thread *openmp_thread(const struct openmp_real *real)
{
	struct thread *thread = thread_self;

	if (!thread || atomic_load_explicit(&real->is_elsewhere, memory_order_relaxed) ||
	    thread_is_stale(thread) || thread->vfork_number != 0)
		return NULL;
	return openmp_has_room(&thread->openmp) ? thread : NULL;
}

#endif
