/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/inject/thread.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "libexpt/base/time.h"

#define STOP_LIMIT (200 * MS)

/* DR7: the first register, enabled for this thread, for execution. */
#define ENABLE_FIRST 1L

enum purpose { UNTIL_STOPPED, UNTIL_ADDRESS, UNTIL_SIGNAL };

/* Wait until the thread's state changes. */
static int await(pid_t thread, int *state, uint64_t end)
{
	sigset_t changes;

	sigemptyset(&changes);
	sigaddset(&changes, SIGCHLD);
	for (;;) {
		pid_t got = waitpid(thread, state, __WALL | WNOHANG);
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

static bool is_event_stop(int state)
{
	return state >> 16 == PTRACE_EVENT_STOP;
}

static int continue_with(pid_t thread, int signal)
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

/* Judge a stop: 1 if the thread is to go on, with *pass as its signal. */
static int judge(pid_t thread, int state, enum purpose purpose, uint64_t address,
		 bool is_asked, int *pass)
{
	*pass = is_event_stop(state) ? 0 : WSTOPSIG(state);
	if (*pass)
		return purpose == UNTIL_SIGNAL ||
				       (purpose == UNTIL_ADDRESS && *pass == SIGTRAP &&
					is_at(thread, address))
			       ? 0
			       : 1;
	if (WSTOPSIG(state) != SIGTRAP) /* all threads are stopped by a signal */
		return purpose == UNTIL_SIGNAL ? 1 : -EBUSY;
	return is_asked ? -ETIMEDOUT : 1;
}

/* Let the thread run, or stop it at once, and see where it ends up; see thread.h. */
static int run(pid_t thread, enum purpose purpose, uint64_t address, int *signal,
	       uint64_t limit_ns)
{
	uint64_t end = time_now_ns() + limit_ns;
	bool is_asked = purpose == UNTIL_STOPPED;
	int rc = is_asked ? ask_to_stop(thread) : continue_with(thread, *signal), state;

	while (rc == 0) {
		rc = await(thread, &state, end);
		if (rc == -ETIMEDOUT && !is_asked) {
			is_asked = true;
			end = time_now_ns() + STOP_LIMIT;
			rc = ask_to_stop(thread);
			continue;
		}
		if (rc < 0)
			return rc == -ETIMEDOUT ? -EAGAIN : rc;
		rc = judge(thread, state, purpose, address, is_asked, signal);
		if (rc <= 0)
			return rc;
		rc = continue_with(thread, *signal);
	}
	return rc;
}

int thread_stop(pid_t thread)
{
	int rc, signal = 0;

	if (ptrace(PTRACE_SEIZE, thread, NULL, NULL) < 0)
		return -errno;
	rc = run(thread, UNTIL_STOPPED, 0, &signal, STOP_LIMIT);
	return rc == -ETIMEDOUT ? 0 : rc;
}

void thread_detach(pid_t thread, int signal)
{
	ptrace(PTRACE_DETACH, thread, NULL, (long)signal);
}

int thread_registers(pid_t thread, struct user_regs_struct *registers)
{
	return ptrace(PTRACE_GETREGS, thread, NULL, registers) < 0 ? -errno : 0;
}

int thread_set_registers(pid_t thread, const struct user_regs_struct *registers)
{
	return ptrace(PTRACE_SETREGS, thread, NULL, registers) < 0 ? -errno : 0;
}

static int set_debug_register(pid_t thread, size_t number, uint64_t value)
{
	size_t offset = offsetof(struct user, u_debugreg) + number * sizeof(value);

	return ptrace(PTRACE_POKEUSER, thread, offset, value) < 0 ? -errno : 0;
}

static void clear_breakpoint(pid_t thread)
{
	set_debug_register(thread, 7, 0);
	set_debug_register(thread, 6, 0);
	set_debug_register(thread, 0, 0);
}

int thread_run_to(pid_t thread, uint64_t address, uint64_t limit_ns)
{
	int rc = set_debug_register(thread, 0, address), signal = 0;

	if (rc == 0)
		rc = set_debug_register(thread, 7, ENABLE_FIRST);
	if (rc == 0)
		rc = run(thread, UNTIL_ADDRESS, address, &signal, limit_ns);
	clear_breakpoint(thread);
	return rc;
}

int thread_run_to_signal(pid_t thread, int *signal, uint64_t limit_ns)
{
	return run(thread, UNTIL_SIGNAL, 0, signal, limit_ns);
}

void thread_let_go(void)
{
	pid_t thread;
	int state;

	while ((thread = waitpid(-1, &state, __WALL | WNOHANG)) > 0)
		if (WIFSTOPPED(state)) {
			clear_breakpoint(thread);
			thread_detach(thread, is_event_stop(state) ? 0 : WSTOPSIG(state));
		}
}
