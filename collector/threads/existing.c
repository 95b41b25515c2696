/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/threads/existing.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "collector/base/memory.h"
#include "collector/base/system.h"
#include "collector/files/access.h"
#include "collector/process/guard.h"
#include "collector/process/tsc.h"
#include "collector/threads/cpu_timer.h"
#include "collector/threads/life.h"
#include "collector/threads/private.h"
#include "collector/threads/task_file.h"
#include "collector/threads/thread.h"

/* ---- calls that are under way ---- */

#define PATIENCE_MS 1000

/* Returns the letter in the thread's line of the kernel: "tid (name) S ..."; R if it
 * cannot be read. */
static char read_state(pid_t tid)
{
	char buffer[128];
	const char *end;
	ssize_t length;

	access_begin_open();
	length = task_file_read(tid, "stat", buffer, sizeof(buffer));
	access_end_open();
	if (length <= 0)
		return length == -ENOENT ? 'X' : 'R';
	end = strrchr(buffer, ')');
	return end && end[1] != '\0' ? end[2] : 'R';
}

bool existing_runs(pid_t tid)
{
	char state = read_state(tid);

	return state == 'R' || state == 'D';
}

static bool may_write(const struct thread *thread)
{
	const volatile uintptr_t *call_frame = &thread->call_frame;

	return thread != thread_self && thread->tid != 0 &&
	       (atomic_load(&thread->is_handling) ||
		(*call_frame != 0 && existing_runs(thread->tid)));
}

void existing_settle(void)
{
	int tries = 0;

	for (struct thread *thread = thread_first(); thread; thread = thread->next)
		for (; may_write(thread) && tries < PATIENCE_MS; tries++)
			sys_sleep(1000000);
}

bool existing_are_outside(void)
{
	for (struct thread *thread = thread_first(); thread; thread = thread->next)
		if (atomic_load(&thread->is_handling) || thread->call_frame != 0)
			return false;
	return true;
}

/* ---- records ---- */

static struct thread *make_record(pid_t tid, uint64_t used_ns)
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
	thread->put_off = 0;
	thread->is_awaited = true;
	return thread;
}

struct thread *existing_await(pid_t tid, uint64_t used_ns)
{
	struct thread *thread = make_record(tid, used_ns);

	if (thread)
		atomic_store(&thread->is_live, true);
	return thread;
}

void existing_await_self(void)
{
	struct thread *thread = thread_self;
	uint64_t used_ns = sys_clock_ns(CLOCK_THREAD_CPUTIME_ID);

	thread->past_ns = used_ns;
	atomic_store(&thread->settled_ns, used_ns);
	thread->put_off = 0;
	thread->is_awaited = true;
	thread_self = NULL;
}

static struct thread *find_awaited(pid_t tid)
{
	for (struct thread *thread = thread_first(); thread; thread = thread->next)
		if (thread->is_awaited && thread->tid == tid &&
		    atomic_load(&thread->is_live))
			return thread;
	return NULL;
}

struct thread *existing_awaited(void)
{
	return find_awaited(sys_gettid());
}

/* ---- threads that began when the others had been found ---- */

/* There may be records of threads that make one for themselves just now. */
static _Atomic bool may_be_twice;

static bool has_other_record(pid_t tid, const struct thread *record)
{
	for (struct thread *thread = thread_first(); thread; thread = thread->next)
		if (thread != record && thread->tid == tid &&
		    atomic_load(&thread->is_live))
			return true;
	return false;
}

/* Either this thread or the one that it waited for may do it. */
static void drop(struct thread *thread)
{
	if (!atomic_exchange(&thread->is_live, false))
		return;
	cpu_timer_delete(&thread->awaiting);
	thread->is_awaited = false;
	life_turn(&thread->life, collector_now());
	thread_put_back(thread);
}

/* The kernel has no larger numbers of threads. */
#define TIDS_SIZE ((1 << 22) / 8)

unsigned char *existing_list(void)
{
	unsigned char *tids = memory_get_pages(TIDS_SIZE);

	for (struct thread *thread = thread_first(); tids && thread;
	     thread = thread->next)
		if (atomic_load(&thread->is_live))
			tids[thread->tid / 8] |= (unsigned char)(1 << thread->tid % 8);
	return tids;
}

void existing_return_list(unsigned char *tids)
{
	memory_return_pages(tids, TIDS_SIZE);
}

struct thread *existing_prepare(const unsigned char *tids, pid_t tid)
{
	return tids[tid / 8] >> tid % 8 & 1 ? NULL : make_record(tid, 0);
}

void existing_expect(struct thread *thread)
{
	atomic_store(&may_be_twice, true);
	atomic_store(&thread->is_live, true);
	if (has_other_record(thread->tid, thread))
		drop(thread);
}

void existing_drop_awaited(void)
{
	struct thread *thread =
		atomic_load(&may_be_twice) ? find_awaited(thread_self->tid) : NULL;

	if (thread)
		drop(thread);
}

/* ---- in the thread itself ---- */

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
		thread_let_go(stale);
	return thread;
}
