/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/inject/thread.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/counters/debug_registers.h"
#include "collector/inject/status.h"
#include "libexpt/base/time.h"
#include "libexpt/cli/cli.h"

#define STOP_LIMIT   (200 * MS)
#define WARNING_TIME (3000 * MS) /* after which the user is told who waits */

static bool is_event_stop(int state)
{
	return state >> 16 == PTRACE_EVENT_STOP;
}

/* The signal of a stop at a system call: PTRACE_O_TRACESYSGOOD */
#define SYSTEM_CALL (SIGTRAP | 0x80)

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

	if (is_event_stop(state) || WSTOPSIG(state) == SYSTEM_CALL)
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

/* The signal of a breakpoint or a step is forced: the kernel would open it for good, and
 * take its handler away, if the thread blocked it. So it is open meanwhile, in each mask
 * that the thread has. */
struct way {
	enum __ptrace_request how; /* PTRACE_CONT or PTRACE_SINGLESTEP */
	bool has_opened;
	uint64_t mask;	   /* in which it was opened last */
	unsigned handlers; /* that the thread is in, not stepped through */
	bool is_in_call;   /* of the system */
};

#define TRAP (UINT64_C(1) << (SIGTRAP - 1))

static void open_trap(pid_t thread, struct way *way)
{
	uint64_t mask = 0;

	if (thread_mask(thread, &mask) < 0 || (mask & TRAP) == 0)
		return;
	way->has_opened = true;
	way->mask = mask;
	thread_set_mask(thread, mask & ~TRAP);
}

/* A thread that has left a handler since, or set its mask, has the right one. */
static void close_trap(pid_t thread, struct way *way)
{
	uint64_t mask = 0;

	if (!way->has_opened || thread_mask(thread, &mask) < 0 ||
	    mask != (way->mask & ~TRAP))
		return;
	way->has_opened = false;
	thread_set_mask(thread, way->mask);
}

/* Whether the thread is about to make a system call. That is no step: one that blocks
 * SIGTRAP would end with it blocked, and one that asks for the mask would get ours. */
#define SYSCALL_INSTRUCTION 0x050f

static bool is_before_call(pid_t thread)
{
	struct user_regs_struct registers = {};

	thread_registers(thread, &registers);
	errno = 0;
	return (ptrace(PTRACE_PEEKTEXT, thread, registers.rip, NULL) & 0xffff) ==
		       SYSCALL_INSTRUCTION &&
	       errno == 0;
}

static int go_on(pid_t thread, struct way *way, int signal)
{
	enum __ptrace_request how = way->how;

	if (how == PTRACE_SINGLESTEP) {
		if (way->handlers == 0 && !way->is_in_call)
			way->is_in_call = is_before_call(thread);
		if (way->is_in_call)
			close_trap(thread, way);
		if (way->handlers > 0 || way->is_in_call)
			how = PTRACE_SYSCALL;
		else
			open_trap(thread, way);
	}
	return ptrace(how, thread, NULL, (long)signal) < 0 ? -errno : 0;
}

static bool is_caught(pid_t thread, int signal)
{
	struct process_status status;

	return process_status_read(&status, thread) == 0 &&
	       (status.caught & UINT64_C(1) << (signal - 1)) != 0;
}

/* The thread is stopped at the beginning or at the end of a system call. */
static void count_call(pid_t thread, struct way *way)
{
	struct user_regs_struct registers = {};

	thread_registers(thread, &registers);
	way->is_in_call = (int64_t)registers.rax == -ENOSYS &&
			  registers.orig_rax != ~UINT64_C(0);
	if (way->is_in_call && way->handlers > 0 &&
	    registers.orig_rax == SYS_rt_sigreturn)
		way->handlers--;
}

/* Handlers are run to their return: stepped through, those of a short clock would never
 * end, as the next event comes before. A step into the first one stops there. */
static void count_handlers(pid_t thread, struct way *way, int state, int signal)
{
	siginfo_t info = {};

	if (way->how != PTRACE_SINGLESTEP || is_event_stop(state))
		return;
	if (WSTOPSIG(state) == SYSTEM_CALL)
		count_call(thread, way);
	else if (signal != 0 && (way->handlers > 0 || way->is_in_call))
		way->handlers += is_caught(thread, signal);
	else if (signal == 0 && ptrace(PTRACE_GETSIGINFO, thread, NULL, &info) == 0)
		way->handlers += info.si_code == TRAP_UNK;
}

/* A step over a system call that was interrupted raises SIGTRAP only after the stop. It
 * comes as soon as the thread goes on. */
static bool has_trap(pid_t thread, const struct way *way)
{
	struct process_status status;

	return way->how == PTRACE_SINGLESTEP &&
	       process_status_read(&status, thread) == 0 && (status.pending & TRAP) != 0;
}

/* The thread has been asked to stop, and does something else first: let it. */
static int let_finish(pid_t thread, int signal)
{
	int rc = thread_continue(thread, signal);

	return rc == 0 && signal != 0 ? ask_to_stop(thread) : rc;
}

/* Let the thread run to the address, or if that is 0, stop it at once; see thread.h. It
 * gets its signals. */
static int run(pid_t thread, uint64_t address, struct way *way, uint64_t limit_ns)
{
	uint64_t end = time_now_ns() + limit_ns;
	bool is_asked = address == 0;
	int rc = is_asked ? ask_to_stop(thread) : go_on(thread, way, 0), state;

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
		if (is_stop && is_asked && !has_trap(thread, way))
			return -ETIMEDOUT;
		signal = signal_of(thread, state);
		count_handlers(thread, way, state, signal);
		if (address && !is_stop && signal == 0 && is_at(thread, address))
			return 0;
		if (way->how == PTRACE_SINGLESTEP && !is_stop && signal == 0 &&
		    way->handlers == 0 && !way->is_in_call &&
		    (is_asked || time_now_ns() >= end))
			return -ETIMEDOUT;
		rc = is_asked ? let_finish(thread, signal) : go_on(thread, way, signal);
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
	struct way way = { .how = PTRACE_CONT };
	int rc;

	if (ptrace(PTRACE_SEIZE, thread, NULL, PTRACE_O_TRACESYSGOOD) < 0)
		return errno == EPERM ? why_not(thread) : -errno;
	rc = run(thread, 0, &way, STOP_LIMIT);
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

int thread_mask(pid_t thread, uint64_t *mask)
{
	return ptrace(PTRACE_GETSIGMASK, thread, sizeof(*mask), mask) < 0 ? -errno : 0;
}

int thread_set_mask(pid_t thread, uint64_t mask)
{
	return ptrace(PTRACE_SETSIGMASK, thread, sizeof(mask), &mask) < 0 ? -errno : 0;
}

int thread_run_to(pid_t thread, uint64_t address, uint64_t limit_ns)
{
	bool has_steps = debug_registers_are_dead();
	struct way way = { .how = has_steps ? PTRACE_SINGLESTEP : PTRACE_CONT };
	int rc = has_steps ? 0 : debug_registers_set(thread, address);

	open_trap(thread, &way);
	if (rc == 0)
		rc = run(thread, address, &way, limit_ns);
	if (!has_steps)
		debug_registers_clear(thread);
	close_trap(thread, &way);
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
