/* SPDX-License-Identifier: Apache-2.0 */
/* viewed - two threads, a child, recursion and inlined functions, for about a second of
 * CPU time. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile unsigned long sink;

static inline __attribute__((always_inline)) void innermost(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		sink = sink * 3 + i;
}

static inline __attribute__((always_inline)) void inner(unsigned long n)
{
	innermost(n);
	sink++;
}

static __attribute__((noinline)) void outer(unsigned long n)
{
	inner(n);
	sink++;
}

static __attribute__((noinline)) void recurse(int depth, unsigned long n)
{
	outer(n);
	if (depth > 0)
		recurse(depth - 1, n);
	sink++;
}

static void *run(void *argument)
{
	recurse(3, 20000000);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	pid_t child = fork();

	if (child == 0) {
		outer(40000000);
		_exit(0);
	}
	pthread_create(&thread, NULL, run, NULL);
	recurse(1, 20000000);
	pthread_join(thread, NULL);
	waitpid(child, NULL, 0);
	return 0;
}
