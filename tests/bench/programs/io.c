/* SPDX-License-Identifier: Apache-2.0 */
/*
 * io COUNT PATTERN - does something COUNT times, and prints the nanoseconds of each
 *
 * Files are made in the current directory.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BLOCK 4096

static int source, target, null;
static FILE *text;
static char block[BLOCK];

static void open_all(void)
{
	source = open("source", O_RDWR | O_CREAT | O_TRUNC, 0600);
	target = open("target", O_RDWR | O_CREAT | O_TRUNC, 0600);
	null = open("/dev/null", O_WRONLY);
	text = fopen("text", "w+");
	for (int i = 0; i < 256; i++)
		if (write(source, block, BLOCK) != BLOCK)
			exit(1);
	for (int i = 0; i < 10000; i++)
		fputs("a line of text with some forty characters\n", text);
	rewind(text);
}

/* Makes two calls, as cp does. */
static void copy(long i)
{
	off_t at = i % 256 * BLOCK;

	if (pread(source, block, BLOCK, at) != BLOCK ||
	    pwrite(target, block, BLOCK, at) != BLOCK)
		exit(1);
}

/* A call that costs next to nothing unless it is recorded. */
static void nothing(long i)
{
	if (write(null, block, 1) != 1)
		exit(1);
}

static void line(long i)
{
	if (!fgets(block, BLOCK, text))
		rewind(text);
}

static void open_and_close(long i)
{
	int fd = open("source", O_RDONLY);

	if (fd < 0)
		exit(1);
	close(fd);
}

static const struct pattern {
	const char *name;
	void (*run)(long i);
} patterns[] = {
	{ "copy", copy },
	{ "nothing", nothing },
	{ "line", line },
	{ "open", open_and_close },
};

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* Makes the stack as deep as in real programs. */
__attribute__((noinline)) static void descend(const struct pattern *pattern, long count,
					      int depth)
{
	double start;

	if (depth > 0) {
		descend(pattern, count, depth - 1);
		__asm__ volatile("");
		return;
	}
	start = now();
	for (long i = 0; i < count; i++)
		pattern->run(i);
	printf("%.1f\n", (now() - start) / (double)count);
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	open_all();
	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++)
		if (strcmp(argv[2], patterns[i].name) == 0)
			descend(&patterns[i], atol(argv[1]), 8);
	return 0;
}
