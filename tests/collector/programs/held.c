/* SPDX-License-Identifier: Apache-2.0 */
/* A clock's signal that comes at the begin of a debugger's first call, or at the end of
 * its last one, leaves the thread as the calls would without it. */

#include "situation.h"

#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define RED_ZONE    128
#define ROUNDS	    100
#define PATIENCE_MS 2000
#define PROFILE	    (UINT64_C(1) << (SIGPROF - 1))
#define TRAP	    (UINT64_C(1) << (SIGTRAP - 1))

extern void __collector_hold(void) __attribute__((weak));
extern void __collector_release(void) __attribute__((weak));
extern uint64_t __collector_held_mask __attribute__((weak));

static jmp_buf back;

/* The call of libc is the collector's. */
static long system_call(long number, long a, long b, long c, long d)
{
	register long r10 __asm__("r10") = d;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10)
			 : "rcx", "r11", "memory");
	return result;
}

static uint64_t change_mask(const uint64_t *mask)
{
	uint64_t before = 0;

	system_call(SYS_rt_sigprocmask, SIG_SETMASK, (long)mask, (long)&before,
		    sizeof(before));
	return before;
}

static uint64_t pending(void)
{
	uint64_t set = 0;

	system_call(SYS_rt_sigpending, (long)&set, sizeof(set), 0, 0);
	return set;
}

static void (*called)(void) __attribute__((used));

/* A debugger restores the registers: nothing but the stack pointer is kept. */
static void call_as_debugger(void (*function)(void))
{
	called = function;
	__asm__ volatile("lea -128(%%rsp), %%rsp\n\t" /* the red zone */
			 "push %%rbp\n\t"
			 "call *called(%%rip)\n\t"
			 "pop %%rbp\n\t"
			 "lea 128(%%rsp), %%rsp"
			 :
			 :
			 : "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10",
			   "r11", "r12", "r13", "r14", "r15", "cc", "memory");
}

/* Returns the mask before. */
static uint64_t burn_until_tick(void)
{
	static const uint64_t all = ~UINT64_C(0);
	uint64_t mask = change_mask(&all);

	for (int ms = 0; (pending() & PROFILE) == 0; ms++) {
		if (ms == PATIENCE_MS) {
			fputs("there is no tick\n", stderr);
			_exit(1);
		}
		burn(.001);
	}
	return mask;
}

static const char *release_once(void)
{
	uint64_t mask = burn_until_tick(), after;

	__collector_held_mask = mask;
	call_as_debugger(__collector_release);
	after = change_mask(NULL);
	if (after != mask)
		return "the mask after the release is another one";
	return (pending() & PROFILE) == 0 ? NULL : "the tick has not come";
}

static void returned(void)
{
	longjmp(back, 1);
}

/* When this returns, the tick finds the thread at the begin of the call. */
static void enter_hold(int signal, siginfo_t *info, void *place)
{
	ucontext_t *context = place;
	greg_t *registers = context->uc_mcontext.gregs;
	uintptr_t stack = ((uintptr_t)registers[REG_RSP] - RED_ZONE) & ~(uintptr_t)15;
	void (*to)(void) = returned;

	burn_until_tick();
	memcpy((void *)(stack - sizeof(to)), &to, sizeof(to));
	registers[REG_RSP] = (greg_t)(stack - sizeof(to));
	registers[REG_RIP] = (greg_t)(uintptr_t)__collector_hold;
}

static const char *hold_once(void)
{
	uint64_t mask = change_mask(NULL), held;

	if (setjmp(back) == 0)
		raise(SIGUSR1);
	held = change_mask(&mask);
	if (__collector_held_mask != mask)
		return "the mask before the hold is another one";
	return (held & PROFILE) != 0 && (held & TRAP) == 0
		       ? NULL
		       : "the signals are not blocked";
}

static int repeat(const char *(*once)(void))
{
	for (int i = 0; i < ROUNDS; i++) {
		const char *problem = once();

		if (problem) {
			printf("round %d: %s\n", i, problem);
			return 1;
		}
	}
	puts("good");
	return 0;
}

static int releases(char **arguments)
{
	return repeat(release_once);
}

static int holds(char **arguments)
{
	struct sigaction action = { .sa_sigaction = enter_hold,
				    .sa_flags = SA_SIGINFO | SA_NODEFER };

	sigfillset(&action.sa_mask);
	sigaction(SIGUSR1, &action, NULL);
	return repeat(hold_once);
}

static const struct situation situations[] = {
	{ "releases", releases },
	{ "holds", holds },
	{ NULL, NULL },
};

int main(int argc, char **argv)
{
	return run_situation(situations, argc, argv);
}
