/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An attacker: exchange [A B]...
 *
 * Exchanges the two names of each pair, one pair after the other, until the end of
 * standard input. Then prints the number of exchanges. Pauses let other processes run:
 * renaming holds up every lookup.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int has_ended(void)
{
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
	char byte;

	return poll(&input, 1, 0) > 0 && read(STDIN_FILENO, &byte, 1) <= 0;
}

int main(int argc, char *argv[])
{
	unsigned long count = 0;

	while (count % 64 || !has_ended()) {
		char **pair = argv + 1 + 2 * (count % (unsigned)((argc - 1) / 2));

		if (renameat2(AT_FDCWD, pair[0], AT_FDCWD, pair[1], RENAME_EXCHANGE) <
		    0) {
			perror(pair[1]);
			return 1;
		}
		count++;
		usleep((useconds_t)(random() % 100));
	}
	printf("%lu\n", count);
	return 0;
}
