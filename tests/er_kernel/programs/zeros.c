/* SPDX-License-Identifier: Apache-2.0 */
/* zeros SECONDS - read zeros until the kernel has spent this time on it; prints the time
 * spent there, and returns 3. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static double system_time(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)usage.ru_stime.tv_sec + (double)usage.ru_stime.tv_usec / 1e6;
}

int main(int argc, char *argv[])
{
	static char buffer[1 << 20];
	double wanted = argc > 1 ? strtod(argv[1], NULL) : 1;
	int fd = open("/dev/zero", O_RDONLY);

	while (system_time() < wanted)
		for (int i = 0; i < 100; i++)
			if (read(fd, buffer, sizeof(buffer)) != sizeof(buffer))
				return 1;
	printf("%.3f\n", system_time());
	return 3;
}
