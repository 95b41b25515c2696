/* SPDX-License-Identifier: Apache-2.0 */
/* calls SECONDS - spend this CPU time in a few calls of the kernel; prints the process
 * and the time. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static double cpu_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int argc, char *argv[])
{
	static char buffer[1 << 16];
	double wanted = argc > 1 ? strtod(argv[1], NULL) : 1;
	int zeros = open("/dev/zero", O_RDONLY), random = open("/dev/urandom", O_RDONLY);
	struct stat status;
	int ends[2];

	if (zeros < 0 || random < 0 || pipe(ends) < 0)
		return 1;
	while (cpu_time() < wanted) {
		for (int i = 0; i < 4; i++)
			if (read(zeros, buffer, sizeof(buffer)) < 0)
				return 1;
		if (read(random, buffer, 4096) < 0)
			return 1;
		for (int i = 0; i < 40; i++)
			stat("/usr/share", &status);
		for (int i = 0; i < 4; i++)
			if (write(ends[1], buffer, 4096) != 4096 ||
			    read(ends[0], buffer, 4096) != 4096)
				return 1;
	}
	printf("%d %.3f\n", getpid(), cpu_time());
	return 0;
}
