/* SPDX-License-Identifier: Apache-2.0 */
/* Reading and writing descriptors. */

#include <sys/uio.h>
#include <unistd.h>

#include "collector/io/io.h"

#define READ(...)  IO_TRANSFER(EXPT_IO_READ, fd, ssize_t, __VA_ARGS__)
#define WRITE(...) IO_TRANSFER(EXPT_IO_WRITE, fd, ssize_t, __VA_ARGS__)

READ(read, "GLIBC_2.2.5", (int fd, void *buffer, size_t size), (fd, buffer, size))
READ(__read, "GLIBC_2.2.5", (int fd, void *buffer, size_t size), (fd, buffer, size))
READ(__read_chk, "GLIBC_2.4", (int fd, void *buffer, size_t size, size_t room),
     (fd, buffer, size, room))
WRITE(write, "GLIBC_2.2.5", (int fd, const void *buffer, size_t size), (fd, buffer, size))
WRITE(__write, "GLIBC_2.2.5", (int fd, const void *buffer, size_t size),
      (fd, buffer, size))

/* ---- at an offset ---- */

READ(pread, "GLIBC_2.2.5", (int fd, void *buffer, size_t size, off_t at),
     (fd, buffer, size, at))
READ(pread64, "GLIBC_2.2.5", (int fd, void *buffer, size_t size, off64_t at),
     (fd, buffer, size, at))
READ(__pread64, "GLIBC_2.2.5", (int fd, void *buffer, size_t size, off64_t at),
     (fd, buffer, size, at))
READ(__pread_chk, "GLIBC_2.4", (int fd, void *buffer, size_t size, off_t at, size_t room),
     (fd, buffer, size, at, room))
READ(__pread64_chk, "GLIBC_2.4",
     (int fd, void *buffer, size_t size, off64_t at, size_t room),
     (fd, buffer, size, at, room))
WRITE(pwrite, "GLIBC_2.2.5", (int fd, const void *buffer, size_t size, off_t at),
      (fd, buffer, size, at))
WRITE(pwrite64, "GLIBC_2.2.5", (int fd, const void *buffer, size_t size, off64_t at),
      (fd, buffer, size, at))
WRITE(__pwrite64, "GLIBC_2.2.5", (int fd, const void *buffer, size_t size, off64_t at),
      (fd, buffer, size, at))

/* ---- scatter and gather ---- */

READ(readv, "GLIBC_2.2.5", (int fd, const struct iovec *pieces, int count),
     (fd, pieces, count))
WRITE(writev, "GLIBC_2.2.5", (int fd, const struct iovec *pieces, int count),
      (fd, pieces, count))
READ(preadv, "GLIBC_2.10", (int fd, const struct iovec *pieces, int count, off_t at),
     (fd, pieces, count, at))
READ(preadv64, "GLIBC_2.10", (int fd, const struct iovec *pieces, int count, off64_t at),
     (fd, pieces, count, at))
WRITE(pwritev, "GLIBC_2.10", (int fd, const struct iovec *pieces, int count, off_t at),
      (fd, pieces, count, at))
WRITE(pwritev64, "GLIBC_2.10",
      (int fd, const struct iovec *pieces, int count, off64_t at),
      (fd, pieces, count, at))
READ(preadv2, "GLIBC_2.26",
     (int fd, const struct iovec *pieces, int count, off_t at, int flags),
     (fd, pieces, count, at, flags))
READ(preadv64v2, "GLIBC_2.26",
     (int fd, const struct iovec *pieces, int count, off64_t at, int flags),
     (fd, pieces, count, at, flags))
WRITE(pwritev2, "GLIBC_2.26",
      (int fd, const struct iovec *pieces, int count, off_t at, int flags),
      (fd, pieces, count, at, flags))
WRITE(pwritev64v2, "GLIBC_2.26",
      (int fd, const struct iovec *pieces, int count, off64_t at, int flags),
      (fd, pieces, count, at, flags))

/* ---- from one descriptor to another: written to the second ---- */

#define MOVE(symbol, version, parameters, arguments) \
	IO_TRANSFER(EXPT_IO_WRITE, to, ssize_t, symbol, version, parameters, arguments)

MOVE(sendfile, "GLIBC_2.2.5", (int to, int from, off_t *at, size_t size),
     (to, from, at, size))
MOVE(sendfile64, "GLIBC_2.3", (int to, int from, off64_t *at, size_t size),
     (to, from, at, size))
MOVE(splice, "GLIBC_2.5",
     (int from, off64_t *from_at, int to, off64_t *to_at, size_t size, unsigned flags),
     (from, from_at, to, to_at, size, flags))
MOVE(tee, "GLIBC_2.5", (int from, int to, size_t size, unsigned flags),
     (from, to, size, flags))
MOVE(vmsplice, "GLIBC_2.5",
     (int to, const struct iovec *pieces, size_t count, unsigned flags),
     (to, pieces, count, flags))
MOVE(copy_file_range, "GLIBC_2.27",
     (int from, off64_t *from_at, int to, off64_t *to_at, size_t size, unsigned flags),
     (from, from_at, to, to_at, size, flags))
