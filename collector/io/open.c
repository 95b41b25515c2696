/* SPDX-License-Identifier: Apache-2.0 */
/* Opening files, and making descriptors without a file. */

#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "collector/io/io.h"

/* open() has a third argument with these flags only. */
static inline bool has_mode(int flags)
{
	return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
}

/* The name is relative to directory. */
#define OPEN(directory, symbol, version, parameters, ...)              \
	IO_WRAPPER(int, symbol, parameters)                            \
	{                                                              \
		IO_REAL(symbol, version, int, parameters);             \
		unsigned mode = 0;                                     \
		uint64_t begun;                                        \
		va_list list;                                          \
		int fd;                                                \
                                                                       \
		va_start(list, flags);                                 \
		if (has_mode(flags))                                   \
			mode = va_arg(list, unsigned);                 \
		va_end(list);                                          \
		begun = trace_now();                                   \
		fd = real(__VA_ARGS__, mode);                          \
		io_end_open(begun, fd, path, (directory) == AT_FDCWD); \
		return fd;                                             \
	}

OPEN(AT_FDCWD, open, "GLIBC_2.2.5", (const char *path, int flags, ...), path, flags)
OPEN(AT_FDCWD, open64, "GLIBC_2.2.5", (const char *path, int flags, ...), path, flags)
OPEN(AT_FDCWD, __open, "GLIBC_2.2.5", (const char *path, int flags, ...), path, flags)
OPEN(AT_FDCWD, __open64, "GLIBC_2.2.5", (const char *path, int flags, ...), path, flags)
OPEN(directory, openat, "GLIBC_2.4", (int directory, const char *path, int flags, ...),
     directory, path, flags)
OPEN(directory, openat64, "GLIBC_2.4", (int directory, const char *path, int flags, ...),
     directory, path, flags)

/* Define a wrapper whose function has no mode, or always one. */
#define OPEN_PLAINLY(directory, symbol, version, parameters, arguments) \
	IO_WRAPPER(int, symbol, parameters)                             \
	{                                                               \
		IO_REAL(symbol, version, int, parameters);              \
		uint64_t begun = trace_now();                           \
		int fd = real arguments;                                \
                                                                        \
		io_end_open(begun, fd, path, (directory) == AT_FDCWD);  \
		return fd;                                              \
	}

OPEN_PLAINLY(AT_FDCWD, creat, "GLIBC_2.2.5", (const char *path, mode_t mode),
	     (path, mode))
OPEN_PLAINLY(AT_FDCWD, creat64, "GLIBC_2.2.5", (const char *path, mode_t mode),
	     (path, mode))
OPEN_PLAINLY(AT_FDCWD, __open_2, "GLIBC_2.7", (const char *path, int flags),
	     (path, flags))
OPEN_PLAINLY(AT_FDCWD, __open64_2, "GLIBC_2.7", (const char *path, int flags),
	     (path, flags))
OPEN_PLAINLY(directory, __openat_2, "GLIBC_2.7",
	     (int directory, const char *path, int flags), (directory, path, flags))
OPEN_PLAINLY(directory, __openat64_2, "GLIBC_2.7",
	     (int directory, const char *path, int flags), (directory, path, flags))

/* The template becomes a name only when the call returns. */
OPEN_PLAINLY(AT_FDCWD, mkstemp, "GLIBC_2.2.5", (char *path), (path))
OPEN_PLAINLY(AT_FDCWD, mkstemp64, "GLIBC_2.2.5", (char *path), (path))
OPEN_PLAINLY(AT_FDCWD, mkostemp, "GLIBC_2.7", (char *path, int flags), (path, flags))
OPEN_PLAINLY(AT_FDCWD, mkostemp64, "GLIBC_2.7", (char *path, int flags), (path, flags))
OPEN_PLAINLY(AT_FDCWD, mkstemps, "GLIBC_2.11", (char *path, int suffix), (path, suffix))
OPEN_PLAINLY(AT_FDCWD, mkstemps64, "GLIBC_2.11", (char *path, int suffix), (path, suffix))
OPEN_PLAINLY(AT_FDCWD, mkostemps, "GLIBC_2.11", (char *path, int suffix, int flags),
	     (path, suffix, flags))
OPEN_PLAINLY(AT_FDCWD, mkostemps64, "GLIBC_2.11", (char *path, int suffix, int flags),
	     (path, suffix, flags))

/* These names are not paths. */
OPEN_PLAINLY(-1, shm_open, "GLIBC_2.34", (const char *path, int flags, mode_t mode),
	     (path, flags, mode))
OPEN_PLAINLY(-1, memfd_create, "GLIBC_2.27", (const char *path, unsigned flags),
	     (path, flags))

/* ---- descriptors without a file ---- */

#define NEW(...) IO_NEW(0, EXPT_FS_UNKNOWN, __VA_ARGS__)

NEW(epoll_create, "GLIBC_2.3.2", (int size), (size))
NEW(epoll_create1, "GLIBC_2.9", (int flags), (flags))
NEW(eventfd, "GLIBC_2.7", (unsigned count, int flags), (count, flags))
NEW(timerfd_create, "GLIBC_2.8", (clockid_t clock, int flags), (clock, flags))
NEW(inotify_init, "GLIBC_2.4", (void), ())
NEW(inotify_init1, "GLIBC_2.9", (int flags), (flags))
NEW(posix_openpt, "GLIBC_2.2.5", (int flags), (flags))

IO_WRAPPER(int, signalfd, (int fd, const sigset_t *signals, int flags))
{
	IO_REAL(signalfd, "GLIBC_2.7", int, (int, const sigset_t *, int));
	uint64_t begun = trace_now();
	int result = real(fd, signals, flags);

	if (fd >= 0) /* the existing descriptor gets other signals */
		io_end_other(begun, EXPT_IO_OTHER, fd, result < 0);
	else
		io_end_new(begun, result, 0, EXPT_FS_UNKNOWN);
	return result;
}
