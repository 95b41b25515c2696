/* SPDX-License-Identifier: Apache-2.0 */
/* Operations on descriptors other than reading and writing. */

#include <fcntl.h>
#include <stdarg.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "collector/io/io.h"

#define CLOSE(symbol)                                                 \
	IO_WRAPPER(int, symbol, (int fd))                             \
	{                                                             \
		IO_REAL(symbol, "GLIBC_2.2.5", int, (int));           \
		uint64_t begun = trace_now();                         \
		int result;                                           \
                                                                      \
		io_forget(fd);                                        \
		result = real(fd);                                    \
                                                                      \
		io_end_other(begun, EXPT_IO_CLOSE, fd, result == -1); \
		return result;                                        \
	}

CLOSE(close)
CLOSE(__close)

/* ---- duplicates ---- */

#define DUPLICATE(...) IO_NEW(from, EXPT_FS_UNKNOWN, __VA_ARGS__)

DUPLICATE(dup, "GLIBC_2.2.5", (int from), (from))
DUPLICATE(dup2, "GLIBC_2.2.5", (int from, int to), (from, to))
DUPLICATE(__dup2, "GLIBC_2.2.5", (int from, int to), (from, to))
DUPLICATE(dup3, "GLIBC_2.9", (int from, int to, int flags), (from, to, flags))

/* The third argument may be absent, a number or a pointer. It is passed on as a pointer,
 * as libc does. */
#define CONTROL(symbol, version)                                              \
	IO_WRAPPER(int, symbol, (int fd, int command, ...))                   \
	{                                                                     \
		IO_REAL(symbol, version, int, (int, int, ...));               \
		uint64_t begun;                                               \
		va_list list;                                                 \
		void *argument;                                               \
		int result;                                                   \
                                                                              \
		va_start(list, command);                                      \
		argument = va_arg(list, void *);                              \
		va_end(list);                                                 \
		begun = trace_now();                                          \
		result = real(fd, command, argument);                         \
		if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)         \
			io_end_new(begun, result, fd, EXPT_FS_UNKNOWN);       \
		else                                                          \
			io_end_other(begun, EXPT_IO_OTHER, fd, result == -1); \
		return result;                                                \
	}

CONTROL(fcntl, "GLIBC_2.2.5")
CONTROL(__fcntl, "GLIBC_2.2.5")
CONTROL(fcntl64, "GLIBC_2.28")

IO_WRAPPER(int, ioctl, (int fd, unsigned long command, ...))
{
	IO_REAL(ioctl, "GLIBC_2.2.5", int, (int, unsigned long, ...));
	uint64_t begun;
	va_list list;
	void *argument;
	int result;

	va_start(list, command);
	argument = va_arg(list, void *);
	va_end(list);
	begun = trace_now();
	result = real(fd, command, argument);
	io_end_other(begun, EXPT_IO_OTHER, fd, result == -1);
	return result;
}

/* One call is one event, recorded for the end that is read; the other end appears when it
 * is used. */
#define PIPE(symbol, version, parameters, arguments)                            \
	IO_WRAPPER(int, symbol, parameters)                                     \
	{                                                                       \
		IO_REAL(symbol, version, int, parameters);                      \
		uint64_t begun = trace_now();                                   \
		int result = real arguments;                                    \
                                                                                \
		io_end_new(begun, result == 0 ? ends[0] : -1, 0, EXPT_FS_FIFO); \
		return result;                                                  \
	}

PIPE(pipe, "GLIBC_2.2.5", (int ends[2]), (ends))
PIPE(pipe2, "GLIBC_2.9", (int ends[2], int flags), (ends, flags))

/* ---- offsets and sizes ---- */

#define OTHER(...) IO_OTHER(fd, int, __VA_ARGS__)

IO_OTHER(fd, off_t, lseek, "GLIBC_2.2.5", (int fd, off_t at, int whence),
	 (fd, at, whence))
IO_OTHER(fd, off64_t, lseek64, "GLIBC_2.2.5", (int fd, off64_t at, int whence),
	 (fd, at, whence))
IO_OTHER(fd, off_t, __lseek, "GLIBC_2.2.5", (int fd, off_t at, int whence),
	 (fd, at, whence))
OTHER(ftruncate, "GLIBC_2.2.5", (int fd, off_t size), (fd, size))
OTHER(ftruncate64, "GLIBC_2.2.5", (int fd, off64_t size), (fd, size))
OTHER(fallocate, "GLIBC_2.10", (int fd, int mode, off_t at, off_t size),
      (fd, mode, at, size))
OTHER(fallocate64, "GLIBC_2.10", (int fd, int mode, off64_t at, off64_t size),
      (fd, mode, at, size))
IO_OTHER_ERROR(fd, posix_fallocate, "GLIBC_2.2.5", (int fd, off_t at, off_t size),
	       (fd, at, size))
IO_OTHER_ERROR(fd, posix_fallocate64, "GLIBC_2.2.5", (int fd, off64_t at, off64_t size),
	       (fd, at, size))
IO_OTHER_ERROR(fd, posix_fadvise, "GLIBC_2.2.5",
	       (int fd, off_t at, off_t size, int advice), (fd, at, size, advice))
IO_OTHER_ERROR(fd, posix_fadvise64, "GLIBC_2.2.5",
	       (int fd, off64_t at, off64_t size, int advice), (fd, at, size, advice))
IO_OTHER(fd, ssize_t, readahead, "GLIBC_2.3", (int fd, off64_t at, size_t size),
	 (fd, at, size))

/* ---- syncing ---- */

OTHER(fsync, "GLIBC_2.2.5", (int fd), (fd))
OTHER(fdatasync, "GLIBC_2.2.5", (int fd), (fd))
OTHER(syncfs, "GLIBC_2.14", (int fd), (fd))
OTHER(sync_file_range, "GLIBC_2.6", (int fd, off64_t at, off64_t size, unsigned flags),
      (fd, at, size, flags))

IO_WRAPPER(void, sync, (void))
{
	IO_REAL(sync, "GLIBC_2.2.5", void, (void));
	uint64_t begun = trace_now();

	real();
	io_end_other(begun, EXPT_IO_OTHER, -1, false);
}

/* ---- locks, timers, watches ---- */

OTHER(flock, "GLIBC_2.2.5", (int fd, int operation), (fd, operation))
OTHER(lockf, "GLIBC_2.2.5", (int fd, int operation, off_t size), (fd, operation, size))
OTHER(lockf64, "GLIBC_2.2.5", (int fd, int operation, off64_t size),
      (fd, operation, size))
OTHER(timerfd_settime, "GLIBC_2.8",
      (int fd, int flags, const struct itimerspec *time, struct itimerspec *former),
      (fd, flags, time, former))
OTHER(timerfd_gettime, "GLIBC_2.8", (int fd, struct itimerspec *time), (fd, time))
OTHER(inotify_add_watch, "GLIBC_2.4", (int fd, const char *path, uint32_t events),
      (fd, path, events))
OTHER(inotify_rm_watch, "GLIBC_2.4", (int fd, int watch), (fd, watch))
