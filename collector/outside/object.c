/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/outside/object.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <inttypes.h>
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

static bool is_same(const struct object_file *file, const struct stat *status)
{
	return status->st_dev == file->device && status->st_ino == file->inode;
}

/* Opening a device may have an effect, except with O_PATH. */
static int open_path(const char *name, struct stat *status)
{
	int path = open(name, O_PATH | O_CLOEXEC);

	if (path < 0 || fstat(path, status) == 0)
		return path < 0 ? -ENOENT : path;
	close(path);
	return -ENOENT;
}

static int open_again(int path)
{
	char self[64];

	snprintf(self, sizeof(self), "/proc/self/fd/%d", path);
	return open_regular(self);
}

static int open_same(const struct object_file *file, const char *name,
		     struct stat *status)
{
	int path = open_path(name, status), fd;

	if (path < 0)
		return path;
	fd = is_same(file, status) ? open_again(path) : -ESTALE;
	close(path);
	return fd;
}

/* What the process has mapped, whatever its name. Some file systems report other device
 * numbers to processes than the kernel knows; another file at the same address rarely has
 * the same inode number. */
static int open_mapped(const struct object_file *file, struct stat *status)
{
	char name[96];
	int path, fd;

	snprintf(name, sizeof(name), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, file->pid,
		 file->address, file->address + file->size);
	path = file->size > 0 ? open_path(name, status) : -ENOENT;
	if (path < 0)
		return path;
	fd = status->st_ino == file->inode ? open_again(path) : -ESTALE;
	close(path);
	return fd;
}

/* ---- names ---- */

static bool have_same(pid_t pid, const char *what)
{
	char name[64];
	struct stat theirs, ours;

	snprintf(name, sizeof(name), "/proc/%d/%s", pid, what);
	if (stat(name, &theirs) < 0)
		return true;
	snprintf(name, sizeof(name), "/proc/self/%s", what);
	return stat(name, &ours) < 0 ||
	       (theirs.st_dev == ours.st_dev && theirs.st_ino == ours.st_ino);
}

/* Names are those of the process's directories, as long as it lives. */
static const char *name_of(const struct object_file *file, const char *name,
			   char buffer[PATH_MAX])
{
	int length;

	if (have_same(file->pid, "ns/mnt") && have_same(file->pid, "root"))
		return name;
	length = snprintf(buffer, PATH_MAX, "/proc/%d/root%s", file->pid, name);
	return length < PATH_MAX ? buffer : name;
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

static bool has_name(const char *name, const struct stat *status)
{
	struct stat named;

	return stat(name, &named) == 0 && named.st_dev == status->st_dev &&
	       named.st_ino == status->st_ino;
}

/* Open it by its name in the process's mount namespace. */
static int open_by_name(const struct object_file *file, const char *name,
			struct stat *status)
{
	int fd;

	if (geteuid() != 0) /* we have no rights that it lacks */
		return stat(name, status) < 0 ? -ENOENT : open_regular(name);
	fd = open_same(file, name, status);
	return fd == -ESTALE ? open_as_process(file, name, status) : fd;
}

int object_open(const struct object_file *file, const char *name, struct stat *status,
		bool *is_named)
{
	char buffer[PATH_MAX];
	const char *theirs = name_of(file, name, buffer);
	bool is_sure = theirs == name;
	int fd = open_mapped(file, status);

	if (fd == -ENOENT || fd == -ESTALE)
		fd = open_by_name(file, theirs, status);
	else
		is_sure = false;
	if (fd == -ESTALE || fd == -ENOENT)
		*is_named = fd == -ENOENT && is_sure;
	else
		*is_named = is_sure || has_name(name, status);
	return fd;
}
