/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/stage/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/format.h"

#define TRIES 100

void temporary_name(char name[STAGE_NAME_SIZE])
{
	stage_part_name(name, ARCHIVES_DIR);
}

bool temporary_is_name(const char *name)
{
	return stage_is_part_name(name, ARCHIVES_DIR);
}

/* A cleaner may have removed the file between its creation and its locking. */
bool temporary_lock(int fd)
{
	struct stat status;

	if (flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK)
		return false;
	return fstat(fd, &status) == 0 && status.st_nlink > 0;
}

int temporary_open(struct temporary *file, int dir)
{
	for (int i = 0; i < TRIES; i++) {
		int fd;

		temporary_name(file->name);
		fd = openat(dir, file->name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (fd < 0 && errno == EEXIST)
			continue;
		if (fd < 0)
			return -errno;
		if (temporary_lock(fd)) {
			file->dir = dir;
			file->fd = fd;
			return 0;
		}
		close(fd);
	}
	return -EEXIST;
}

/* Some file systems report a failed write only when a descriptor is closed; the lock must
 * outlive that. */
static int flush(int fd)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);

	if (copy < 0 || close(copy) < 0)
		return -errno;
	return 0;
}

int temporary_commit(struct temporary *file, const char *final)
{
	int rc = flush(file->fd);

	if (rc < 0)
		return rc;
	if (renameat(file->dir, file->name, file->dir, final) < 0)
		return -errno;
	close(file->fd);
	file->fd = -1;
	return 0;
}

void temporary_release(struct temporary *file)
{
	int saved = errno;

	if (file->fd >= 0) {
		unlinkat(file->dir, file->name, 0);
		close(file->fd);
		file->fd = -1;
	}
	errno = saved;
}

void temporary_clean(int dir, const char *name)
{
	cleanup_fd int fd =
		openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	/* Links cannot be locked, so they are removed: a living maker makes its link
	 * again. */
	if (fd >= 0 ? temporary_lock(fd) : errno == ELOOP)
		unlinkat(dir, name, 0);
}
