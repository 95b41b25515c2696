/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The number of a system call that has ended. The kernel does not report it, and the
 * result has replaced it in its register. But an instruction before the call contains it,
 * or the register or stack word that it came from still has it. Since glibc 2.41 libc's
 * cancellation points call one common function: the number is then found in the callers
 * of that function.
 */
#ifndef COLLECTOR_UNWIND_INTERRUPTED_H
#define COLLECTOR_UNWIND_INTERRUPTED_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#define SYSCALL_LENGTH 2

/* Call in any context. The pc of *context is after the call. False: the number cannot be
 * determined. */
bool interrupted_call_number(uint32_t *number, const ucontext_t *context)
	__attribute__((cold));

#endif
