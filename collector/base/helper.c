/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/base/helper.h"

#include <sched.h>

#include "collector/base/system.h"

void helper_reset_signals(void)
{
	/* The kernel's struct sigaction: handler, flags, restorer, mask. */
	static const uint64_t by_default[4];
	static const uint64_t nothing_blocked;

	for (int signal = 1; signal <= 64; signal++)
		system_call(SYS_rt_sigaction, signal, (long)by_default, 0,
			    sizeof(nothing_blocked), 0, 0);
	sys_sigmask(SIG_SETMASK, &nothing_blocked, NULL);
}

void helper_use_null_device(void)
{
	int fd = sys_openat(AT_FDCWD, "/dev/null", O_RDWR, 0);

	for (int i = 0; i < 3 && fd >= 0; i++)
		system_call(SYS_dup2, fd, i, 0, 0, 0, 0);
}

void helper_close_from(int fd)
{
	system_call(SYS_close_range, fd, ~0U, 0, 0, 0, 0);
}

/* The kernel's clone, on a stack of its own. glibc's is one of the functions that we
 * wrap. A debugger neither sees nor follows the helper: it is not the program's child. */
pid_t helper_clone(char *stack, size_t size, int (*function)(void *), void *data,
		   long flags, int *pidfd)
{
	char *top = stack + size - 16;
	register long r10 __asm__("r10") = 0;
	register long r8 __asm__("r8") = 0;
	long result;

	__asm__ volatile("mov %[data], %%r12\n"
			 "mov %[function], %%r13\n"
			 "syscall\n"
			 "test %%rax, %%rax\n"
			 "jnz 1f\n"
			 "xor %%ebp, %%ebp\n"
			 "mov %%r12, %%rdi\n"
			 "call *%%r13\n"
			 "ud2\n"
			 "1:\n"
			 : "=a"(result)
			 : "a"(SYS_clone), "D"(flags | CLONE_UNTRACED), "S"(top),
			   "d"(pidfd), "r"(r10),
			   "r"(r8), [data] "r"(data), [function] "r"(function)
			 : "rcx", "r11", "r12", "r13", "memory");
	return (pid_t)result;
}
