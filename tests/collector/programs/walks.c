/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ways of calling and returning, for comparing the unwinder with the truth: callbacks
 * from libc, linkage stubs, indirect calls of every form, code made at run time, alloca,
 * aligned frames, tail calls, jumps over frames, handlers on both kinds of stack. Prints
 * a sum, so that nothing is optimised away.
 */

#include <alloca.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tests/collector/preload/truth.h"

#define noinline __attribute__((noinline, noclone))

static volatile long sum;
static jmp_buf back;
static sigjmp_buf out_of_handler;

/* ---- calls ---- */

static int by_value(const void *left, const void *right)
{
	sum++;
	return *(const int *)left - *(const int *)right;
}

static noinline void sort(void)
{
	int numbers[24];

	for (int i = 0; i < 24; i++)
		numbers[i] = i * 7919 % 101;
	qsort(numbers, 24, sizeof(*numbers), by_value);
	sum += numbers[3];
}

static noinline void print(void)
{
	char text[200];

	sum += snprintf(text, sizeof(text), "%s %d %.3f %#lx", "a text", 42, 3.25, sum);
	sum += (long)strlen(text) + atoi("17");
}

struct object {
	long value;
	long (*methods[20])(struct object *);
};

static noinline long method(struct object *object)
{
	return ++object->value;
}

static noinline long call_tables(struct object *objects, long index)
{
	long (*direct)(struct object *) = objects[index].methods[index];
	long result = direct(&objects[0]);

	result += objects->methods[0](objects);
	result += objects->methods[18](objects);
	result += objects[index].methods[index](objects);
	return result + objects[1].methods[index + 1](&objects[1]);
}

static noinline void call_methods(void)
{
	struct object objects[3];

	for (int i = 0; i < 3; i++) {
		objects[i].value = i;
		for (int j = 0; j < 20; j++)
			objects[i].methods[j] = method;
	}
	for (int i = 0; i < 2; i++)
		sum += call_tables(objects, i);
}

/* Assembly without unwind data that uses bp for data, as in GMP. */
long bare(long rounds);
__asm__("	.text\n"
	"	.type bare, @function\n"
	"bare:	push %rbx\n"
	"	push %rbp\n"
	"	push %r12\n"
	"	mov %rdi, %rbp\n"
	"	xor %eax, %eax\n"
	"1:	add %rbp, %rax\n"
	"	dec %rbp\n"
	"	jnz 1b\n"
	"	pop %r12\n"
	"	pop %rbp\n"
	"	pop %rbx\n"
	"	ret\n"
	"	.size bare, . - bare\n");

/* The same with a frame. A stale return address is at sp for a while. */
long framed(long rounds);
__asm__("	.text\n"
	"	.type framed, @function\n"
	"2:	lea 1(%rdi), %rax\n"
	"	ret\n"
	"framed:	push %rbp\n"
	"	mov %rsp, %rbp\n"
	"	push $34\n"
	"	call 2b\n"
	"	sub $8, %rsp\n"
	"	add %rdi, %rax\n"
	"	sub $0x40, %rsp\n"
	"1:	add %rdi, %rax\n"
	"	dec %rdi\n"
	"	jnz 1b\n"
	"	leave\n"
	"	ret\n"
	"	.size framed, . - framed\n");

static noinline void call_bare(long rounds)
{
	volatile char memory[rounds]; /* a frame with a frame pointer */

	memory[0] = 1;
	sum += bare(rounds) + framed(rounds) + memory[0];
}

/* The same, followed by a leaf that it calls through a pointer. */
long pointing(long rounds);
__asm__("	.text\n"
	"	.type pointing, @function\n"
	"pointing:\n"
	"	push %rbp\n"
	"	mov %rsp, %rbp\n"
	"	xor %eax, %eax\n"
	"	lea 1f(%rip), %rdx\n"
	"	call *%rdx\n"
	"	pop %rbp\n"
	"	ret\n"
	"1:	add %rdi, %rax\n"
	"	dec %rdi\n"
	"	jnz 1b\n"
	"	ret\n"
	"	.size pointing, . - pointing\n");

static noinline void call_pointing(long rounds)
{
	sum += pointing(rounds);
}

/* ---- code made at run time ---- */

/* Two functions with frame pointers. The first calls the second, and a third without one.
 */
