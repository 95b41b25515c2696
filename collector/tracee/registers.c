/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/tracee/registers.h"

#include <errno.h>
#include <stddef.h>
#include <sys/ptrace.h>

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
