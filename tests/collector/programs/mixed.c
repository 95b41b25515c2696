/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mixed KINDS SECONDS - uses that much CPU time in turns of each kind (compute, short
 * calls, long calls, page faults: the letters c, s, l and f), and prints the kernel's
 * count of user and system seconds.
 */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SIZE (1 << 20)

static volatile unsigned long sum;

__attribute__((noinline)) static void compute(void)
{
	for (unsigned long i = 0; i < 20000; i++)
		sum += i * i;
}

__attribute__((noinline)) static void call_shortly(void)
{
	for (int i = 0; i < 300; i++)
		syscall(SYS_getppid);
}

__attribute__((noinline)) static void call_long(int fd, char *buffer)
{
	if (read(fd, buffer, SIZE) != SIZE)
		exit(99);
}

__attribute__((noinline)) static void touch(void)
{
	char *pages = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED)
		exit(99);
	for (int i = 0; i < SIZE; i += 4096)
		pages[i] = 1;
	munmap(pages, SIZE);
}

static double seconds(struct timeval time)
{
	return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

int main(int argc, char **argv)
{
	const char *kinds = argc == 3 ? argv[1] : "";
	double limit = argc == 3 ? atof(argv[2]) : 0;
	int fd = open("/dev/zero", O_RDONLY);
	char *buffer = malloc(SIZE);
	struct rusage usage;

	if (fd < 0 || !buffer)
		return 99;
	do {
		for (int i = 0; i < 20; i++) {
			if (strchr(kinds, 'c'))
				compute();
			if (strchr(kinds, 's'))
				call_shortly();
			if (strchr(kinds, 'l'))
				call_long(fd, buffer);
			if (strchr(kinds, 'f'))
				touch();
		}
		getrusage(RUSAGE_SELF, &usage);
	} while (seconds(usage.ru_utime) + seconds(usage.ru_stime) < limit);
	printf("%.3f %.3f\n", seconds(usage.ru_utime), seconds(usage.ru_stime));
	free(buffer);
	return 0;
}
