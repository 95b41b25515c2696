/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/sources/adopt.h"

#include <string.h>

#include "collector/base/system.h"
#include "collector/base/text.h"
#include "collector/files/access.h"
#include "collector/files/log.h"
#include "collector/files/source.h"
#include "collector/process/guard.h"
#include "collector/process/process.h"
#include "collector/signals/signals.h"
#include "collector/threads/cpu_timer.h"
#include "collector/threads/existing.h"
#include "collector/threads/signal_set.h"
#include "collector/threads/task_file.h"
#include "collector/threads/thread.h"
#include "collector/unwind/unwind.h"
#include "collector/unwind/x86_64.h"
#include "libexpt/format.h"

/* Their addresses mark the timers, and the last signal of a recording. */
static char cookie, last_cookie;

#define PATIENCE_MS 1000

/* How long the handlers of most programs run, and how often a thread is left alone
 * because it is in one */
#define HANDLER_NS  1000000
#define PUT_OFF_MAX 100

/* The calling thread before the call in which the recording starts; pc == 0: unknown */
static struct {
	uint64_t mask;
	struct unwind_frame frame;
} caller;

void adopt_note_caller(uint64_t mask, const struct unwind_frame *frame)
{
	caller.mask = mask;
	caller.frame = *frame;
}

bool adopt_is_signal(const siginfo_t *info)
{
	return info->si_code == SI_TIMER && info->si_value.sival_ptr == &cookie;
}

/* ---- the threads of the process ---- */

/* Returns a signal that can interrupt the thread; 0: it blocks all of them. */
static int signal_for(pid_t tid)
{
	uint64_t blocked = signal_set_of(tid, "SigBlk");

	if ((blocked & SIGNAL_BIT(SIGPROF)) == 0)
		return SIGPROF;
	return (blocked & SIGNAL_BIT(SIGNAL_QUIET)) == 0 ? SIGNAL_QUIET : 0;
}

static void await(pid_t tid, void *self)
{
	const struct thread *excepted = self;
	struct thread *thread;

	if (excepted && tid == excepted->tid)
		return;
	thread = existing_await(tid, cpu_clock_ns(tid, CPU_CLOCK_PRECISE));
	if (thread)
		thread->timer_signal = signal_for(tid);
}

static void report(unsigned missing)
{
	char buffer[LOG_SHORT_RECORD_SIZE];
	struct text text = TEXT_ON(buffer);

	text_add_decimal(&text, missing);
	text_add(&text, missing == 1 ? " thread is not sampled, because it blocks"
				     : " threads are not sampled, because they block");
	text_add(&text, " SIGPROF and SIGWINCH");
	log_message("cwarn", EXPT_WARNING_GENERAL, buffer, 0);
}

/* Another thread may do this for the caller; see files/access.h. */
static long find_all(int founder, void *argument)
{
	(void)founder;
	return task_visit_others(await, argument);
}

/* A handler of the program's may block signals until it returns. The kernel then opens
 * them again, which the collector would not notice. */
static bool may_be_in_handler(uint64_t mask)
{
	return (mask & signals_hidden()) != 0;
}

/* A handler's stack may be anywhere. */
static const struct unwind_bounds anywhere = { 0, 0 };

static bool is_in_handler(uint64_t mask, const ucontext_t *context)
{
	return may_be_in_handler(mask) && unwind_is_in_handler(context, &anywhere);
}

void adopt_find(void)
{
	const struct unwind_frame *frame = &caller.frame;
	ucontext_t context = context_at(frame->pc, frame->sp, frame->bp);

	access_run(find_all, thread_self);
	if (frame->pc == 0 || !is_in_handler(caller.mask, &context))
		return;
	thread_self->timer_signal = SIGNAL_QUIET;
	existing_await_self();
}

void adopt_wait_for_caller(void)
{
	struct thread *thread = thread_self ? NULL : existing_awaited();

	if (thread)
		cpu_timer_repeat_once(thread->awaiting, HANDLER_NS);
}

/* Returns false if the thread blocks the signals. One that has ended has no timer. */
static bool start_timer(struct thread *thread)
{
	if (thread->timer_signal == 0 ||
	    (thread->timer_signal == SIGNAL_QUIET && !signals_take_quiet()))
		return false;
	cpu_timer_start_once(&thread->awaiting, thread->tid, thread->timer_signal,
			     &cookie);
	return true;
}

/* Without a clock and counters no thread need be interrupted. */
void adopt_begin(void)
{
	unsigned missing = 0;

	if (!signals_is_shared(SIGPROF))
		return;
	for (struct thread *thread = thread_first(); thread; thread = thread->next)
		if (thread->is_awaited && !start_timer(thread))
			missing++;
	if (missing > 0)
		report(missing);
}

struct search {
	unsigned char *known; /* threads */
	unsigned missing;
};

static void await_new(pid_t tid, void *argument)
{
	struct search *search = argument;
	struct thread *thread = existing_prepare(search->known, tid);

	if (!thread)
		return;
	thread->timer_signal = signal_for(tid);
	if (signals_is_shared(SIGPROF) && !start_timer(thread))
		search->missing++;
	existing_expect(thread);
}

