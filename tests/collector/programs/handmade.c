/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code not made by a compiler, and not described by unwind data: stacks that a language's
 * run-time made, with a root of their own, and functions in assembly.
 */

#include "situation.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#define STACK_SIZE 65536

static __attribute__((noinline, used)) void at_work(void)
{
	burn(0.3);
	puts("worked");
}

/* ---- stacks made by a run-time ---- */

/* Runs the function on another stack, from which it cannot return to its caller. */
void run_goroutine(void (*function)(void), void *stack);
void run_fiber(void (*function)(void), void *stack);

__asm__(/* returns to where the scheduler left its stack */
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
	/* As in Go, the root is entered after its first instruction. */
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
	/* As by Go's compiler, bp is saved and restored by mov. The return of the outer
	 * function cannot be found. */
	"	.type inner_frame, @function\n"
	"inner_frame:\n"
	"	sub $0x48, %rsp\n"
	"	mov %rbp, 0x40(%rsp)\n"
	"	lea 0x40(%rsp), %rbp\n"
	"	call at_work\n"
	"	mov 0x40(%rsp), %rbp\n"
	"	add $0x48, %rsp\n"
	"	ret\n"
	"	.size inner_frame, . - inner_frame\n"
	"	.type outer_frame, @function\n"
	"outer_frame:\n"
	"	push %rbp\n"
	"	mov %rsp, %rbp\n"
	"	call inner_frame\n"
	"	lea 1f(%rip), %rax\n"
	"	jmp *%rax\n"
	"	.size outer_frame, . - outer_frame\n"
	"1:	pop %rbp\n"
	"	ret\n"
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
	/* As in Boost, the address of the root is in bp, and the trampoline pushes it. */
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

extern const char goroutine[], outer_frame[];

/* The words above the top of a new stack do not look like a frame. */
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

static int frames(char **arguments)
{
	run_goroutine((void (*)(void))(size_t)outer_frame, new_stack());
	return 0;
}

static int fibers(char **arguments)
{
	run_fiber(at_work, new_stack());
	return 0;
}

/* As Go's systemstack(): the work runs on the stack of the thread, whose words above it
 * are none of a caller's. Only bp still leads to the function that asked for it. */
void ask_for_work(void *stack);

__asm__("	.local asking_stack\n"
	"	.comm asking_stack, 8, 8\n"
	"	.data\n"
	"	.balign 8\n"
	"closure: .quad thread_work\n"
	"	.text\n"
	"	.type thread_work, @function\n"
	"thread_work:\n"
	"	push %rbp\n"
	"	mov %rsp, %rbp\n"
	"	call at_work\n"
	"	pop %rbp\n"
	"	ret\n"
	"	.size thread_work, . - thread_work\n"
	"	.type thread_stack, @function\n"
	"thread_stack:\n"
	"	mov %rsp, asking_stack(%rip)\n"
	"	mov %rsi, %rsp\n"
	"	mov %rdi, %rdx\n"
	"	mov (%rdi), %rdi\n"
	"	call *%rdi\n"
	"	mov asking_stack(%rip), %rsp\n"
	"	ret\n"
	"	.size thread_stack, . - thread_stack\n"
	"	.globl ask_for_work\n"
	"	.type ask_for_work, @function\n"
	"ask_for_work:\n"
	"	push %rbp\n"
	"	mov %rsp, %rbp\n"
	"	sub $0x40, %rsp\n"
	"	mov %rdi, %rsi\n"
	"	lea closure(%rip), %rdi\n"
	"	call thread_stack\n"
	"	add $0x40, %rsp\n"
	"	pop %rbp\n"
	"	ret\n"
	"	.size ask_for_work, . - ask_for_work\n");

static __attribute__((noinline)) int switched(char **arguments)
{
	uint64_t *top = new_stack();

	for (int i = 1; i < 64; i++)
		top[-i] = 1;
	ask_for_work(top - 32);
	return 0;
}

/* ---- functions without unwind data ---- */

/* As in video encoders: saved registers and room on the stack, with an inner function, a
 * loop left in the middle, and vectors. bp holds a number. */
void count_in_vectors(long rounds);
/* The same on a stack that the function aligns. */
void count_aligned(long rounds);

__asm__("	.text\n"
	"	.type count_inside, @function\n"
	"count_inside:\n"
	"	sub $24, %rsp\n"
	"1:	vpaddd %xmm0, %xmm1, %xmm1\n"
	"	vpshufd $0x1b, %xmm1, %xmm2\n"
	"	vmovdqu %xmm2, (%rsp)\n"
	"	dec %rbp\n"
	"	jz 2f\n"
	"	pshufd $1, %xmm1, %xmm3\n"
	"	jmp 1b\n"
	"2:	add $24, %rsp\n"
	"	ret\n"
	"	.size count_inside, . - count_inside\n"
	"	.globl count_in_vectors\n"
	"	.type count_in_vectors, @function\n"
	"count_in_vectors:\n"
	"	push %rbx\n"
	"	push %rbp\n"
	"	push %r12\n"
	"	sub $0x140, %rsp\n"
	"	mov %rdi, %rbp\n"
	"	call count_inside\n"
	"	movl $7, 0x20(%rsp)\n"
	"	testb $1, 0x20(%rsp)\n"
	"	add $0x140, %rsp\n"
	"	pop %r12\n"
	"	pop %rbp\n"
	"	pop %rbx\n"
	"	ret\n"
	"	.size count_in_vectors, . - count_in_vectors\n"
	"	.globl count_aligned\n"
	"	.type count_aligned, @function\n"
	"count_aligned:\n"
	"	push %rbx\n"
	"	push %rbp\n"
	"	mov %rsp, %rax\n"
	"	sub $0x148, %rsp\n"
	"	and $-64, %rsp\n"
	"	mov %rax, 0x140(%rsp)\n"
	"	mov %rdi, %rbp\n"
	"1:	vpaddd %xmm0, %xmm1, %xmm1\n"
	"	dec %rbp\n"
	"	jnz 1b\n"
	"	mov 0x140(%rsp), %rsp\n"
	"	pop %rbp\n"
	"	pop %rbx\n"
	"	ret\n"
	"	.size count_aligned, . - count_aligned\n");

static __attribute__((noinline)) void call_often(void (*volatile function)(long))
{
	double end = cpu_seconds() + 0.3;

	do
		function(100000);
	while (cpu_seconds() < end);
}

static int vectors(char **arguments)
{
	if (!__builtin_cpu_supports("avx"))
		return 99;
	call_often(count_in_vectors);
	return 0;
}

static int aligned(char **arguments)
{
	if (!__builtin_cpu_supports("avx"))
		return 99;
	call_often(count_aligned);
	return 0;
}

/* sub $8, %rsp; call *%rcx; add $8, %rsp; ret - CPython makes one of these per function.
 */
static int trampolines(char **arguments)
{
	typedef void (*trampoline)(void *, int, int, void (*)(void));
	void *pages = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED)
		return 99;
	memcpy(pages, "\x48\x83\xec\x08\xff\xd1\x48\x83\xc4\x08\xc3", 11);
	((trampoline)(size_t)pages)(NULL, 0, 0, at_work);
	return 0;
}

int main(int argc, char *argv[])
{
	static const struct situation situations[] = {
		{ "goroutines", goroutines },	{ "fibers", fibers },
		{ "vectors", vectors },		{ "aligned", aligned },
		{ "trampolines", trampolines }, { "frames", frames },
		{ "switched", switched },	{},
	};

	return run_situation(situations, argc, argv);
}
