/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks of unusual kinds: very deep ones, several per thread, and ones left by jumps. */

#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <ucontext.h>

#include "situation.h"

/* ---- a million frames ---- */

static __attribute__((noinline)) long descend(long depth)
{
	volatile long here = depth;

	if (depth == 0) {
		burn(0.005);
		return 1;
	}
	return descend(depth - 1) + (here & 1);
}

static void *descend_often(void *result)
{
	for (int i = 0; i < 12; i++)
		*(long *)result += descend(1000000);
	return NULL;
}

static int deep(char **arguments)
{
	pthread_attr_t attributes;
	pthread_t thread;
	long result = 0;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 256ul << 20);
	if (pthread_create(&thread, &attributes, descend_often, &result) != 0)
		return 1;
	pthread_join(thread, NULL);
	printf("%ld\n", result);
	return 0;
}

/* ---- other stacks ---- */

static sigjmp_buf out;
static volatile int jumps;

static __attribute__((noinline)) void leave(int depth)
{
	if (depth)
		leave(depth - 1);
	jumps++;
	siglongjmp(out, 1);
}

static void use_alternate_stack(void)
{
	stack_t stack = { .ss_sp = malloc(65536), .ss_size = 65536 };

	sigaltstack(&stack, NULL);
}

static void handle(int signal, void (*handler)(int), int flags)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = flags };

	sigaction(signal, &action, NULL);
}

static void burn_in_handler(int signal)
{
	burn(0.03);
	printf("signal %d handled\n", signal);
}

/* Handlers run on alternate stacks, one nested in the other. */
static void raise_in_handler(int signal)
{
	burn_in_handler(signal);
	raise(SIGUSR2);
}

static int alternate(char **arguments)
{
	use_alternate_stack();
	handle(SIGUSR1, raise_in_handler, SA_ONSTACK);
	handle(SIGUSR2, burn_in_handler, SA_ONSTACK);
	for (int i = 0; i < 4; i++)
		raise(SIGUSR1);
	return 0;
}

static __attribute__((noinline)) long overflow(long depth)
{
	volatile char frame[1000];

	frame[depth % 1000] = 1;
	return overflow(depth + 1) + frame[0];
}

/* The stack overflows. The program's handler notices, and jumps out. */
static int overflown(char **arguments)
{
	struct rlimit limit = { 512 << 10, 512 << 10 };

	setrlimit(RLIMIT_STACK, &limit);
	use_alternate_stack();
	handle(SIGSEGV, leave, SA_ONSTACK);
	for (volatile int i = 0; i < 100; i++) {
		if (!sigsetjmp(out, 1))
			overflow(0);
		burn(0.001);
	}
	printf("%d overflows\n", jumps);
	return 0;
}

/* ---- objects that come and go ---- */

static void *burn_beside(void *is_done)
{
	while (!*(volatile int *)is_done)
		burn(0.001);
	return NULL;
}

/* Loads and unloads objects, at one address and another, while both threads are walked.
 */
static int loading(char **arguments)
{
	static const char *const names[] = { "libresolv.so.2", "libanl.so.1" };
	volatile int is_done = 0;
	int opened = 0;
	pthread_t thread;

	pthread_create(&thread, NULL, burn_beside, (void *)&is_done);
	for (int i = 0; i < 600; i++) {
		void *first = dlopen(names[i % 2], RTLD_NOW);
		void *second = i % 3 ? dlopen("libthread_db.so.1", RTLD_LAZY) : NULL;

		opened += first != NULL;
		burn(0.0001);
		if (first)
			dlclose(first);
		if (second)
			dlclose(second);
	}
	is_done = 1;
	pthread_join(thread, NULL);
	printf("%d opened\n", opened);
	return 0;
}

/* ---- coroutines ---- */

#define COROUTINES 5
#define TURNS	   40

static ucontext_t coroutines[COROUTINES], scheduler;
static long turns[COROUTINES];

static __attribute__((noinline)) void work(int which, int depth)
{
	if (depth)
		work(which, depth - 1);
	else
		burn(0.001);
	turns[which]++;
}

static void take_turns(int which)
{
	for (int i = 0; i < TURNS; i++) {
		work(which, which + 3);
		swapcontext(&coroutines[which], &scheduler);
	}
}

static int contexts(char **arguments)
{
	for (int i = 0; i < COROUTINES; i++) {
		getcontext(&coroutines[i]);
		coroutines[i].uc_stack.ss_sp = malloc(16384);
		coroutines[i].uc_stack.ss_size = 16384;
		coroutines[i].uc_link = &scheduler;
		makecontext(&coroutines[i], (void (*)(void))take_turns, 1, i);
	}
	for (int i = 0; i < COROUTINES * (TURNS + 1); i++)
		swapcontext(&scheduler, &coroutines[i % COROUTINES]);
	for (int i = 0; i < COROUTINES; i++)
		printf("%ld\n", turns[i]);
	return 0;
}

/* ---- jumps ---- */

/* A thousand signals per second; a jump leaves each handler from some depth. */
static int handler_jumps(char **arguments)
{
	struct itimerval timer = { { 0, 1000 }, { 0, 1000 } }, none = { 0 };

	handle(SIGALRM, leave, 0);
	sigsetjmp(out, 1);
	if (jumps == 0)
		setitimer(ITIMER_REAL, &timer, NULL);
	while (jumps < 200)
		burn(0.0001);
	setitimer(ITIMER_REAL, &none, NULL);
	puts("200 jumps");
	return 0;
}

int main(int argc, char *argv[])
{
	static const struct situation situations[] = {
		{ "deep", deep },
		{ "alternate", alternate },
		{ "overflown", overflown },
		{ "loading", loading },
		{ "contexts", contexts },
		{ "handler_jumps", handler_jumps },
		{},
	};

	setvbuf(stdout, NULL, _IONBF, 0);
	return run_situation(situations, argc, argv);
}
