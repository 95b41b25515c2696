/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/tracee/way.h"

#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

#include "collector/tracee/registers.h"
#include "collector/tracee/status.h"

#define TRAP (UINT64_C(1) << (SIGTRAP - 1))

void way_open_trap(struct way *way, pid_t thread)
{
	uint64_t mask = 0;

	if (thread_mask(thread, &mask) < 0 || (mask & TRAP) == 0)
		return;
	way->has_opened = true;
	way->mask = mask;
	thread_set_mask(thread, mask & ~TRAP);
}

void way_close_trap(struct way *way, pid_t thread)
{
	uint64_t mask = 0;

	if (!way->has_opened || thread_mask(thread, &mask) < 0 ||
	    mask != (way->mask & ~TRAP))
		return;
	way->has_opened = false;
	thread_set_mask(thread, way->mask);
}

static bool is_free(const struct way *way)
{
	return way->handlers == 0 && !way->is_in_call;
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

int way_continue(struct way *way, pid_t thread, int signal)
{
	enum __ptrace_request how = way->has_steps ? PTRACE_SINGLESTEP : PTRACE_CONT;

	if (way->has_steps) {
		if (is_free(way))
			way->is_in_call = is_before_call(thread);
		if (way->is_in_call)
			way_close_trap(way, thread);
		if (!is_free(way))
			how = PTRACE_SYSCALL;
		else
			way_open_trap(way, thread);
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
static void note_call(struct way *way, pid_t thread)
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
void way_note_stop(struct way *way, pid_t thread, int signal, bool is_call)
{
	siginfo_t info = {};

	if (!way->has_steps)
		return;
	if (is_call)
		note_call(way, thread);
	else if (signal != 0 && (way->handlers > 0 || way->is_in_call))
		way->handlers += is_caught(thread, signal);
	else if (signal == 0 && ptrace(PTRACE_GETSIGINFO, thread, NULL, &info) == 0)
		way->handlers += info.si_code == TRAP_UNK;
}

bool way_may_end(const struct way *way)
{
	return way->has_steps && is_free(way);
}

/* A step over a system call that was interrupted raises SIGTRAP only after the stop. It
 * comes as soon as the thread goes on. */
bool way_has_trap(const struct way *way, pid_t thread)
{
	struct process_status status;

	return way->has_steps && process_status_read(&status, thread) == 0 &&
	       (status.pending & TRAP) != 0;
}
