/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of I/O, of every family. */

/* Call the functions themselves, not inline forms. */
#define __NO_INLINE__

#include "expected.h"
#include "situation.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>
#include <wchar.h>

/* The name that libc's header calls. */
#if __GLIBC_PREREQ(2, 38)
#define SCAN(name) "__isoc23_" name
#else
#define SCAN(name) "__isoc99_" name
#endif

static void open_and_close(void)
{
	struct stat status;
	int fd = open("made", O_RDWR | O_CREAT | O_TRUNC, 0640), more;

	expect(OPEN, fd, 0, "open", "made");
	fstat(fd, &status);
	expect(OTHER, fd, 0, "fstat", NULL);
	need((status.st_mode & 0777) == 0640, "open() lost its mode\n");
	more = dup(fd);
	expect(OPEN, more, 0, "dup", NULL);
	dup2(fd, 70);
	expect(OPEN, 70, 0, "dup2", NULL);
	dup3(fd, 71, O_CLOEXEC);
	expect(OPEN, 71, 0, "dup3", NULL);
	need(fcntl(71, F_GETFD) == FD_CLOEXEC, "dup3() lost its flag\n");
	expect(OTHER, 71, 0, "fcntl", NULL);
	need(fcntl(fd, F_DUPFD, 80) == 80, "fcntl() lost its argument\n");
	expect(OPEN, 80, 0, "fcntl", NULL);
	for (const int *at = (int[]){ more, 70, 71, 80, fd, 0 }; *at; at++) {
		close(*at);
		expect(CLOSE, *at, 0, "close", NULL);
	}
	need(close(fd) < 0 && errno == EBADF, "close() of what is closed\n");
	expect(CLOSE + FAILED, fd, 0, "close", NULL);
	need(open("absent/file", O_RDONLY) < 0 && errno == ENOENT, "open of nothing\n");
	expect(OPEN + FAILED, -1, 0, "open", "absent/file");
	need(open((const char *)16, O_RDONLY) < 0 && errno == EFAULT,
	     "open of no name\n");
	expect(OPEN + FAILED, -1, 0, "open", NULL);
	fd = openat(AT_FDCWD, "made", O_RDONLY);
	expect(OPEN, fd, 0, "openat", "made");
	close(fd);
	expect(CLOSE, fd, 0, "close", NULL);
	fd = creat("created", 0600);
	expect(OPEN, fd, 0, "creat", "created");
	close(fd);
	expect(CLOSE, fd, 0, "close", NULL);
}

static void read_and_write(void)
{
	char buffer[64] = "some text of thirty characters";
	struct iovec pieces[] = { { buffer, 10 }, { buffer, 20 } };
	int fd = open("made", O_RDWR), to;

	expect(OPEN, fd, 0, "open", "made");
	write(fd, buffer, 30);
	expect(WRITE, fd, 30, "write", NULL);
	pwrite(fd, buffer, 5, 100);
	expect(WRITE, fd, 5, "pwrite", NULL);
	writev(fd, pieces, 2);
	expect(WRITE, fd, 30, "writev", NULL);
	pwritev(fd, pieces, 2, 0);
	expect(WRITE, fd, 30, "pwritev", NULL);
	pwritev2(fd, pieces, 1, 0, 0);
	expect(WRITE, fd, 10, "pwritev2", NULL);
	need(lseek(fd, 3, SEEK_SET) == 3, "lseek()\n");
	expect(OTHER, fd, 0, "lseek", NULL);
	read(fd, buffer, 7);
	expect(READ, fd, 7, "read", NULL);
	pread(fd, buffer, 64, 100);
	expect(READ, fd, 5, "pread", NULL);
	readv(fd, pieces, 2);
	expect(READ, fd, 30, "readv", NULL);
	preadv(fd, pieces, 2, 0);
	expect(READ, fd, 30, "preadv", NULL);
	preadv2(fd, pieces, 1, 0, 0);
	expect(READ, fd, 10, "preadv2", NULL);
	need(read(-1, buffer, 1) < 0 && errno == EBADF, "read of nothing\n");
	expect(READ + FAILED, -1, -1, "read", NULL);
	to = open("other", O_RDWR | O_CREAT | O_TRUNC, 0600);
	expect(OPEN, to, 0, "open", "other");
	need(sendfile(to, fd, &(off_t){ 0 }, 12) == 12, "sendfile()\n");
	expect(WRITE, to, 12, "sendfile", NULL);
	fsync(to);
	expect(OTHER, to, 0, "fsync", NULL);
	fdatasync(to);
	expect(OTHER, to, 0, "fdatasync", NULL);
	ftruncate(to, 4);
	expect(OTHER, to, 0, "ftruncate", NULL);
	close(to);
	expect(CLOSE, to, 0, "close", NULL);
	close(fd);
	expect(CLOSE, fd, 0, "close", NULL);
}

