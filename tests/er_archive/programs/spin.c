/* SPDX-License-Identifier: Apache-2.0 */
/* Burns CPU time in two functions, three times as long in the second. The argument is the
 * total in milliseconds. */
#include <stdlib.h>
#include <time.h>

static volatile unsigned long count;

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

__attribute__((noinline)) void short_work(double end)
{
	while (now() < end)
		for (int i = 0; i < 10000; i++)
			count += (unsigned long)i;
}

__attribute__((noinline)) void long_work(double end)
{
	while (now() < end)
		for (int i = 0; i < 10000; i++)
			count ^= (unsigned long)i;
}

int main(int argc, char *argv[])
{
	double all = argc > 1 ? atof(argv[1]) / 1000 : 0.2, start = now();

	short_work(start + all / 4);
	long_work(start + all);
	return 0;
}