static long find_new(int founder, void *search)
{
	(void)founder;
	return task_visit_others(await_new, search);
}

void adopt_begin_new(void)
{
	struct search search = { existing_list(), 0 };

	if (!search.known)
		return;
	access_run(find_new, &search);
	existing_return_list(search.known);
	if (search.missing > 0)
		report(search.missing);
}

/* ---- the end ---- */

void adopt_end(void)
{
	for (int tries = 0; !sources_end_starts() && tries < PATIENCE_MS; tries++)
		sys_sleep(1000000);
	for (struct thread *thread = thread_first(); thread; thread = thread->next)
		cpu_timer_delete(&thread->awaiting);
}

static void interrupt(struct thread *thread)
{
	siginfo_t info = { .si_signo = SIGPROF,
			   .si_code = SI_QUEUE,
			   .si_value.sival_ptr = &last_cookie };

	atomic_store(&thread->is_asked, true);
	if (system_call(SYS_rt_tgsigqueueinfo, process.pid, thread->tid, SIGPROF,
			(long)&info, 0, 0) < 0)
		atomic_store(&thread->is_asked, false);
}

/* The kernel sends the signal of an event when the thread returns to the program, even if
 * the event has been closed meanwhile. One that sleeps has been there since. */
static bool may_have_event(const struct thread *thread)
{
	return signals_is_shared(SIGNAL_OF_OVERFLOWS) && existing_runs(thread->tid);
}

static bool is_to_be_asked(const struct thread *thread)
{
	return atomic_load(&thread->is_live) && !thread->is_awaited &&
	       thread != thread_self && (thread->blocked != 0 || may_have_event(thread));
}

static bool is_any_asked(void)
{
	for (struct thread *thread = thread_first(); thread; thread = thread->next)
		if (atomic_load(&thread->is_live) && atomic_load(&thread->is_asked))
			return true;
	return false;
}

bool adopt_dismiss(void)
{
	if (!signals_is_shared(SIGPROF))
		return true;
	for (struct thread *thread = thread_first(); thread; thread = thread->next)
		if (is_to_be_asked(thread))
			interrupt(thread);
	for (int tries = 0; is_any_asked() && tries < PATIENCE_MS; tries++)
		sys_sleep(1000000);
	return !is_any_asked();
}

bool adopt_is_last_signal(const siginfo_t *info, ucontext_t *context)
{
	struct thread *thread = thread_self;
	uint64_t mask;

	if (info->si_code != SI_QUEUE || info->si_value.sival_ptr != &last_cookie)
		return false;
	if (!thread)
		return true;
	memcpy(&mask, &context->uc_sigmask, sizeof(mask));
	mask |= atomic_exchange(&thread->blocked, 0);
	memcpy(&context->uc_sigmask, &mask, sizeof(mask));
	atomic_store(&thread->is_asked, false);
	return true;
}

/* ---- in the thread itself ---- */

static bool is_to_be_adopted(void)
{
	return process.is_requested && collector_is_recording() &&
	       !collector_is_frozen() && !thread_is_over();
}

/* From now on the program blocks hidden signals in its own view only. */
static uint64_t hide(struct thread *thread, uint64_t mask)
{
	uint64_t hidden = mask & signals_hidden();

	thread->blocked |= hidden;
	return mask & ~hidden;
}

/* The mask becomes that of a thread with a record. The end of the recording changes the
 * state before it waits for threads that are here, so the state is looked at here. */
static struct thread *adopt(uint64_t *mask)
{
	struct thread *thread = NULL;

	if (!sources_begin_start())
		return NULL;
	if (is_to_be_adopted())
		thread = existing_take();
	if (thread) {
		cpu_timer_delete(&thread->awaiting);
		sources_start(thread);
		*mask = hide(thread, *mask);
	}
	sources_finish_start();
	return thread;
}

/* Returns true if the thread is to be interrupted again later. One that does everything
 * in a handler is taken as it is in the end. */
static bool is_put_off(uint64_t mask, const ucontext_t *context)
{
	struct thread *thread;

	if (!is_in_handler(mask, context))
		return false;
	thread = existing_awaited();
	if (!thread || thread->put_off++ >= PUT_OFF_MAX)
		return false;
	cpu_timer_repeat_once(thread->awaiting, HANDLER_NS);
	return true;
}

struct thread *adopt_in_handler(ucontext_t *context)
{
	struct thread *thread;
	uint64_t mask;

	memcpy(&mask, &context->uc_sigmask, sizeof(mask));
	if (is_put_off(mask, context))
		return NULL;
	thread = adopt(&mask);
	memcpy(&context->uc_sigmask, &mask, sizeof(mask));
	return thread;
}

struct thread *adopt_in_call(void)
{
	struct thread *thread = NULL;
	uint64_t mask;

	if (!is_to_be_adopted())
		return NULL;
	mask = collector_enter();
	if (!may_be_in_handler(mask) ||
	    !unwind_meets_signal(__builtin_frame_address(0), UINTPTR_MAX, &anywhere))
		thread = adopt(&mask);
	collector_leave(mask);
	return thread;
}
