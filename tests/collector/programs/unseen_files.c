/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads ten bytes of each of some files, of which a wrapper sees one opened. Descriptor 9
 * is open when the program starts.
 *
 *	unseen_files [READY GO]	begin with "before", opened by open: make READY and
 *				wait for GO before it is read
 */
#include <fcntl.h>
#include <linux/openat2.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* What libcollectorAPI calls; it is there if the program is recorded from its start. */
void __collector_pause(void) __attribute__((weak));
void __collector_resume(void) __attribute__((weak));

#define USED 9

static int checked(long result)
{
	if (result < 0) {
		perror("unseen_files");
		exit(1);
	}
	return (int)result;
}

static void use(int fd)
{
	char bytes[10];

	if (read(fd, bytes, sizeof(bytes)) != sizeof(bytes)) {
		fprintf(stderr, "unseen_files: cannot read descriptor %d\n", fd);
		exit(1);
	}
}

/* Send a descriptor of the file through a socket, which is the only one left. */
static int passed(const char *name)
{
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = { 0 };
	char byte = 0;
	struct iovec data = { &byte, 1 };
	struct msghdr message = {
		.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	int ends[2], fd = checked(syscall(SYS_open, name, O_RDONLY));

	checked(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
	control.head.cmsg_level = SOL_SOCKET;
	control.head.cmsg_type = SCM_RIGHTS;
	control.head.cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(&control.head), &fd, sizeof(fd));
	checked(sendmsg(ends[0], &message, 0));
	checked(syscall(SYS_close, fd));
	checked(recvmsg(ends[1], &message, 0));
	memcpy(&fd, CMSG_DATA(&control.head), sizeof(fd));
	return fd;
}

static void *use_often(void *fd)
{
	for (int i = 0; i < 100; i++)
		use(*(int *)fd);
	return NULL;
}

static void use_in_threads(const char *name)
{
	int fd = checked(syscall(SYS_open, name, O_RDONLY));
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		if (pthread_create(&threads[i], NULL, use_often, &fd) != 0)
			exit(1);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
}

static void wait_for(const char *ready, const char *go)
{
	close(checked(open(ready, O_CREAT | O_WRONLY, 0600)));
	while (access(go, F_OK) < 0)
		usleep(1000);
}

int main(int argc, char *argv[])
{
	struct open_how how = { .flags = O_RDONLY };
	int before = argc == 3 ? checked(open("before", O_RDONLY)) : -1, fd;

	if (argc == 3) {
		wait_for(argv[1], argv[2]);
		use(before);
	}
	use(USED);

	/* The same number refers to another file each time. */
	fd = checked(syscall(SYS_openat2, AT_FDCWD, "openat2", &how, sizeof(how)));
	use(fd);
	checked(close(fd));
	fd = checked(syscall(SYS_open, "open", O_RDONLY));
	use(fd);
	checked(close(fd));
	fd = checked(open("seen", O_RDONLY));
	use(fd);

	/* A child of vfork closes its own descriptor. */
	if (vfork() == 0) {
		close(fd);
		_exit(0);
	}
	wait(NULL);
	use(fd);
	if (fork() == 0) {
		use(USED);
		_exit(0);
	}
	wait(NULL);

	fd = passed("passed");
	use(checked(dup(fd)));
	if (__collector_pause) {
		__collector_pause();
		fd = checked(open("paused", O_RDONLY));
		__collector_resume();
		use(fd);
	}
	use_in_threads("shared");
	return 0;
}
