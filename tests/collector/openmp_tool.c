/* SPDX-License-Identifier: Apache-2.0 */
/* A tool of OpenMP that says when it is started: in a program (-DPROGRAM), or in a
 * library. */
#include <stdio.h>

struct tool {
	int (*initialize)(void *lookup, int device, void *data);
	void (*finalize)(void *data);
	unsigned long data;
};

static int initialize(void *lookup, int device, void *data)
{
	puts("the tool is there");
	return 1;
}

static void finalize(void *data)
{
}

struct tool *ompt_start_tool(unsigned version, const char *runtime)
{
	static struct tool tool = { initialize, finalize, 0 };

	return &tool;
}

#ifdef PROGRAM
int main(void)
{
	int sum = 0;

#pragma omp parallel num_threads(2) reduction(+ : sum)
	sum++;
	printf("%d\n", sum);
	return 0;
}
#endif
