/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading and writing without surprises: interrupted and short calls are continued, and
 * nothing follows a link that was not asked for. All return a negative errno on failure.
 */
#ifndef LIBEXPT_BASE_IO_H
#define LIBEXPT_BASE_IO_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "libexpt/base/open.h"

/* Memory for reading and writing much at a time, of free(3); NULL without memory. */
void *io_buffer(size_t size);

int io_write_all(int fd, const void *bytes, size_t length);
int io_pwrite_all(int fd, const void *bytes, size_t length, off_t offset);
/* As read(2), but what comes is waited for no longer than so many seconds, or 0: as long
 * as it takes. -ETIMEDOUT. */
ssize_t io_read_within(int fd, void *bytes, size_t length, unsigned seconds);
/* Bytes read; fewer than length only at the end of the file. */
ssize_t io_read_full(int fd, void *bytes, size_t length);
ssize_t io_read_full_within(int fd, void *bytes, size_t length, unsigned seconds);
ssize_t io_pread_full(int fd, void *bytes, size_t length, off_t offset);

/* The next data of a file at or after offset and before end: 1, or 0 if only a hole is
 * left. */
int io_next_data(int fd, uint64_t offset, uint64_t end, uint64_t *start,
		 uint64_t *length);

/* The whole content of from becomes that of to by sharing its blocks, where the file
 * system can do that; otherwise nothing happens, and errno says why. */
bool io_clone(int to, int from);

/* Whether it is immutable or append-only: not even root removes or renames it then, nor
 * what is in it. */
bool io_is_fixed(int dir);
/* Whether this is root, with rights over the files of all users: in a user namespace
 * those of root end with the users that it knows. */
bool io_is_root(void);
/* Whether names in the directory may come and go, as far as can be seen without trying:
 * 0, -EACCES, or -EROFS or -EPERM, which root gets as well. */
int io_may_change(int dir);

/* Like fchmod(2), also of a descriptor that was opened with O_PATH. */
int io_set_mode(int fd, mode_t mode);

/* mkdirat(2), and the owner may use the directory, whatever the umask is. */
int io_make_directory(int dir, const char *name, mode_t mode);
/* The same where others may change dir: a descriptor of the directory that was made.
 * -ESTALE: it has been exchanged for another one. */
int io_new_directory(int dir, const char *name, mode_t mode);

/* What the umask, default ACLs and the file system make of a new file of mode 0777 in the
 * directory dir: name, which is removed again. */
int io_probe_file(int dir, const char *name, struct stat *made);

/* The entries of the directory dir, read through a descriptor of its own; NULL: see
 * errno. */
DIR *io_list(int dir);
bool io_is_dots(const char *name); /* "." or ".." */
/* Whether the open file, or directory, is what has the name in dir. */
bool io_has_name(int fd, int dir, const char *name);
/* Whether both are the status of one file. */
bool io_is_same(const struct stat *a, const struct stat *b);
/* Whether this entry of dir is a directory itself; type is its d_type, which not every
 * file system knows. */
bool io_is_directory(int dir, const char *name, unsigned char type);

/* Of a buffer that getdents64(3) filled: the entry at an offset, and a good size for the
 * buffer. */
#define IO_ENTRIES_SIZE 32768
const struct dirent64 *io_entry(const char *buffer, ssize_t offset);

/* A whole file in memory: what readers parse. It is read, not mapped: a recorder cuts its
 * files to size at the end of a run, and a mapping that loses its pages raises SIGBUS.
 * bytes is NULL when the file is empty; -EFBIG beyond IO_FILE_MAX. */
#define IO_FILE_MAX ((size_t)1 << 30)

struct io_file {
	unsigned char *bytes;
	size_t size;
};

int io_file_open(struct io_file *file, int dir, const char *name);
int io_file_take(struct io_file *file,
		 int fd); /* of an open one, which stays the caller's */
void io_file_close(struct io_file *file);

#endif
