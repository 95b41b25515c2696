/* SPDX-License-Identifier: Apache-2.0 */
/*
 * member BUNDLE SIZE - measures the time to get one file out of a bundle: opened, found,
 * decompressed, summed and compared. Every file of at most SIZE bytes is read by an open
 * of its own. The median and the longest time, in milliseconds, go to standard output.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "libexpt/base/number.h"
#include "libexpt/bundle/package.h"

static struct package *open_package(const char *path)
{
	struct package *package;
	struct expt_error err;
	const char *inside;

	if (package_open(&package, path, &inside, NULL, &err) == 0)
		return package;
	fprintf(stderr, "member: %s\n", err.message);
	exit(1);
}

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static double read_member(const char *path, size_t member)
{
	double start = now_ms();
	struct package *package = open_package(path);
	struct expt_error err;
	int fd = package_file(package, member, &err);

	if (fd < 0) {
		fprintf(stderr, "member: %s\n", err.message);
		exit(1);
	}
	close(fd);
	package_close(package);
	return now_ms() - start;
}

static int compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

int main(int argc, char *argv[])
{
	struct package *package;
	const struct members *members;
	size_t count = 0;
	uint64_t max;
	double *times;

	if (argc != 3 || !number_size(&max, argv[2]))
		return 2;
	package = open_package(argv[1]);
	members = package_members(package);
	times = calloc(members->count + 1, sizeof(*times));
	for (size_t i = 0; times && i < members->count; i++)
		if (members->items[i].type == TAR_FILE && members->items[i].size <= max)
			times[count++] = read_member(argv[1], i);
	package_close(package);
	if (count == 0)
		return 1;
	qsort(times, count, sizeof(*times), compare);
	printf("%zu %.3f %.3f\n", count, times[count / 2], times[count - 1]);
	free(times);
	return 0;
}
