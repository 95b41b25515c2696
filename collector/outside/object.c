/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/outside/object.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/outside/status.h"

static int open_regular(const char *name)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat status;

	if (fd < 0 || (fstat(fd, &status) == 0 && S_ISREG(status.st_mode)))
		return fd < 0 ? -errno : fd;
	close(fd);
	return -EINVAL;
}

/* Opening a device may have an effect, except with O_PATH. */
static int open_same(const struct object_file *file, const char *name,
		     struct stat *status)
{
	int path = open(name, O_PATH | O_CLOEXEC), fd = -ESTALE;
	char self[64];

	if (path < 0)
		return -ENOENT;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", path);
	if (fstat(path, status) == 0 && status->st_dev == file->device &&
	    status->st_ino == file->inode)
		fd = open_regular(self);
	close(path);
	return fd;
}

static int open_with_rights(const struct rights *rights, const char *name)
{
	static gid_t groups[NGROUPS_MAX];
	int count = getgroups(NGROUPS_MAX, groups), fd;

	if (count < 0 || setgroups(0, NULL) < 0)
		return -EPERM;
	setfsgid(rights->group);
	setfsuid(rights->user);
	fd = open_regular(name);
	setfsuid(geteuid());
	setfsgid(getegid());
	setgroups((size_t)count, groups);
	return fd;
}

/* Some file systems report other device numbers to processes than the kernel knows, so
 * this may still be the file. */
static int open_as_process(const struct object_file *file, const char *name,
			   struct stat *status)
{
	struct rights rights;
	int fd;

	status_rights(&rights, file->pid);
	fd = open_with_rights(&rights, name);
	if (fd < 0)
		return -ESTALE;
	if (fstat(fd, status) == 0)
		return fd;
	close(fd);
	return -ESTALE;
}

int object_open(const struct object_file *file, const char *name, struct stat *status)
{
	int fd;

	if (geteuid() != 0) /* we have no rights that it lacks */
		return stat(name, status) < 0 ? -ENOENT : open_regular(name);
	fd = open_same(file, name, status);
	return fd == -ESTALE ? open_as_process(file, name, status) : fd;
}
