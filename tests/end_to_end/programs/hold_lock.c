/* hold_lock FILE KIND READY - locks the file as any user who can read it may: "open" for
 * the open file, "process" for the process, and with flock(2). Then makes the file READY,
 * and ends when its standard input does. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

int main(int argc, char *argv[])
{
	struct flock lock = { .l_type = F_RDLCK, .l_whence = SEEK_SET };
	int fd = argc == 4 ? open(argv[1], O_RDONLY) : -1;
	char byte;

	if (fd < 0 ||
	    fcntl(fd, strcmp(argv[2], "open") == 0 ? F_OFD_SETLK : F_SETLK, &lock) < 0 ||
	    flock(fd, LOCK_EX) < 0) {
		perror("hold_lock");
		return 1;
	}
	close(open(argv[3], O_WRONLY | O_CREAT, 0644));
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
	return 0;
}
