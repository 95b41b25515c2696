/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Renames without replacing. Where the file system cannot do that, a lock file beside the
 * target keeps other makers out during check and rename.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "libexpt/format.h"
#include "libexpt/stage/owner.h"
#include "libexpt/stage/private.h"
#include "libexpt/stage/stage.h"

#define WAIT_MS 10
#define WAITS	1000

bool stage_cannot_rename(int code)
{
	return code == -EINVAL || code == -ENOSYS || code == -EOPNOTSUPP ||
	       code == -EPERM;
}

int stage_rename_with(int from_parent, const char *from, int to_parent, const char *to,
		      unsigned flags)
{
	return renameat2(from_parent, from, to_parent, to, flags) < 0 ? -errno : 0;
}

bool stage_try_again(unsigned tries)
{
	static const struct timespec wait = { .tv_nsec = WAIT_MS * 1000000L };

	nanosleep(&wait, NULL);
	return tries < WAITS;
}

/* Create ".NAME.LOCKED.lock" beside the target; its creator may check and rename. */
static int take_lock_file(char name[STAGE_NAME_SIZE], int parent, const char *final)
{
	size_t length = stage_hidden_prefix(name, final);
	unsigned tries = 0;
	int rc;

	strcpy(name + length, "LOCKED" LOCK_SUFFIX);
	while ((rc = owner_create(parent, name)) == -EEXIST) {
		if (!owner_is_dead(parent, name)) {
			if (!stage_try_again(tries++))
				return -EBUSY;
		} else if (unlinkat(parent, name, 0) < 0 && errno != ENOENT) {
			return -errno;
		}
	}
	return rc;
}

static int rename_if_free(int from_parent, const char *from, int to_parent,
			  const char *to)
{
	struct stat status;

	if (fstatat(to_parent, to, &status, AT_SYMLINK_NOFOLLOW) == 0)
		return -EEXIST;
	if (errno != ENOENT)
		return -errno;
	return renameat(from_parent, from, to_parent, to) < 0 ? -errno : 0;
}

int stage_rename(int from_parent, const char *from, int to_parent, const char *to)
{
	int rc = stage_rename_with(from_parent, from, to_parent, to, RENAME_NOREPLACE);
	char lock[STAGE_NAME_SIZE];

	if (!stage_cannot_rename(rc))
		return rc;
	rc = take_lock_file(lock, to_parent, to);
	if (rc < 0)
		return rc;
	rc = rename_if_free(from_parent, from, to_parent, to);
	unlinkat(to_parent, lock, 0);
	return rc;
}

int stage_hide(char *hidden, int parent, const char *name)
{
	int rc = -EEXIST;

	for (int i = 0; i < STAGE_NAME_TRIES && rc == -EEXIST; i++) {
		stage_hidden_name(hidden, name, DELETED_SUFFIX);
		rc = stage_rename(parent, name, parent, hidden);
	}
	return rc;
}
