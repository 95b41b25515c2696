/* SPDX-License-Identifier: Apache-2.0 */
/*
 * refill DIRECTORY SEED - an owner who does not want an experiment to be removed. Makes
 * descendants in the directory as fast as it can, wherever it is renamed to, until it is
 * killed or the directory is gone.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char *argv[])
{
	unsigned seed = argc == 3 ? (unsigned)atoi(argv[2]) : 0;
	int dir = argc == 3 ? open(argv[1], O_RDONLY | O_DIRECTORY) : -1;
	char name[64];

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (dir < 0)
		return 2;
	for (unsigned i = 0;; i++) {
		snprintf(name, sizeof(name), "_f%u.er", seed * 1000 + i % 1000);
		if (mkdirat(dir, name, 0755) < 0 && errno == ENOENT)
			return 0;
		snprintf(name, sizeof(name), "_f%u.er/archives", seed * 1000 + i % 1000);
		mkdirat(dir, name, 0755);
	}
}