static void with_names(void)
{
	struct stat status;
	struct statx more;
	DIR *directory;
	int fd;

	stat("made", &status);
	expect(OTHER, -1, 0, "stat", NULL);
	lstat("made", &status);
	expect(OTHER, -1, 0, "lstat", NULL);
	fstatat(AT_FDCWD, "made", &status, 0);
	expect(OTHER, -1, 0, "fstatat", NULL);
	statx(AT_FDCWD, "made", 0, STATX_SIZE, &more);
	expect(OTHER, -1, 0, "statx", NULL);
	need(access("absent", R_OK) < 0 && errno == ENOENT, "access()\n");
	expect(OTHER + FAILED, -1, 0, "access", NULL);
	mkdir("directory", 0700);
	expect(OTHER, -1, 0, "mkdir", NULL);
	rename("created", "directory/renamed");
	expect(OTHER, -1, 0, "rename", NULL);
	directory = opendir("directory");
	fd = dirfd(directory);
	expect(OPEN, fd, 0, "opendir", "directory");
	for (int i = 0; i < 4; i++) {
		readdir(directory);
		expect(OTHER, fd, 0, "readdir", NULL);
	}
	closedir(directory);
	expect(CLOSE, fd, 0, "closedir", NULL);
	unlink("directory/renamed");
	expect(OTHER, -1, 0, "unlink", NULL);
	rmdir("directory");
	expect(OTHER, -1, 0, "rmdir", NULL);
	truncate("other", 0);
	expect(OTHER, -1, 0, "truncate", NULL);
}

/* Functions that take a va_list are called from one that makes it. */
#define PRINT_LIST(local, character, function)                       \
	static int local(FILE *stream, const character *format, ...) \
	{                                                            \
		va_list list;                                        \
		int length;                                          \
                                                                     \
		va_start(list, format);                              \
		length = function(stream, format, list);             \
		va_end(list);                                        \
		return length;                                       \
	}

PRINT_LIST(print_list, char, vfprintf)
PRINT_LIST(print_wide_list, wchar_t, vfwprintf)

static void streams(void)
{
	static const char *volatile line_text = "a line\n";
	char text[64], *line = NULL;
	size_t size = 0;
	FILE *stream = fopen("lines", "w+");
	int fd = fileno(stream), number = 0;

	expect(OPEN, fd, 0, "fopen", "lines");
	need(fprintf(stream, "%s %d %.1f\n", "number", 42, 1.5) == 14, "fprintf()\n");
	expect(WRITE, fd, 14, "fprintf", NULL);
	need(print_list(stream, "%c%ld\n", 'x', 7L) == 3, "vfprintf()\n");
	expect(WRITE, fd, 3, "vfprintf", NULL);
	fputs(line_text, stream);
	expect(WRITE, fd, 7, "fputs", NULL);
	fwrite("0123456789", 5, 2, stream);
	expect(WRITE, fd, 10, "fwrite", NULL);
	fputc('\n', stream);
	expect(WRITE, fd, 1, "fputc", NULL);
	fflush(stream);
	expect(OTHER, fd, 0, "fflush", NULL);
	fseek(stream, 0, SEEK_SET);
	expect(OTHER, fd, 0, "fseek", NULL);
	need(fscanf(stream, "%63s %d", text, &number) == 2 && number == 42, "fscanf()\n");
	expect(READ, fd, 0, SCAN("fscanf"), NULL);
	fgets(text, sizeof(text), stream);
	expect(READ, fd, 5, "fgets", NULL);
	getline(&line, &size, stream);
	expect(READ, fd, 3, "getline", NULL);
	free(line);
	need(fgetc(stream) == 'a', "fgetc()\n");
	expect(READ, fd, 1, "fgetc", NULL);
	need(fread(text, 4, 16, stream) == 4, "fread()\n");
	expect(READ, fd, 16, "fread", NULL);
	need(fgetc(stream) == EOF, "fgetc() at the end\n");
	expect(READ, fd, 0, "fgetc", NULL);
	need(ftell(stream) == 35, "ftell()\n");
	expect(OTHER, fd, 0, "ftell", NULL);
	rewind(stream);
	expect(OTHER, fd, 0, "rewind", NULL);
	fclose(stream);
	expect(CLOSE, fd, 0, "fclose", NULL);
	need(!fopen("absent/file", "r") && errno == ENOENT, "fopen()\n");
	expect(OPEN + FAILED, -1, 0, "fopen", "absent/file");
	dprintf(STDERR_FILENO, "%s", "");
	expect(WRITE, STDERR_FILENO, 0, "dprintf", NULL);
}

