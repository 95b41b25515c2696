/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code that no compiler has made, and that no unwind data describe: stacks of a run-time's own with a root
 * of their own, and functions in assembly.
 */

#include "situation.h"

#include <stdlib.h>

#define STACK_SIZE 65536

static __attribute__((noinline, used)) void at_work(void)
{
	burn(0.3);
	puts("worked");
}

/* ---- stacks of a run-time's own ---- */

/* On another stack: the function, from which there is no return to its caller. */
void run_goroutine(void (*function)(void), void *stack);
void run_fiber(void (*function)(void), void *stack);

__asm__(/* It goes back where the scheduler's stack was left. */
	"	.local scheduler\n"
	"	.comm scheduler, 8, 8\n"
	"	.text\n"
	"	.type leave_stack, @function\n"
	"leave_stack:\n"
	"	mov scheduler(%rip), %rsp\n"
	"	pop %rbp\n"
	"	pop %rbx\n"
	"	ret\n"
	"	.size leave_stack, . - leave_stack\n"
	/* As Go has it: the root is entered behind its first instruction. */
	"	.type goexit, @function\n"
	"	int3\n"
	"goexit:\n"
	"	nop\n"
	"	call leave_stack\n"
	"	nop\n"
	"	int3\n"
	"	.size goexit, . - goexit\n"
	"	.type goroutine, @function\n"
	"goroutine:\n"
	"	push %rbp\n"
	"	mov %rsp, %rbp\n"
	"	call at_work\n"
	"	pop %rbp\n"
	"	ret\n"
	"	.size goroutine, . - goroutine\n"
	"	.globl run_goroutine\n"
	"	.type run_goroutine, @function\n"
	"run_goroutine:\n"
	"	push %rbx\n"
	"	push %rbp\n"
	"	mov %rsp, scheduler(%rip)\n"
	"	mov %rsi, %rsp\n"
	"	lea 1 + goexit(%rip), %rax\n"
	"	push %rax\n"
	"	xor %ebp, %ebp\n"
	"	jmp *%rdi\n"
	"	.size run_goroutine, . - run_goroutine\n"
	/* As Boost has it: the address of the root is in bp, and the trampoline pushes it. */
	"	.globl run_fiber\n"
	"	.type run_fiber, @function\n"
	"run_fiber:\n"
	"	push %rbx\n"
	"	push %rbp\n"
	"	mov %rsp, scheduler(%rip)\n"
	"	mov %rsi, %rsp\n"
	"	mov %rdi, %rbx\n"
	"	lea 1f(%rip), %rbp\n"
	"	push %rbp\n"
	"	jmp *%rbx\n"
	"1:	xor %rdi, %rdi\n"
	"	call leave_stack\n"
	"	hlt\n"
	"	.size run_fiber, . - run_fiber\n");

extern const char goroutine[];

/* What is above the top of a new stack is no frame. */
static void *new_stack(void)
{
	char *stack = malloc(STACK_SIZE + 64);

	memset(stack + STACK_SIZE, 0x55, 64);
	return stack + STACK_SIZE;
}

static int goroutines(char **arguments)
{
	run_goroutine(at_work, new_stack());
	run_goroutine((void (*)(void))(size_t)goroutine, new_stack());
	return 0;
}

static int fibers(char **arguments)
{
	run_fiber(at_work, new_stack());
	return 0;
}

int main(int argc, char *argv[])
{
	static const struct situation situations[] = {
		{ "goroutines", goroutines },
		{ "fibers", fibers },
		{},
	};

	return run_situation(situations, argc, argv);
}
