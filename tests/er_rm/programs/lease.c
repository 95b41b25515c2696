/* SPDX-License-Identifier: Apache-2.0 */
/* lease READY FILE... - holds write leases on our own files, which keep others from
 * opening them, for as long as the kernel allows. Then makes the file READY, and ends
 * when its standard input does. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char *argv[])
{
	char byte;

	signal(SIGIO, SIG_IGN);
	for (int i = 2; i < argc; i++)
		if (fcntl(open(argv[i], O_RDWR), F_SETLEASE, F_WRLCK) < 0) {
			perror("lease");
			return 1;
		}
	close(open(argv[1], O_WRONLY | O_CREAT, 0644));
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
	return 0;
}
