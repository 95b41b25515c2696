/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A signal may be pending when the debugger lets the thread run, or come when the mask is
 * restored. Its handler goes on without rt_sigreturn then: in the code here, only the
 * stack pointer is needed to return to the debugger.
 */
#include "collector/signals/hold.h"

#include <signal.h>
#include <string.h>

#include "collector/base/system.h"
#include "collector/unwind/x86_64.h"

uint64_t __collector_held_mask;

/* All but SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV and SIGSYS. */
__attribute__((visibility("hidden"), used)) const uint64_t hold_mask =
	~(SIGNAL_BIT(SIGILL) | SIGNAL_BIT(SIGTRAP) | SIGNAL_BIT(SIGBUS) |
	  SIGNAL_BIT(SIGFPE) | SIGNAL_BIT(SIGSEGV) | SIGNAL_BIT(SIGSYS));

/* rt_sigprocmask is call 14, and SIG_SETMASK is 2. */
__asm__(".text\n"
	".globl __collector_hold, __collector_release\n"
	".hidden hold_end, release_end\n"
	".globl hold_end, release_end\n"
	".type __collector_hold, @function\n"
	".type __collector_release, @function\n"
	"__collector_hold:\n"
	".cfi_startproc\n"
	"	lea hold_mask(%rip), %rsi\n"
	"	mov __collector_held_mask@GOTPCREL(%rip), %rdx\n"
	"	mov $2, %edi\n"
	"	mov $8, %r10d\n"
	"	mov $14, %eax\n"
	"	syscall\n"
	"hold_end:\n"
	"	ret\n"
	".cfi_endproc\n"
	".size __collector_hold, . - __collector_hold\n"
	"__collector_release:\n"
	".cfi_startproc\n"
	"	mov __collector_held_mask@GOTPCREL(%rip), %rsi\n"
	"	xor %edx, %edx\n"
	"	mov $2, %edi\n"
	"	mov $8, %r10d\n"
	"	mov $14, %eax\n"
	"	syscall\n"
	"release_end:\n"
	"	ret\n"
	".cfi_endproc\n"
	".size __collector_release, . - __collector_release\n");

__attribute__((visibility("hidden"))) extern const char hold_end[], release_end[];

static bool is_at_hold(uintptr_t pc)
{
	return pc >= (uintptr_t)__collector_hold && pc <= (uintptr_t)hold_end;
}

bool hold_is_at(const ucontext_t *context)
{
	uintptr_t pc = context_pc(context);

	return is_at_hold(pc) || pc == (uintptr_t)release_end;
}

void hold_go_on(const ucontext_t *context)
{
	bool is_hold = is_at_hold(context_pc(context));
	uint64_t mask;

	memcpy(&mask, &context->uc_sigmask, sizeof(mask));
	if (is_hold)
		__collector_held_mask = mask;
	sys_sigmask(SIG_SETMASK, is_hold ? &hold_mask : &mask, NULL);
	__asm__ volatile("mov %0, %%rsp\n\tret"
			 :
			 : "r"(context->uc_mcontext.gregs[REG_RSP])
			 : "memory");
	__builtin_unreachable();
}
