/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading and writing without surprises: interrupted and short calls are continued, and
 * no link is followed unless asked for. All return a negative errno on failure.
 */
#ifndef LIBEXPT_BASE_IO_H
#define LIBEXPT_BASE_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "libexpt/base/open.h"

/* Returns memory for large reads and writes, to be released with free(3); NULL: out of
 * memory. */
void *io_buffer(size_t size);

int io_write_all(int fd, const void *bytes, size_t length);
int io_pwrite_all(int fd, const void *bytes, size_t length, off_t offset);
/* Like read(2), but waits at most this many seconds, then -ETIMEDOUT; 0: no limit. */
ssize_t io_read_within(int fd, void *bytes, size_t length, unsigned seconds);
/* Returns the bytes read; fewer than length only at the end of the file. */
ssize_t io_read_full(int fd, void *bytes, size_t length);
ssize_t io_read_full_within(int fd, void *bytes, size_t length, unsigned seconds);
ssize_t io_pread_full(int fd, void *bytes, size_t length, off_t offset);

/* Find the next data of a file at or after offset and before end: 1, or 0 if there is
 * only a hole. */
int io_next_data(int fd, uint64_t offset, uint64_t end, uint64_t *start,
		 uint64_t *length);

/* Replace the content of to by that of from by sharing its blocks. Where the file system
 * cannot do that, nothing happens, and errno says why. */
bool io_clone(int to, int from);

/* Whether it is immutable or append-only: then not even root can remove or rename it or
 * anything in it. */
bool io_is_fixed(int dir);
/* Whether this is root with rights over the files of all users. In a user namespace,
 * root's rights end with the users mapped into it. */
bool io_is_root(void);
/* Whether names can be added to and removed from the directory, as far as can be seen
 * without trying: 0, -EACCES, or -EROFS or -EPERM, which apply to root as well. */
int io_may_change(int dir);

/* Like fchmod(2), but also for a descriptor opened with O_PATH. */
int io_set_mode(int fd, mode_t mode);

/* Like mkdirat(2), but the owner may use the directory whatever the umask is. */
int io_make_directory(int dir, const char *name, mode_t mode);
/* Like io_make_directory(), where others may change dir. Returns a descriptor of the new
 * directory. -ESTALE: it has been exchanged for another one, or removed. */
int io_new_directory(int dir, const char *name, mode_t mode);

/* Create a file of mode 0777 in the directory dir and remove it again. *made shows the
 * effect of the umask, default ACLs and the file system. */
int io_probe_file(int dir, const char *name, struct stat *made);

/* Make room for so many descriptors, before there are other threads: when the table of a
 * process with threads grows, the kernel waits until no processor uses the old one, some
 * 10 ms each time. fd is any. */
void io_expect_descriptors(int fd, size_t count);
/* Whether the open file or directory has this name in dir. */
bool io_has_name(int fd, int dir, const char *name);
/* Whether both are the status of the same file. */
bool io_is_same(const struct stat *a, const struct stat *b);
/* Whether this entry of dir is itself a directory; type is its d_type, which not every
 * file system fills in. */
bool io_is_directory(int dir, const char *name, unsigned char type);

/* A whole file in memory, for parsers. It is read, not mapped: a recorder cuts its files
 * to size at the end of a run, and a mapping that loses its pages raises SIGBUS. bytes is
 * NULL if the file is empty; -EFBIG beyond IO_FILE_MAX. */
#define IO_FILE_MAX ((size_t)1 << 30)

struct io_file {
	unsigned char *bytes;
	size_t size;
};

int io_file_open(struct io_file *file, int dir, const char *name);
int io_file_read(struct io_file *file, int fd); /* fd stays the caller's */
void io_file_close(struct io_file *file);

#endif
