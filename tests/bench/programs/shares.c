/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shares SECONDS - works in four functions for so much CPU time, in pieces of some
 * milliseconds, of random length and order. Then prints the share of each, by the
 * kernel's clock of the thread: "name percent".
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ROUNDS_MAX 4000000

static volatile uint64_t result;

/* The functions differ, so that a compiler does not merge them. */
#define WORK(name, number)                                                       \
	static __attribute__((noinline, noclone)) void name(unsigned rounds)     \
	{                                                                        \
		uint64_t value = result;                                         \
                                                                                 \
		while (rounds-- > 0)                                             \
			value = value * 6364136223846793005U + (uint64_t)number; \
		result = value;                                                  \
	}
WORK(tenth, 1)
WORK(fifth, 3)
WORK(third_tenth, 5)
WORK(two_fifths, 7)

static struct part {
	const char *name;
	void (*work)(unsigned rounds);
	unsigned tenths;
	double used;
} parts[] = {
	{ "tenth", tenth, 1, 0 },
	{ "fifth", fifth, 2, 0 },
	{ "third_tenth", third_tenth, 3, 0 },
	{ "two_fifths", two_fifths, 4, 0 },
};

static double used(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	double seconds = argc == 2 ? atof(argv[1]) : 0, before = used(), sum = 0;
	unsigned random = 1;

	while (before < seconds) {
		struct part *part;
		double after;

		random = random * 1103515245 + 12345;
		part = &parts[random >> 16 & 3];
		part->work((random >> 8) % ROUNDS_MAX / 4 * part->tenths);
		after = used();
		part->used += after - before;
		before = after;
	}
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		sum += parts[i].used;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		printf("%s %.4f\n", parts[i].name, 100 * parts[i].used / sum);
	return 0;
}
