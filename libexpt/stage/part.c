/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/stage/part.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/stage/private.h"

int part_lock(int fd)
{
	bool has_locks = flock(fd, LOCK_EX | LOCK_NB) == 0;
	struct stat status;

	if (!has_locks && errno == EWOULDBLOCK)
		return -EEXIST;
	if (fstat(fd, &status) < 0)
		return -errno;
	return status.st_nlink == 0 ? -EEXIST : !has_locks;
}

static int make(int dir, const char *name, mode_t mode)
{
	int fd;

	if (S_ISDIR(mode))
		return io_new_directory(dir, name, mode & 07777);
	fd = openat(dir, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	return fd < 0 ? -errno : fd;
}

/* A concurrent cleaner may mistake the still unlocked file for an abandoned one and
 * remove it, and others may reuse its name: that is -EEXIST, too. */
static int try_to_make(char name[STAGE_NAME_SIZE], int dir, const char *final,
		       mode_t mode, bool *has_locks)
{
	cleanup_fd int fd = -1;
	int rc;

	stage_part_name(name, final);
	fd = make(dir, name, mode);
	if (fd < 0)
		return fd == -ESTALE ? -EEXIST : fd;
	rc = part_lock(fd);
	if (has_locks)
		*has_locks = rc == 0;
	return rc < 0 ? rc : steal_fd(&fd);
}

int part_make(char name[STAGE_NAME_SIZE], int dir, const char *final, mode_t mode,
	      bool *has_locks)
{
	int rc = -EEXIST;

	for (int i = 0; i < STAGE_NAME_TRIES && rc == -EEXIST; i++)
		rc = try_to_make(name, dir, final, mode, has_locks);
	if (rc < 0 && rc != -EEXIST && S_ISDIR(mode))
		unlinkat(dir, name, AT_REMOVEDIR);
	return rc;
}
