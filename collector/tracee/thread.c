/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/tracee/thread.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/counters/debug_registers.h"
#include "collector/tracee/registers.h"
#include "collector/tracee/status.h"
#include "collector/tracee/way.h"
#include "libexpt/base/time.h"
#include "libexpt/cli/cli.h"

#define STOP_LIMIT   (200 * MS)
#define WARNING_TIME (3000 * MS) /* after which the user is told who waits */

static bool is_event_stop(int state)
{
	return state >> 16 == PTRACE_EVENT_STOP;
}

/* By PTRACE_O_TRACESYSGOOD. */
static bool is_call_stop(int state)
{
	return WSTOPSIG(state) == (SIGTRAP | 0x80);
}

/* Whether SIGTRAP is that of a breakpoint or of a step of ours. A step into a handler has
 * the code TRAP_UNK. A breakpoint instruction of the program has SI_KERNEL. */
static bool is_ours(const siginfo_t *info)
{
	return info->si_signo == SIGTRAP && info->si_code >= TRAP_BRKPT &&
	       info->si_code <= TRAP_UNK;
}

/* The signal of a stop, unless it is ours. */
static int signal_of(pid_t thread, int state)
{
	siginfo_t info = {};

	if (is_event_stop(state) || is_call_stop(state))
		return 0;
	ptrace(PTRACE_GETSIGINFO, thread, NULL, &info);
	return is_ours(&info) ? 0 : WSTOPSIG(state);
}

/* A thread that could not be stopped in time has stopped now. */
static void let_go(pid_t thread, int state)
{
	if (WIFSTOPPED(state))
		thread_detach(thread, signal_of(thread, state));
}

/* Returns the thread if its state has changed, else 0. The one at hand may need a lock
 * that another one has, so others run on at once. */
static pid_t take_change(pid_t thread, int *state)
{
	pid_t got = waitpid(thread, state, __WALL | WNOHANG);

	while (got == 0 && (got = waitpid(-1, state, __WALL | WNOHANG)) > 0 &&
	       got != thread) {
		let_go(got, *state);
		got = 0;
	}
	return got;
}

/* Wait until the thread's state changes. */
static int await(pid_t thread, int *state, uint64_t end)
{
	sigset_t changes;

	sigemptyset(&changes);
	sigaddset(&changes, SIGCHLD);
	for (;;) {
		pid_t got = take_change(thread, state);
		uint64_t now = time_now_ns();
		struct timespec left;

		if (got < 0)
			return errno == ECHILD ? -ESRCH : -errno;
		if (got == thread)
			return WIFSTOPPED(*state) ? 0 : -ESRCH;
		if (now >= end)
			return -ETIMEDOUT;
		left.tv_sec = (time_t)((end - now) / (1000 * MS));
		left.tv_nsec = (long)((end - now) % (1000 * MS));
		sigtimedwait(&changes, NULL, &left);
	}
}

int thread_continue(pid_t thread, int signal)
{
	return ptrace(PTRACE_CONT, thread, NULL, (long)signal) < 0 ? -errno : 0;
}

static bool is_at(pid_t thread, uint64_t address)
{
	struct user_regs_struct registers;

	return thread_registers(thread, &registers) == 0 && registers.rip == address;
}

static int ask_to_stop(pid_t thread)
{
	return ptrace(PTRACE_INTERRUPT, thread, NULL, NULL) < 0 ? -errno : 0;
}

/* Wait until a thread that has been asked to stops, however long. With a breakpoint of
 * ours, or in a function that it was made to call, it could not be left. */
static int await_stop(pid_t thread, int *state)
{
	int rc = await(thread, state, time_now_ns() + WARNING_TIME);

	if (rc == -ETIMEDOUT)
		cli_warn("thread %d sleeps in the kernel: waiting to let it go",
			 (int)thread);
	while (rc == -ETIMEDOUT)
		rc = await(thread, state, time_now_ns() + WARNING_TIME);
	return rc;
}

/* The thread has been asked to stop, and does something else first: let it. The kernel
 * takes any stop for the one that was asked for. */
