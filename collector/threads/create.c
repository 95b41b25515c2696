/* SPDX-License-Identifier: Apache-2.0 */
/* The starts of threads: wrappers of pthread_create and thrd_create. */

#include "collector/threads/thread.h"

#include <threads.h>

#include "collector/base/interpose.h"
#include "collector/base/system.h"
#include "collector/files/source.h"
#include "collector/process/guard.h"
#include "collector/process/process.h"
#include "collector/process/tsc.h"
#include "collector/threads/existing.h"
#include "collector/threads/life.h"
#include "collector/threads/private.h"

/* Really block the hidden signals that a new thread blocks until its record exists: until
 * then they have no virtual mask to look at. Returns the mask of the calling thread. */
static uint64_t hold_for(uint64_t blocked)
{
	uint64_t mask = 0;

	if (blocked != 0)
		sys_sigmask(SIG_BLOCK, &blocked, &mask);
	return mask;
}

/* Call in the new thread. If the recording is over, the kernel goes on to block them. */
static void release(struct thread *thread, uint64_t blocked)
{
	if (blocked == 0 || collector_is_frozen() || !sources_begin_start())
		return;
	thread->blocked = blocked;
	sys_sigmask(SIG_UNBLOCK, &blocked, NULL);
	sources_finish_start();
}

static __attribute__((noinline)) void begin_thread(struct thread *thread)
{
	/* Another recording may share other signals. */
	uint64_t blocked = thread_is_stale(thread) ? 0 : thread->blocked;
	uint64_t pcs[THREAD_ROOT_FRAMES + 2];
	enum unwind_end end;
	size_t count;

	thread->past_ns = sys_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	thread_attach(thread);
	existing_drop_awaited();
	/* glibc keeps the thread's control block at the upper end of its stack. low still
	 * holds the size. */
	thread->stack.high = (uintptr_t)pthread_self();
	thread->stack.low = thread->stack.high - thread->stack.low;
	thread_expect_end(thread);
	count = unwind_here(pcs, THREAD_ROOT_FRAMES + 2, &thread->stack, &end);
	/* Leave out this function and its caller, which is gone by then. */
	for (size_t i = 2; i < count; i++)
		thread->root[thread->root_count++] = pcs[i];
	if (!thread_is_stale(thread))
		sources_start(thread);
	release(thread, blocked);
}

/* Both end in a jump, so that the thread's stack is the same as without us. */
static __attribute__((optimize("optimize-sibling-calls"))) void *
run_thread(void *argument)
{
	struct thread *thread = argument;
	void *(*start)(void *) = thread->start;
	void *start_argument = thread->argument;

	begin_thread(thread);
	return start(start_argument);
}

static __attribute__((optimize("optimize-sibling-calls"))) int
run_thread_c11(void *argument)
{
	struct thread *thread = argument;
	int (*start)(void *) = thread->start_c11;
	void *start_argument = thread->argument;

	begin_thread(thread);
	return start(start_argument);
}

void *(*thread_legacy)(void);

static struct thread *prepare_thread(const pthread_attr_t *attributes)
{
	struct thread *thread =
		collector_is_recording() && !collector_is_frozen() ? thread_get() : NULL;
	size_t size = thread_default_size();

	if (!thread)
		return NULL;
	if (attributes)
		pthread_attr_getstacksize(attributes, &size);
	thread->blocked = thread_self ? thread_self->blocked : 0;
	/* Only the size is known until the thread itself finds the upper end. */
	thread->stack.low = size;
	thread->stack.high = 0;
	thread_begin_life(thread);
	thread->inherited = thread_legacy ? thread_legacy() : NULL;
	return thread;
}

/* blocked: what was held; the thread itself may have ended. */
static void end_creation(struct thread *thread, uint64_t blocked, uint64_t mask,
			 bool is_created)
{
	if (blocked != 0)
		sys_sigmask(SIG_SETMASK, &mask, NULL);
	if (is_created)
		return;
	life_turn(&thread->life, collector_now());
	thread_put_back(thread);
}

static int create_pthread(struct real *real, pthread_t *id,
			  const pthread_attr_t *attributes, void *(*start)(void *),
			  void *argument)
{
	int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
		real_function(real);
	struct thread *thread = prepare_thread(attributes);
	uint64_t blocked, mask;
	int rc;

	if (!thread)
		return create(id, attributes, start, argument);
	blocked = thread->blocked;
	thread->start = start;
	thread->argument = argument;
	mask = hold_for(blocked);
	rc = create(id, attributes, run_thread, thread);
	end_creation(thread, blocked, mask, rc == 0);
	return rc;
}

static int create_thrd(struct real *real, thrd_t *id, thrd_start_t start, void *argument)
{
	int (*create)(thrd_t *, thrd_start_t, void *) = real_function(real);
	struct thread *thread = prepare_thread(NULL);
	uint64_t blocked, mask;
	int rc;

	if (!thread)
		return create(id, start, argument);
	blocked = thread->blocked;
	thread->start = (void *)start;
	thread->start_c11 = start;
	thread->argument = argument;
	mask = hold_for(blocked);
	rc = create(id, run_thread_c11, thread);
	end_creation(thread, blocked, mask, rc == thrd_success);
	return rc;
}

#define PTHREAD_CREATE(local, at, version)                                     \
	INTERPOSE(int, local, "pthread_create" at version,                     \
		  (pthread_t * id, const pthread_attr_t *attributes,           \
		   void *(*start)(void *), void *argument))                    \
	{                                                                      \
		static struct real real = { "pthread_create", version, NULL }; \
		return create_pthread(&real, id, attributes, start, argument); \
	}

#define THRD_CREATE(local, at, version)                                     \
	INTERPOSE(int, local, "thrd_create" at version,                     \
		  (thrd_t * id, thrd_start_t start, void *argument))        \
	{                                                                   \
		static struct real real = { "thrd_create", version, NULL }; \
		return create_thrd(&real, id, start, argument);             \
	}

PTHREAD_CREATE(pthread_create_2_2_5, "@", "GLIBC_2.2.5")
PTHREAD_CREATE(pthread_create_2_34, "@@", "GLIBC_2.34")
THRD_CREATE(thrd_create_2_28, "@", "GLIBC_2.28")
THRD_CREATE(thrd_create_2_34, "@@", "GLIBC_2.34")
