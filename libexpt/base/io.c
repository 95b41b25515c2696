/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/entries.h"

/* Memory from malloc(3) that is mapped begins 16 bytes into a page, and some processors
 * copy from the page cache to such an address at a fraction of their speed. */
#define BUFFER_ALIGNMENT 4096

void *io_buffer(size_t size)
{
	size_t rounded = (size + BUFFER_ALIGNMENT - 1) & ~(size_t)(BUFFER_ALIGNMENT - 1);

	return rounded < size ? NULL : aligned_alloc(BUFFER_ALIGNMENT, rounded);
}

int io_write_all(int fd, const void *bytes, size_t length)
{
	const char *next = bytes;

	while (length > 0) {
		ssize_t written = write(fd, next, length);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return written < 0 ? -errno : -EIO;
		next += written;
		length -= (size_t)written;
	}
	return 0;
}

int io_pwrite_all(int fd, const void *bytes, size_t length, off_t offset)
{
	const char *next = bytes;

	while (length > 0) {
		ssize_t written = pwrite(fd, next, length, offset);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return written < 0 ? -errno : -EIO;
		next += written;
		offset += written;
		length -= (size_t)written;
	}
	return 0;
}

static int wait_for_bytes(int fd, unsigned seconds)
{
	int timeout_ms = seconds < INT_MAX / 1000 ? (int)seconds * 1000 : INT_MAX;
	struct pollfd wanted = { .fd = fd, .events = POLLIN };
	int rc;

	while ((rc = poll(&wanted, 1, timeout_ms)) < 0)
		if (errno != EINTR)
			return -errno;
	return rc == 0 ? -ETIMEDOUT : 0;
}

ssize_t io_read_within(int fd, void *bytes, size_t length, unsigned seconds)
{
	int rc = seconds ? wait_for_bytes(fd, seconds) : 0;
	ssize_t got;

	if (rc < 0)
		return rc;
	while ((got = read(fd, bytes, length)) < 0)
		if (errno != EINTR)
			return -errno;
	return got;
}

ssize_t io_read_full_within(int fd, void *bytes, size_t length, unsigned seconds)
{
	size_t done = 0;

	while (done < length) {
		ssize_t got =
			io_read_within(fd, (char *)bytes + done, length - done, seconds);

		if (got < 0)
			return got;
		if (got == 0)
			break;
		done += (size_t)got;
	}
	return (ssize_t)done;
}

ssize_t io_read_full(int fd, void *bytes, size_t length)
{
	return io_read_full_within(fd, bytes, length, 0);
}

