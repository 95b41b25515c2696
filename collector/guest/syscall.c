/* SPDX-License-Identifier: Apache-2.0 */
/* syscall() of libc, by which a program can make any system call: calls that concern the
 * collector take the usual wrappers. */

#include "collector/base/interpose.h"
#include "collector/base/system.h"
#include "collector/descendants/clone.h"
#include "collector/descendants/descendants.h"
#include "collector/descendants/exec.h"
#include "collector/guest/sandbox.h"
#include "collector/recording/recording.h"

/* Returns the function to jump to with the arguments of syscall(): a wrapper for this
 * call, or that of libc, which must not return here because it makes threads and
 * children, too. */
__attribute__((visibility("hidden"), used)) void *
note_system_call(long number, long first, long second, long third);
void *note_system_call(long number, long first, long second, long third)
{
	static struct real real = { "syscall", "GLIBC_2.2.5", NULL };
	void *ours = descendants_system_call(number, first, second);

	if (!ours)
		ours = exec_system_call(number);
	if (ours)
		return ours;
	sandbox_system_call(number, first, third);
	if (number == SYS_exit_group && descendants_place() == PLACE_OWN)
		collector_end();
	return real_function(&real);
}

__asm__(".text\n"
	".type syscall_2_2_5, @function\n"
	"syscall_2_2_5:\n"
	".cfi_startproc\n"
	"	push %rdi\n"
	"	push %rsi\n"
	"	push %rdx\n"
	"	push %rcx\n"
	"	push %r8\n"
	"	push %r9\n"
	"	sub $8, %rsp\n"
	".cfi_adjust_cfa_offset 56\n"
	"	call note_system_call\n"
	"	add $8, %rsp\n"
	"	pop %r9\n"
	"	pop %r8\n"
	"	pop %rcx\n"
	"	pop %rdx\n"
	"	pop %rsi\n"
	"	pop %rdi\n"
	".cfi_adjust_cfa_offset -56\n"
	"	jmp *%rax\n"
	".cfi_endproc\n"
	".size syscall_2_2_5, . - syscall_2_2_5\n"
	".globl syscall_2_2_5\n"
	".symver syscall_2_2_5, syscall@@GLIBC_2.2.5\n");