/* five characters; eight bytes if the locale has them */
#define WIDE L"a\u00e9\u20acb\n"

static void wide_streams(void)
{
	long bytes = setlocale(LC_CTYPE, "C.UTF-8") ? 8 : 5;
	const wchar_t *text = bytes == 8 ? WIDE : L"abcd\n";
	wchar_t line[64];
	FILE *stream = fopen("wide", "w+");
	int fd = fileno(stream), number = 0;

	expect(OPEN, fd, 0, "fopen", "wide");
	need(fputws(text, stream) >= 0, "fputws()\n");
	expect(WRITE, fd, bytes, "fputws", NULL);
	need(fputwc(text[2], stream) == (wint_t)text[2], "fputwc()\n");
	expect(WRITE, fd, bytes == 8 ? 3 : 1, "fputwc", NULL);
	putwc(L'x', stream);
	expect(WRITE, fd, 1, "putwc", NULL);
	need(fwprintf(stream, L"%ls %d\n", L"number", 42) == 10, "fwprintf()\n");
	expect(WRITE, fd, 10, "fwprintf", NULL);
	need(print_wide_list(stream, L"%d\n", 1234) == 5, "vfwprintf()\n");
	expect(WRITE, fd, 5, "vfwprintf", NULL);
	rewind(stream);
	expect(OTHER, fd, 0, "rewind", NULL);
	need(fgetws(line, 64, stream) && wcscmp(line, text) == 0, "fgetws()\n");
	expect(READ, fd, bytes, "fgetws", NULL);
	need(fgetwc(stream) == (wint_t)text[2], "fgetwc()\n");
	expect(READ, fd, bytes == 8 ? 3 : 1, "fgetwc", NULL);
	need(getwc(stream) == L'x', "getwc()\n");
	expect(READ, fd, 1, "getwc", NULL);
	need(fwscanf(stream, L"%ls %d", line, &number) == 2 && number == 42,
	     "fwscanf()\n");
	expect(READ, fd, 0, SCAN("fwscanf"), NULL);
	while (fgetws(line, 64, stream))
		expect(READ, fd, (long)wcslen(line), "fgetws", NULL);
	expect(READ, fd, 0, "fgetws", NULL);
	need(fgetwc(stream) == WEOF, "fgetwc() at the end\n");
	expect(READ, fd, 0, "fgetwc", NULL);
	fclose(stream);
	expect(CLOSE, fd, 0, "fclose", NULL);
	stream = fopen("/dev/null", "r");
	fd = fileno(stream);
	expect(OPEN, fd, 0, "fopen", "/dev/null");
	need(fputwc(L'x', stream) == WEOF && errno == EBADF, "fputwc() to a reader\n");
	expect(WRITE + FAILED, fd, -1, "fputwc", NULL);
	fclose(stream);
	expect(CLOSE, fd, 0, "fclose", NULL);
}

static void commands(void)
{
	FILE *stream = popen("exit 3", "r");
	int fd = fileno(stream);

	expect(OPEN, fd, 0, "popen", NULL);
	need(pclose(stream) == 3 << 8, "pclose()\n");
	expect(CLOSE, fd, 0, "pclose", NULL);
	need(!popen("true", "no mode") && errno == EINVAL, "popen()\n");
	expect(OPEN + FAILED, -1, 0, "popen", NULL);
}