ssize_t io_pread_full(int fd, void *bytes, size_t length, off_t offset)
{
	size_t done = 0;

	while (done < length) {
		ssize_t got = pread(fd, (char *)bytes + done, length - done,
				    offset + (off_t)done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			break;
		done += (size_t)got;
	}
	return (ssize_t)done;
}

int io_next_data(int fd, uint64_t offset, uint64_t end, uint64_t *start, uint64_t *length)
{
	off_t data = lseek(fd, (off_t)offset, SEEK_DATA), hole;

	if (data < 0 && errno == ENXIO)
		return 0;
	if (data < 0 && errno != EINVAL)
		return -errno;
	if (data < 0) /* the file system does not know holes */
		data = (off_t)offset;
	if ((uint64_t)data >= end)
		return 0;
	hole = lseek(fd, data, SEEK_HOLE);
	if (hole <= data || (uint64_t)hole > end)
		hole = (off_t)end;
	*start = (uint64_t)data;
	*length = (uint64_t)(hole - data);
	return 1;
}

bool io_clone(int to, int from)
{
	return ioctl(to, FICLONE, from) == 0;
}

bool io_is_fixed(int dir)
{
	const uint64_t fixed = STATX_ATTR_IMMUTABLE | STATX_ATTR_APPEND;
	struct statx status;

	return statx(dir, "", AT_EMPTY_PATH, 0, &status) == 0 &&
	       (status.stx_attributes & fixed) != 0;
}

bool io_is_root(void)
{
	cleanup_fd int fd = -1;
	unsigned first, outside, count;
	char map[128];
	ssize_t length;

	if (geteuid() != 0)
		return false;
	fd = open("/proc/self/uid_map", O_RDONLY | O_CLOEXEC);
	length = fd < 0 ? -1 : io_read_full(fd, map, sizeof(map) - 1);
	if (length <= 0)
		return true;
	map[length] = '\0';
	return sscanf(map, "%u %u %u", &first, &outside, &count) == 3 && first == 0 &&
	       outside == 0 && count == UINT32_MAX;
}

int io_may_change(int dir)
{
	if (io_is_fixed(dir))
		return -EPERM;
	if (faccessat(dir, ".", W_OK | X_OK, AT_EACCESS) == 0)
		return 0;
	/* Other errors do not count: some sandboxes refuse the call itself. */
	return errno == EACCES || errno == EROFS ? -errno : 0;
}

int io_set_mode(int fd, mode_t mode)
{
	char self[64];

	if (fchmod(fd, mode) == 0)
		return 0;
	if (errno != EBADF)
		return -errno;
	/* A descriptor opened with O_PATH leads to the file only through /proc. */
	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	return chmod(self, mode) < 0 ? -errno : 0;
}

/* Whether new files of this process in the directory get this owner: mounts may give all
 * files to one user, and servers may give root's to another. */
static bool is_given_to_us(int dir, uid_t owner)
{
	cleanup_fd int fd = openat(dir, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600);
	struct stat made;
	char name[64];

	if (fd >= 0)
		return fstat(fd, &made) == 0 && made.st_uid == owner;
	snprintf(name, sizeof(name), ".erkit.%d.probe", (int)getpid());
	return io_probe_file(dir, name, &made) == 0 && made.st_uid == owner;
}

/* Returns 0, or -ESTALE if it is not empty and so not the new one. */
static int check_empty(int dir)
{
	cleanup_entries struct entries entries = entries_open(dir);

	return entries_next(&entries) ? -ESTALE : entries.code;
}

/* Open the new directory, and give its owner the rights that a umask may have removed. */
static int open_made(int dir, const char *name, struct stat *status)
{
	cleanup_fd int path =
		openat(dir, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int rc;

	if (path < 0)
		return errno == ENOTDIR ? -ESTALE : -errno;
	if (fstat(path, status) < 0)
		return -errno;
	if (status->st_uid != geteuid() && !is_given_to_us(dir, status->st_uid))
		return -ESTALE;
	if ((status->st_mode & S_IRWXU) == S_IRWXU)
		return steal_fd(&path);
	rc = io_set_mode(path, (status->st_mode & 03777) | S_IRWXU);
	return rc < 0 ? rc : steal_fd(&path);
}

/* Where others may rename and remove entries, the name may refer to another directory by
 * the time it is opened: one of theirs, or an older one of this user. */
int io_new_directory(int dir, const char *name, mode_t mode)
{
	cleanup_fd int path = -1, made = -1;
	struct stat status;
	int rc;

	if (mkdirat(dir, name, mode) < 0)
		return -errno;
	path = open_made(dir, name, &status);
	if (path < 0)
		return path == -ENOENT ? -ESTALE : path;
	made = openat(path, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (made < 0)
		return errno == ENOENT ? -ESTALE : -errno;
	rc = check_empty(made);
	return rc < 0 ? rc : steal_fd(&made);
}

int io_make_directory(int dir, const char *name, mode_t mode)
{
	cleanup_fd int path = -1;
	struct stat status;

	if (mkdirat(dir, name, mode) < 0 ||
	    fstatat(dir, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
		return -errno;
	if ((status.st_mode & S_IRWXU) == S_IRWXU)
		return 0;
	path = open_made(dir, name, &status);
	return path < 0 ? path : 0;
}

int io_probe_file(int dir, const char *name, struct stat *made)
{
	cleanup_fd int fd = openat(
		dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0777);

	if (fd < 0 || unlinkat(dir, name, 0) < 0 || fstat(fd, made) < 0)
		return -errno;
	return 0;
}

#define DESCRIPTORS_OF_OTHERS 64 /* that are open already, or for a moment */

void io_expect_descriptors(int fd, size_t count)
{
	struct rlimit limit;
	rlim_t last = count + DESCRIPTORS_OF_OTHERS;
	int copy;

	if (count <= 1 || getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return;
	if (last > INT_MAX)
		last = INT_MAX;
	if (last >= limit.rlim_cur)
		last = limit.rlim_cur - 1;
	copy = fcntl(fd, F_DUPFD_CLOEXEC, (int)last);
	if (copy >= 0)
		close(copy);
}

bool io_is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool io_has_name(int fd, int dir, const char *name)
{
	struct stat status, named;

	return fstat(fd, &status) == 0 &&
	       fstatat(dir, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
	       io_is_same(&status, &named);
}

bool io_is_directory(int dir, const char *name, unsigned char type)
{
	struct stat status;

	if (type != DT_UNKNOWN)
		return type == DT_DIR;
	return fstatat(dir, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISDIR(status.st_mode);
}

int io_file_read(struct io_file *file, int fd)
{
	cleanup_free unsigned char *bytes = NULL;
	struct stat status;
	ssize_t got;

	if (fstat(fd, &status) < 0)
		return -errno;
	if ((uint64_t)status.st_size > IO_FILE_MAX)
		return -EFBIG;
	if (status.st_size == 0) {
		*file = (struct io_file){ 0 };
		return 0;
	}
	bytes = malloc((size_t)status.st_size);
	if (!bytes)
		return -ENOMEM;
	got = io_read_full(fd, bytes, (size_t)status.st_size);
	if (got < 0)
		return (int)got;
	*file = (struct io_file){ .size = (size_t)got };
	if (got > 0)
		file->bytes = steal(&bytes);
	return 0;
}

int io_file_open(struct io_file *file, int dir, const char *name)
{
	cleanup_fd int fd = io_open_regular(dir, name);

	return fd < 0 ? fd : io_file_read(file, fd);
}

void io_file_close(struct io_file *file)
{
	free(file->bytes);
	*file = (struct io_file){ 0 };
}
