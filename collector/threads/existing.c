/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/threads/existing.h"

#include <time.h>

#include "collector/base/system.h"
#include "collector/process/guard.h"
#include "collector/threads/private.h"
#include "collector/threads/thread.h"

struct thread *existing_await(pid_t tid, uint64_t used_ns)
{
	struct thread *thread = thread_get();

	if (!thread)
		return NULL;
	thread_begin_life(thread);
	thread->tid = tid;
	thread->past_ns = used_ns;
	atomic_store(&thread->settled_ns, used_ns);
	thread->deferred_ns = thread->kernel_ns = thread->last_stack = 0;
	thread->root_count = 0;
	thread->is_paused = false;
	thread->resumed_ns = 0;
	thread->is_awaited = true;
	atomic_store(&thread->is_live, true);
	return thread;
}

static struct thread *find_awaited(pid_t tid)
{
	for (struct thread *thread = thread_first(); thread; thread = thread->next)
		if (thread->is_awaited && thread->tid == tid &&
		    atomic_load(&thread->is_live))
			return thread;
	return NULL;
}

static struct thread *get_another(void)
{
	struct thread *thread = thread_get();

	if (thread) {
		thread_begin_life(thread);
		thread->past_ns = 0;
	}
	return thread;
}

struct thread *existing_take(void)
{
	struct thread *stale = thread_self, *thread = find_awaited(sys_gettid());

	if (!thread)
		thread = get_another();
	if (!thread)
		return NULL;
	thread->past_ns = sys_clock_ns(CLOCK_THREAD_CPUTIME_ID) - thread->past_ns;
	thread_attach(thread);
	thread->blocked = stale ? stale->blocked : 0;
	thread->stack = thread_own_stack();
	thread_expect_end(thread);
	if (stale)
		thread_recycle(stale);
	return thread;
}