static void pipes_and_sockets(void)
{
	struct msghdr message = { .msg_iov = &(struct iovec){ (char *)"message", 7 },
				  .msg_iovlen = 1 };
	struct mmsghdr two[] = { { .msg_hdr = message }, { .msg_hdr = message } };
	struct pollfd ready = { .events = POLLIN };
	struct epoll_event event = { .events = EPOLLIN };
	char buffer[64];
	fd_set set;
	int ends[2], fd;

	pipe(ends);
	expect(OPEN, ends[0], 0, "pipe", NULL);
	write(ends[1], "pipe", 4);
	expect(WRITE, ends[1], 4, "write", NULL);
	ready.fd = ends[0];
	need(poll(&ready, 1, -1) == 1, "poll()\n");
	expect(OTHER, -1, 0, "poll", NULL);
	FD_ZERO(&set);
	FD_SET(ends[0], &set);
	need(select(ends[0] + 1, &set, NULL, NULL, NULL) == 1, "select()\n");
	expect(OTHER, -1, 0, "select", NULL);
	fd = epoll_create1(EPOLL_CLOEXEC);
	expect(OPEN, fd, 0, "epoll_create1", NULL);
	epoll_ctl(fd, EPOLL_CTL_ADD, ends[0], &event);
	expect(OTHER, fd, 0, "epoll_ctl", NULL);
	need(epoll_wait(fd, &event, 1, -1) == 1, "epoll_wait()\n");
	expect(OTHER, fd, 0, "epoll_wait", NULL);
	read(ends[0], buffer, 64);
	expect(READ, ends[0], 4, "read", NULL);
	close(ends[0]);
	expect(CLOSE, ends[0], 0, "close", NULL);
	close(ends[1]);
	expect(CLOSE, ends[1], 0, "close", NULL);
	close(fd);
	expect(CLOSE, fd, 0, "close", NULL);
	fd = eventfd(3, 0);
	expect(OPEN, fd, 0, "eventfd", NULL);
	read(fd, buffer, 8);
	expect(READ, fd, 8, "read", NULL);
	close(fd);
	expect(CLOSE, fd, 0, "close", NULL);
	socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
	expect(OPEN, ends[0], 0, "socketpair", NULL);
	send(ends[0], "one", 3, 0);
	expect(WRITE, ends[0], 3, "send", NULL);
	sendmsg(ends[0], &message, 0);
	expect(WRITE, ends[0], 7, "sendmsg", NULL);
	need(sendmmsg(ends[0], two, 2, 0) == 2, "sendmmsg()\n");
	expect(WRITE, ends[0], 14, "sendmmsg", NULL);
	recv(ends[1], buffer, 64, 0);
	expect(READ, ends[1], 3, "recv", NULL);
	need(recv(ends[1], buffer, 64, MSG_PEEK) == 7, "recv()\n");
	expect(READ, ends[1], 7, "recv", NULL);
	recvfrom(ends[1], buffer, 64, 0, NULL, NULL);
	expect(READ, ends[1], 7, "recvfrom", NULL);
	message.msg_iov = two[0].msg_hdr.msg_iov = &(struct iovec){ buffer, 64 };
	recvmsg(ends[1], &message, 0);
	expect(READ, ends[1], 7, "recvmsg", NULL);
	need(recvmmsg(ends[1], two, 1, 0, NULL) == 1, "recvmmsg()\n");
	expect(READ, ends[1], 7, "recvmmsg", NULL);
	shutdown(ends[0], SHUT_RDWR);
	expect(OTHER, ends[0], 0, "shutdown", NULL);
	close(ends[0]);
	expect(CLOSE, ends[0], 0, "close", NULL);
	close(ends[1]);
	expect(CLOSE, ends[1], 0, "close", NULL);
}

static void servers(void)
{
	struct sockaddr_un address = { AF_UNIX, "socket" };
	int server = socket(AF_UNIX, SOCK_STREAM, 0), client, accepted;

	expect(OPEN, server, 0, "socket", NULL);
	bind(server, (struct sockaddr *)&address, sizeof(address));
	expect(OTHER, server, 0, "bind", NULL);
	listen(server, 1);
	expect(OTHER, server, 0, "listen", NULL);
	client = socket(AF_UNIX, SOCK_STREAM, 0);
	expect(OPEN, client, 0, "socket", NULL);
	connect(client, (struct sockaddr *)&address, sizeof(address));
	expect(OTHER, client, 0, "connect", NULL);
	accepted = accept4(server, NULL, NULL, SOCK_CLOEXEC);
	expect(OPEN, accepted, 0, "accept4", NULL);
	unlink("socket");
	expect(OTHER, -1, 0, "unlink", NULL);
	for (const int *at = (int[]){ accepted, client, server, 0 }; *at; at++) {
		close(*at);
		expect(CLOSE, *at, 0, "close", NULL);
	}
}

static int calls(char **arguments)
{
	open_and_close();
	read_and_write();
	with_names();
	streams();
	wide_streams();
	commands();
	pipes_and_sockets();
	servers();
	print_lines();
	return 0;
}

static const struct situation situations[] = { { "calls", calls }, {} };

int main(int argc, char **argv)
{
	return run_situation(situations, argc, argv);
}
