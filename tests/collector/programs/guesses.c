/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code made at run time without frames. Where a frame would be there is a list of the
 * program's, and where return addresses would be there are numbers at which no code is.
 * The program must not notice an unwinder that walks such a stack.
 */

#include "situation.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#define NODES  64
#define CALLS  100000
#define ROUNDS 1000000000

struct node {
	struct node *next;
	uintptr_t value;
};

/* void made(long rounds, uintptr_t word, struct node *list): counts, with word on the
 * stack. */
static const unsigned char counting[] = {
	0x55,		  /* push %rbp */
	0x48, 0x89, 0xd5, /* mov %rdx,%rbp */
	0x56,		  /* push %rsi */
	0x48, 0xff, 0xcf, /* dec %rdi */
	0x75, 0xfb,	  /* jnz to the dec */
	0x5e,		  /* pop %rsi */
	0x5d,		  /* pop %rbp */
	0xc3,		  /* ret */
};

/* void *made(size_t size, void *(*function)(size_t), struct node *list): calls function.
 */
static const unsigned char calling[] = {
	0x55,		  /* push %rbp */
	0x48, 0x89, 0xd5, /* mov %rdx,%rbp */
	0xff, 0xd6,	  /* call *%rsi */
	0x5d,		  /* pop %rbp */
	0xc3,		  /* ret */
};

/* The code begins on a page boundary, after a page that cannot be read. */
static void *make(const unsigned char *code, size_t size)
{
	char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE | PROT_EXEC,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED || mprotect(pages, 4096, PROT_NONE) != 0)
		exit(99);
	return memcpy(pages + 4096, code, size);
}

static void fill(struct node *list)
{
	for (uintptr_t i = 0; i < NODES; i++)
		list[i] = (struct node){ i + 1 < NODES ? &list[i + 1] : NULL,
					 UINT64_C(0x12345678000) + i * 0x100003 };
}

static int counts(char **arguments)
{
	void (*made)(long, uintptr_t, struct node *) = make(counting, sizeof(counting));
	struct node list[NODES];

	fill(list);
	made(ROUNDS, UINT64_C(0x2345678901), list);
	puts("counted");
	return 0;
}

static int calls(char **arguments)
{
	void *(*made)(size_t, void *(*)(size_t), struct node *) =
		make(calling, sizeof(calling));
	struct node list[NODES];

	fill(list);
	for (int i = 0; i < CALLS; i++)
		free(made(64, malloc, list));
	puts("called");
	return 0;
}

static int calls_with_all_blocked(char **arguments)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	return calls(arguments);
}

int main(int argc, char *argv[])
{
	static const struct situation situations[] = {
		{ "counts", counts },
		{ "calls", calls },
		{ "calls_with_all_blocked", calls_with_all_blocked },
		{},
	};

	return run_situation(situations, argc, argv);
}
