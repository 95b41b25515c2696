/* SPDX-License-Identifier: Apache-2.0 */
/* Reading and writing descriptors. */

#include <collector/interpose.h>
#include <collector/io/io.h>
#include <errno.h>
#include <unistd.h>

IO_WRAPPER(ssize_t, read, (int fd, void *buffer, size_t size))
{
	REAL(read, "GLIBC_2.2.5", ssize_t, (int, void *, size_t));
	struct io_call call = io_begin();
	ssize_t got = real(fd, buffer, size);

	io_end(&call, EXPT_IO_READ, fd, got);
	return got;
}

IO_WRAPPER(ssize_t, write, (int fd, const void *buffer, size_t size))
{
	REAL(write, "GLIBC_2.2.5", ssize_t, (int, const void *, size_t));
	struct io_call call = io_begin();
	ssize_t put = real(fd, buffer, size);

	io_end(&call, EXPT_IO_WRITE, fd, put);
	return put;
}
