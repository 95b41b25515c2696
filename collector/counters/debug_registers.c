/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/counters/debug_registers.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __x86_64__

enum answer { NOT_ASKED, UNKNOWN, ALIVE, DEAD };

/* DR7: the first register, enabled for this thread, for execution. */
#define ENABLE_FIRST 1L

__attribute__((noinline, noclone)) static void reach(void)
{
	__asm__ volatile("" ::: "memory");
}

__attribute__((noreturn)) static void be_tried(void)
{
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0 && raise(SIGSTOP) == 0) {
		reach();
		_exit(0);
	}
	_exit(1);
}

static int set_register(pid_t thread, size_t number, uint64_t value)
{
	size_t offset = offsetof(struct user, u_debugreg) + number * sizeof(value);

	return ptrace(PTRACE_POKEUSER, thread, offset, value) < 0 ? -errno : 0;
}

int debug_registers_set(pid_t thread, uint64_t address)
{
	int rc = set_register(thread, 0, address);

	return rc == 0 ? set_register(thread, 7, ENABLE_FIRST) : rc;
}

void debug_registers_clear(pid_t thread)
{
	set_register(thread, 7, 0);
	set_register(thread, 6, 0);
	set_register(thread, 0, 0);
}

static bool set_breakpoint(pid_t child)
{
	return ptrace(PTRACE_SETOPTIONS, child, NULL, PTRACE_O_EXITKILL) == 0 &&
	       debug_registers_set(child, (uintptr_t)reach) == 0;
}

static enum answer try(pid_t child)
{
	int state;

	if (waitpid(child, &state, 0) != child || !WIFSTOPPED(state))
		return UNKNOWN;
	if (WSTOPSIG(state) != SIGSTOP || !set_breakpoint(child) ||
	    ptrace(PTRACE_CONT, child, NULL, NULL) < 0 ||
	    waitpid(child, &state, 0) != child) {
		kill(child, SIGKILL);
		waitpid(child, &state, 0);
		return UNKNOWN;
	}
	if (WIFEXITED(state))
		return WEXITSTATUS(state) == 0 ? DEAD : UNKNOWN;
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	return WIFSTOPPED(state) && WSTOPSIG(state) == SIGTRAP ? ALIVE : UNKNOWN;
}

bool debug_registers_are_dead(void)
{
	static enum answer answer;

	if (answer == NOT_ASKED) {
		pid_t child = fork();

		if (child == 0)
			be_tried();
		answer = child > 0 ? try(child) : UNKNOWN;
	}
	return answer == DEAD;
}

#else

int debug_registers_set(pid_t thread, uint64_t address)
{
	(void)thread;
	(void)address;
	return -ENOTSUP;
}

void debug_registers_clear(pid_t thread)
{
	(void)thread;
}

bool debug_registers_are_dead(void)
{
	return false;
}

#endif