static int let_finish(pid_t thread, int signal, bool is_stop)
{
	int rc = thread_continue(thread, signal);

	return rc == 0 && !is_stop ? ask_to_stop(thread) : rc;
}

/* Let the thread run to the address, or if that is 0, stop it at once; see thread.h. It
 * gets its signals. */
static int run(pid_t thread, uint64_t address, struct way *way, uint64_t limit_ns)
{
	uint64_t end = time_now_ns() + limit_ns;
	bool is_asked = address == 0;
	int rc = is_asked ? ask_to_stop(thread) : way_continue(way, thread, 0), state;

	while (rc == 0) {
		bool is_stop;
		int signal;

		rc = await(thread, &state, end);
		if (rc == -ETIMEDOUT && !is_asked) {
			is_asked = true;
			end = time_now_ns() + STOP_LIMIT;
			rc = ask_to_stop(thread);
			continue;
		}
		if (rc == -ETIMEDOUT && address)
			rc = await_stop(thread, &state);
		if (rc < 0)
			return rc == -ETIMEDOUT ? -EAGAIN : rc;
		is_stop = is_event_stop(state);
		if (is_stop && WSTOPSIG(state) != SIGTRAP)
			return -EBUSY; /* a signal has stopped all threads */
		if (is_stop && is_asked && !way_has_trap(way, thread))
			return -ETIMEDOUT;
		signal = signal_of(thread, state);
		if (!is_stop) {
			way_note_stop(way, thread, signal, is_call_stop(state));
			if (signal == 0 && address && is_at(thread, address))
				return 0;
			if (signal == 0 && way_may_end(way) &&
			    (is_asked || time_now_ns() >= end))
				return -ETIMEDOUT;
		}
		rc = is_asked ? let_finish(thread, signal, is_stop)
			      : way_continue(way, thread, signal);
	}
	return rc;
}

/* The kernel permits neither to seize a thread twice nor one that ends. */
static int why_not(pid_t thread)
{
	struct process_status status;

	if (process_status_read(&status, thread) < 0 || strchr("XZ", status.state))
		return -ESRCH;
	return status.tracer == getpid() ? -EAGAIN : -EPERM;
}

int thread_stop(pid_t thread)
{
	struct way way = {};
	int rc;

	if (ptrace(PTRACE_SEIZE, thread, NULL, PTRACE_O_TRACESYSGOOD) < 0)
		return errno == EPERM ? why_not(thread) : -errno;
	rc = run(thread, 0, &way, STOP_LIMIT);
	if (rc == -EBUSY)
		thread_detach(thread, 0);
	return rc == -ETIMEDOUT ? 0 : rc;
}

void thread_detach(pid_t thread, int signal)
{
	ptrace(PTRACE_DETACH, thread, NULL, (long)signal);
}

int thread_run_to(pid_t thread, uint64_t address, uint64_t limit_ns)
{
	struct way way = { .has_steps = debug_registers_are_dead() };
	int rc = way.has_steps ? 0 : debug_registers_set(thread, address);

	/* All may be in use, by a debugger or by counters of the kernel. */
	if (rc < 0 && rc != -ESRCH) {
		way.has_steps = true;
		rc = 0;
	}
	way_open_trap(&way, thread);
	if (rc == 0)
		rc = run(thread, address, &way, limit_ns);
	if (!way.has_steps)
		debug_registers_clear(thread);
	way_close_trap(&way, thread);
	return rc;
}

int thread_interrupt(pid_t thread)
{
	int rc = ask_to_stop(thread), state;

	if (rc == 0)
		rc = await_stop(thread, &state);
	return rc < 0 ? rc : -EINTR;
}

int thread_await_signal(pid_t thread, int *signal, uint64_t limit_ns)
{
	uint64_t end = time_now_ns() + limit_ns;
	int state, rc;

	while ((rc = await(thread, &state, end)) == 0 && is_event_stop(state))
		if ((rc = thread_continue(thread, 0)) < 0)
			break;
	if (rc == 0)
		*signal = WSTOPSIG(state);
	return rc;
}

void thread_let_go(void)
{
	pid_t thread;
	int state;

	while ((thread = waitpid(-1, &state, __WALL | WNOHANG)) > 0)
		let_go(thread, state);
}
