/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The number of a system call that has ended. The kernel keeps it to itself, and the
 * result has taken its place. But an instruction ahead of the call says it, or the
 * register or the word of the stack that it came from still has it. libc's
 * cancellation points have called one function since glibc 2.41: there the number is
 * found with the callers of that function.
 */
#ifndef COLLECTOR_UNWIND_INTERRUPTED_H
#define COLLECTOR_UNWIND_INTERRUPTED_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#define SYSCALL_LENGTH 2

/* Any context, whose pc is after the call. False: the number cannot be told. */
bool interrupted_call_number(uint32_t *number, const ucontext_t *context)
	__attribute__((cold));

#endif
