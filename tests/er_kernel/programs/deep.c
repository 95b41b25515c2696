/* SPDX-License-Identifier: Apache-2.0 */
/* deep SECONDS - compute at the end of calls without frame pointers, in processes of
 * three kinds: this one, a forked one, and one that executes another program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long sink;

static double cpu_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static __attribute__((noinline)) void compute(double seconds)
{
	double begin = cpu_time();

	do
		for (int i = 0; i < 100000; i++)
			sink += (unsigned long)i * sink;
	while (cpu_time() < begin + seconds);
}

static __attribute__((noinline)) int middle(int depth, double seconds)
{
	char room[64];

	memset(room, depth, sizeof(room));
	if (depth == 0)
		compute(seconds);
	else
		middle(depth - 1, seconds);
	return room[(unsigned)depth % sizeof(room)];
}

int main(int argc, char *argv[])
{
	double seconds = argc > 1 ? strtod(argv[1], NULL) : 1;

	if (argc > 2)
		return middle(30, seconds) < 0;
	if (fork() == 0) {
		middle(20, seconds);
		execl("./again", "again", argv[1], "more", (char *)NULL);
		return 1;
	}
	middle(10, seconds);
	wait(NULL);
	printf("%.3f\n", cpu_time());
	return 0;
}
