/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/base/open.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"

#define OPEN_TRIES 20

/* Open each component by itself, for kernels and sandboxes without openat2. */
static int open_by_walking(int dir, const char *path, int flags, mode_t mode)
{
	cleanup_fd int held = -1;
	int current = dir;

	if (*path == '/')
		return -EXDEV;
	for (;;) {
		size_t length = strcspn(path, "/");
		const char *rest = path + length + strspn(path + length, "/");
		char name[256];
		int next;

		if (length >= sizeof(name))
			return -ENAMETOOLONG;
		memcpy(name, path, length);
		name[length] = '\0';
		if (strcmp(name, "..") == 0)
			return -EXDEV;
		if (*rest == '\0') {
			next = openat(current, name, flags | O_NOFOLLOW, mode);
			return next < 0 ? -errno : next;
		}
		next = openat(current, name,
			      O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (next < 0)
			return -errno;
		if (held >= 0)
			close(held);
		held = current = next;
		path = rest;
	}
}

/* Whether to try again after a failure. EAGAIN is returned while names are exchanged, and
 * while a process holds a lease on the file (fcntl(2)): a file server gives it up within
 * this time, other users need not. */
static bool tries_again(unsigned *tries)
{
	const struct timespec pause = { .tv_nsec = 10000000 };

	if (errno == EINTR)
		return true;
	if (errno != EAGAIN || (*tries)++ == OPEN_TRIES)
		return false;
	nanosleep(&pause, NULL);
	return true;
}

/* -ENOSYS: openat2 is not available. */
static int open_resolved(int dir, const char *path, int flags, mode_t mode,
			 uint64_t resolve)
{
	struct open_how how = {
		.flags = (uint64_t)(unsigned)(flags | O_CLOEXEC),
		.mode = flags & O_CREAT ? mode : 0,
		.resolve = resolve | RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS |
			   RESOLVE_NO_MAGICLINKS,
	};
	unsigned tries = 0;
	long fd;

	do
		fd = syscall(SYS_openat2, dir, path, &how, sizeof(how));
	while (fd < 0 && tries_again(&tries));
	if (fd >= 0)
		return (int)fd;
	return errno == EPERM ? -ENOSYS : -errno;
}

int io_open_beneath(int dir, const char *path, int flags, mode_t mode)
{
	int fd = open_resolved(dir, path, flags, mode, 0);

	return fd == -ENOSYS ? open_by_walking(dir, path, flags | O_CLOEXEC, mode) : fd;
}

int io_parent(int dir, const char *path, const char **base, int *opened)
{
	const char *slash = strrchr(path, '/');
	char parent[4096];

	*base = slash ? slash + 1 : path;
	if (!slash)
		return dir;
	if ((size_t)(slash - path) >= sizeof(parent))
		return -ENAMETOOLONG;
	memcpy(parent, path, (size_t)(slash - path));
	parent[slash - path] = '\0';
	return *opened = io_open_beneath(dir, parent, O_PATH | O_DIRECTORY, 0);
}

int io_open_unmounted(int dir, const char *path, int flags)
{
	cleanup_fd int fd = open_resolved(dir, path, flags, 0, RESOLVE_NO_XDEV);
	struct stat around, status;

	if (fd != -ENOSYS)
		return steal_fd(&fd);
	fd = open_by_walking(dir, path, flags | O_CLOEXEC, 0);
	if (fd < 0)
		return fd;
	if (fstat(dir, &around) < 0 || fstat(fd, &status) < 0)
		return -errno;
	return around.st_dev == status.st_dev ? steal_fd(&fd) : -EXDEV;
}

int io_open_regular(int dir, const char *name)
{
	cleanup_fd int fd = -1;
	struct stat status;

	fd = io_open_beneath(dir, name, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
	if (fd < 0)
		return fd;
	if (fstat(fd, &status) < 0)
		return -errno;
	if (!S_ISREG(status.st_mode))
		return -EINVAL;
	return steal_fd(&fd);
}

/* Whether another user left a fifo here. A pipe without a name was passed to this
 * process, whoever made it. */
static bool is_planted(int fd, const struct stat *status)
{
	struct statfs system;

	return S_ISFIFO(status->st_mode) && status->st_uid != 0 &&
	       status->st_uid != geteuid() &&
	       (fstatfs(fd, &system) < 0 || system.f_type != PIPEFS_MAGIC);
}

int io_open_stream(const char *path)
{
	cleanup_fd int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat status;
	char self[64];
	int waiting;

	if (fd < 0 || fstat(fd, &status) < 0)
		return -errno;
	if (S_ISREG(status.st_mode))
		return steal_fd(&fd);
	if (is_planted(fd, &status))
		return -EPERM;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	waiting = open(self, O_RDONLY | O_NOCTTY | O_CLOEXEC);
	return waiting < 0 ? -errno : waiting;
}
