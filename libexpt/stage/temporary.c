/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/stage/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/entries.h"
#include "libexpt/format.h"

int temporary_open(struct temporary *file, int dir, const char *final, mode_t mode)
{
	int fd = part_make(file->name, dir, final, mode, NULL);

	if (fd < 0)
		return fd;
	file->dir = dir;
	file->fd = fd;
	return 0;
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

	if (file->fd >= 0 && file->name[0])
		unlinkat(file->dir, file->name, 0);
	if (file->fd >= 0)
		close(steal_fd(&file->fd));
	errno = saved;
}

/* Lock the file if its maker is gone. Links cannot be locked, so they are removed: a
 * living maker makes its link again. */
static bool is_abandoned(int fd, int code, bool are_ours)
{
	struct stat status;
	int rc;

	if (fd < 0)
		return are_ours && code == ELOOP;
	if (!are_ours && (fstat(fd, &status) < 0 || !S_ISREG(status.st_mode)))
		return false;
	rc = part_lock(fd);
	return rc == 0 || (rc > 0 && are_ours);
}

/* The lock is held until the name is gone, or else its maker could still take it. */
static void clean_one(int dir, const char *name, bool are_ours)
{
	int flags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
	/* NFS locks only what can be written. */
	cleanup_fd int fd = openat(dir, name, O_RDWR | flags);

	if (fd < 0 && errno == EACCES)
		fd = openat(dir, name, O_RDONLY | flags);
	if (is_abandoned(fd, errno, are_ours))
		unlinkat(dir, name, 0);
}

void temporary_clean(int dir, const char *final, bool are_ours)
{
	cleanup_entries struct entries entries = entries_open(dir);
	const struct dirent64 *entry;
	char prefix[STAGE_NAME_SIZE];

	stage_hidden_prefix(prefix, final);
	while ((entry = entries_next(&entries)))
		if (stage_is_hidden_name(entry->d_name, prefix, PART_SUFFIX))
			clean_one(dir, entry->d_name, are_ours);
}
