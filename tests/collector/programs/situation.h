/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that consist of small situations: run one by name; it prints what it sees. */
#ifndef TESTS_SITUATION_H
#define TESTS_SITUATION_H

#include <stdio.h>
#include <string.h>
#include <time.h>

struct situation {
	const char *name;
	int (*run)(char **arguments);
};

static volatile unsigned long burnt;

/* Returns the CPU time of the calling thread. */
static inline double cpu_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Use CPU time of the calling thread. */
__attribute__((noinline, noclone, unused)) static void burn(double seconds)
{
	double end = cpu_seconds() + seconds;

	do
		for (int i = 0; i < 10000; i++)
			burnt += (unsigned long)i;
	while (cpu_seconds() < end);
}

static int run_situation(const struct situation *situations, int argc, char **argv)
{
	for (; situations->name; situations++) {
		if (argc < 2)
			puts(situations->name);
		else if (strcmp(argv[1], situations->name) == 0)
			return situations->run(argv + 2);
	}
	return argc < 2 ? 0 : 99;
}

#endif