static const unsigned char made_code[] = {
	0x55,		   /* push %rbp */
	0x48, 0x89, 0xe5,  /* mov %rsp,%rbp */
	0xe8, 9, 0, 0, 0,  /* call second */
	0xe8, 19, 0, 0, 0, /* call third */
	0x5d,		   /* pop %rbp */
	0xc3,		   /* ret */
	0x66, 0x90,	   /* nop */
	/* second: */
	0xf3, 0x0f, 0x1e, 0xfa, /* endbr64 */
	0x55,			/* push %rbp */
	0x48, 0x8b, 0xec,	/* mov %rsp,%rbp, the other form */
	0x48, 0x8d, 0x47, 0x05, /* lea 5(%rdi),%rax */
	0xc9,			/* leave */
	0xc3,			/* ret */
	0x90,			/* nop */
	/* third: */
	0x48, 0x8d, 0x47, 0x05, /* lea 5(%rdi),%rax */
	0x48, 0x01, 0xf8,	/* add %rdi,%rax */
	0xc3,			/* ret */
};

#define THIRD 33

typedef long (*made_function)(long);

/* The caller of made code uses bp for data, ... */
long without_frame(made_function function, long value);
__asm__("	.text\n"
	"	.type without_frame, @function\n"
	"without_frame:\n"
	"	.cfi_startproc\n"
	"	push %rbp\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	.cfi_rel_offset %rbp, 0\n"
	"	mov %rdi, %rbp\n"
	"	mov %rsi, %rdi\n"
	"	call *%rbp\n"
	"	pop %rbp\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"	.cfi_restore %rbp\n"
	"	ret\n"
	"	.cfi_endproc\n"
	"	.size without_frame, . - without_frame\n");

/* ... or as its frame pointer. */
static noinline long with_frame(made_function function, long value)
{
	volatile char memory[value];

	memory[0] = 1;
	return function(value) + memory[0];
}

static noinline void call_made(void)
{
	static void *page;

	if (!page) {
		page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (page == MAP_FAILED)
			exit(77);
		memcpy(page, made_code, sizeof(made_code));
	}
	for (long i = 1; i < 20; i++)
		sum += without_frame((made_function)page, i) +
		       with_frame((made_function)page, i) +
		       with_frame((made_function)((char *)page + THIRD), i);
}

/* ---- frames ---- */

static noinline long with_alloca(size_t size)
{
	char *memory = alloca(size);

	memset(memory, 1, size);
	sum += memory[size / 2];
	print();
	return memory[0];
}

static noinline long with_aligned_frame(long value)
{
	_Alignas(64) volatile long block[16] = { value };

	sort();
	return block[0] + with_alloca((size_t)value);
}

static noinline long with_large_frame(long value)
{
	volatile char block[40000];

	block[value] = 1;
	print();
	return block[value];
}

static noinline long tail(long value)
{
	return value > 50 ? with_alloca(64) : with_large_frame(value);
}

static noinline long recurse(long depth)
{
	long here = depth ? recurse(depth - 1) : tail(30);

	return here + sum % 3;
}

/* ---- jumps and handlers ---- */

static noinline void jump(long depth)
{
	if (depth)
		jump(depth - 1);
	sum++;
	longjmp(back, 1);
}

static noinline void jumps(void)
{
	if (!setjmp(back))
		jump(5);
	print();
}

static void on_signal(int signal, siginfo_t *info, void *context)
{
	if (truth_enter_handler)
		truth_enter_handler(context);
	sort();
}

static void on_nested(int signal, siginfo_t *info, void *context)
{
	if (truth_enter_handler)
		truth_enter_handler(context);
	raise(SIGUSR1);
	print();
}

static void on_escape(int signal, siginfo_t *info, void *context)
{
	if (truth_enter_handler)
		truth_enter_handler(context);
	print();
	siglongjmp(out_of_handler, 1);
}

static void handle(int signal, void (*handler)(int, siginfo_t *, void *), int flags)
{
	struct sigaction action = { .sa_sigaction = handler,
				    .sa_flags = SA_SIGINFO | flags };

	sigaction(signal, &action, NULL);
}

static noinline void signals(void)
{
	static char memory[65536];
	stack_t stack = { .ss_sp = memory, .ss_size = sizeof(memory) };

	sigaltstack(&stack, NULL);
	handle(SIGUSR1, on_signal, 0);
	handle(SIGUSR2, on_nested, SA_ONSTACK);
	handle(SIGHUP, on_escape, 0);
	raise(SIGUSR1);
	raise(SIGUSR2);
	if (!sigsetjmp(out_of_handler, 1))
		raise(SIGHUP);
	print();
}

int main(int argc, char *argv[])
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;

	for (int i = 0; i < rounds; i++) {
		sort();
		print();
		call_methods();
		call_bare(30);
		call_pointing(100);
		call_made();
		sum += with_aligned_frame(100 + i) + with_large_frame(i) + tail(i % 100);
		sum += recurse(40);
		jumps();
		signals();
	}
	printf("%ld\n", sum);
	return 0;
}
