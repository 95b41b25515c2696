/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the number of a system call that has just ended, in code of many kinds. Each
 * function makes a call, and stops after it.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "collector/unwind/interrupted.h"
#include "collector/unwind/unwind.h"

#define NUMBER	   110 /* getppid: no arguments, no effects */
#define UD2_LENGTH 2

static bool is_found;
static uint32_t found;

static void stop(int signal, siginfo_t *info, void *arg)
{
	ucontext_t *context = arg;

	if (signal == SIGSEGV) {
		if (!unwind_fault(context, (uintptr_t)info->si_addr))
			abort();
		return;
	}
	is_found = interrupted_call_number(&found, context);
	context->uc_mcontext.gregs[REG_RIP] += UD2_LENGTH;
}

#define FUNCTION(name, code)                                      \
	void name(const void *);                                  \
	__asm__("	.text\n"                                        \
		"	.p2align 4\n"                                   \
		"	.type " #name ", @function\n" #name ":\n" \
		"	.cfi_startproc\n" code "	ret\n"           \
		"	.cfi_endproc\n"                                 \
		"	.size " #name ", . - " #name "\n")

#define CALL "	syscall\n	ud2\n"

/* clang-format off */
FUNCTION(at_once, "	movl $110, %eax\n" CALL);
FUNCTION(sign_extended, "	movq $110, %rax\n" CALL);
FUNCTION(before_others,
	"	endbr64\n	movl $110, %eax\n	xorl %esi, %esi\n	movl $8, %r8d\n"
	"	leaq 8(%rsp), %rdx\n	not %edx\n	testb $8, (%rsp)\n	jne 1f\n"
	"	xorb $0x80, %sil\n" CALL "1:\n");
FUNCTION(in_a_loop,
	"	movl $110, %r9d\n	movl $2, %r8d\n"
	"1:	movl %r9d, %eax\n" CALL "	subl $1, %r8d\n	jne 1b\n");
FUNCTION(in_a_kept_register,
	"	pushq %rbx\n	movq (%rdi), %rbx\n	movq %rbx, %rax\n" CALL "	popq %rbx\n");
FUNCTION(on_the_stack,
	"	pushq $110\n	pushq %rbx\n	subq $16, %rsp\n	movq 24(%rsp), %rax\n" CALL
	"	addq $16, %rsp\n	popq %rbx\n	popq %rdx\n");
FUNCTION(after_a_return,
	"	pushq $110\n	testq %rdi, %rdi\n	jne 1f\n	popq %rax\n	ret\n"
	"1:	movq (%rsp), %rax\n" CALL "	popq %rdx\n");
FUNCTION(after_an_upper_byte,
	"	pushq $39\n	pushq $110\n	movq (%rsp), %rdi\n	subb $8, %ah\n"
	"	movq %rdi, %rax\n" CALL "	popq %rdx\n	popq %rdx\n");
FUNCTION(by_bp,
	"	pushq %rbp\n	movq %rsp, %rbp\n	pushq $110\n	movl -8(%rbp), %eax\n" CALL
	"	leave\n");

/* As in libc since 2.41, with and without frame pointers. */
FUNCTION(arch,
	"	movl (%rdi), %eax\n	testb $0x80, (%rdi)\n	jne abort\n	movq %rdi, %r11\n"
	"	movq %rsi, %rax\n	movq %rdx, %rdi\n	movq %rcx, %rsi\n	movq %r8, %rdx\n"
	"	movq %r9, %r10\n	movq 8(%rsp), %r8\n	movq 16(%rsp), %r9\n"
	"	movq %r11, 8(%rsp)\n" CALL);
FUNCTION(inner,
	"	pushq %r9\n	pushq %r8\n	movq 24(%rsp), %rsi\n	movq %rdi, %rdx\n"
	"	leaq 24(%rsp), %rdi\n	call arch\n	popq %rcx\n	popq %rcx\n");
FUNCTION(inner_with_frame,
	"	pushq %rbp\n	movq %rsp, %rbp\n	pushq %r9\n	pushq %r8\n	movq 16(%rbp), %rsi\n"
	"	movq %rdi, %rdx\n	leaq 16(%rbp), %rdi\n	call arch\n	leave\n");
FUNCTION(cancellable,
	"	subq $8, %rsp\n	pushq $110\n	call inner\n	addq $16, %rsp\n");
FUNCTION(cancellable_with_frame,
	"	subq $8, %rsp\n	pushq $110\n	call inner_with_frame\n	addq $16, %rsp\n");
/* As in libc's syscall(). */
FUNCTION(hand_on, "	movq %rdi, %rax\n	movq %rsi, %rdi\n	movq 8(%rsp), %r9\n" CALL);
FUNCTION(handed_on, "	movl $110, %edi\n	xorl %esi, %esi\n	call hand_on\n");

FUNCTION(one_of_two,
	"	movl $110, %eax\n	testq %rdi, %rdi\n	jne 1f\n	movl $39, %eax\n1:" CALL);
FUNCTION(one_of_two_behind,
	"	movl $110, %eax\n1:" CALL "	testq %rdi, %rdi\n	jne 2f\n	jmp 1b\n2:\n");
FUNCTION(of_another_register, "	movl (%rdi), %eax\n	movl $110, %r8d\n" CALL);
FUNCTION(calculated, "	movl $100, %eax\n	addl $10, %eax\n" CALL);
FUNCTION(overwritten,
	"	pushq $110\n	movq (%rsp), %rax\n	movq $0, (%rsp)\n" CALL "	popq %rdx\n");
FUNCTION(upper_byte_of_a_copy,
	"	movl (%rdi), %eax\n	pushq %rbx\n	movl %eax, %ebx\n	xorb $1, %bh\n" CALL
	"	popq %rbx\n");
FUNCTION(handed_on_by_pointer,
	"	pushq %rbx\n	leaq hand_on(%rip), %rbx\n	movl $110, %edi\n	call *%rbx\n"
	"	popq %rbx\n");
FUNCTION(computed_goto,
	"	leaq 1f(%rip), %rdx\n	movl $110, %eax\n	jmp *%rdx\n	movl $110, %eax\n"
	"1:" CALL);
/* clang-format on */
static void no_call(const void *number)
{
	__asm__ volatile("ud2" : : "a"(NUMBER));
}

static const struct test_case {
	void (*function)(const void *);
	const char *name;
} told[] = {
	{ at_once, "at once" },
	{ sign_extended, "sign-extended" },
	{ before_others, "before others" },
	{ in_a_loop, "in a loop" },
	{ in_a_kept_register, "in a kept register" },
	{ on_the_stack, "on the stack" },
	{ after_a_return, "after a return" },
	{ after_an_upper_byte, "after an upper byte" },
	{ by_bp, "by bp" },
	{ cancellable, "cancellable" },
	{ cancellable_with_frame, "cancellable, with a frame" },
	{ handed_on, "handed on" },
}, unclear[] = {
	{ no_call, "no call" },
	{ one_of_two, "one of two" },
	{ one_of_two_behind, "one of two, from behind" },
	{ of_another_register, "of another register" },
	{ calculated, "calculated" },
	{ overwritten, "overwritten" },
	{ upper_byte_of_a_copy, "upper byte of a copy" },
	{ handed_on_by_pointer, "handed on, by a pointer" },
	{ computed_goto, "computed goto" },
};

static void check(const struct test_case *cases, size_t count, bool is_told)
{
	static const uint64_t number = NUMBER;
	struct sigaction action = { .sa_sigaction = stop, .sa_flags = SA_SIGINFO };

	/* cmocka installs its own handlers around each test */
	sigaction(SIGILL, &action, NULL);
	sigaction(SIGSEGV, &action, NULL);
	for (size_t i = 0; i < count; i++) {
		is_found = !is_told;
		found = 0;
		cases[i].function(&number);
		if (is_found != is_told || (is_told && found != NUMBER))
			fail_msg("%s: found %d, number %u", cases[i].name, is_found,
				 found);
	}
}

static void the_number_is_found(void **state)
{
	check(told, sizeof(told) / sizeof(*told), true);
}

static void what_is_not_clear_is_not_guessed(void **state)
{
	check(unclear, sizeof(unclear) / sizeof(*unclear), false);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_number_is_found),
		cmocka_unit_test(what_is_not_clear_is_not_guessed),
	};

	unwind_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
