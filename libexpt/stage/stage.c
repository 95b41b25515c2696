/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Creation and release of a stage. The maker holds it by flock on its directory; clean.c
 * recognizes abandoned ones.
 */
#include "libexpt/stage/stage.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/common/error.h"
#include "libexpt/format.h"
#include "libexpt/stage/owner.h"
#include "libexpt/stage/private.h"
#include "libexpt/tree/tree.h"

/* Check that the final name is free, or has an experiment that may be replaced. If it
 * disappears during the check, another process is replacing it. */
static int check_final(struct stage *stage, const char *path, bool replace,
		       struct expt_error *err)
{
	unsigned tries = 0;
	int rc;

	do {
		cleanup_fd int dir = -1;
		struct stat status;

		if (fstatat(stage->parent, stage->final, &status, AT_SYMLINK_NOFOLLOW) <
		    0) {
			if (errno == ENOENT)
				return 0;
			return expt_fail(err, -errno, "cannot look at '%s'", path);
		}
		if (!replace)
			return expt_fail(err, -EEXIST, "cannot create '%s'", path);
		rc = stage_open_replaced(&dir, AT_FDCWD, path, path, err);
	} while (rc == -ENOENT && stage_try_again(tries++));
	return rc;
}

/* Lock the new directory before a cleaner mistakes it for an abandoned one; -EEXIST: that
 * has happened. */
static int lock_stage(int dir)
{
	struct stat status;

	if (flock(dir, LOCK_EX | LOCK_NB) < 0)
		return errno == EWOULDBLOCK ? -EEXIST : owner_create(dir, OWNER_FILE);
	if (fstat(dir, &status) < 0)
		return -errno;
	return status.st_nlink == 0 ? -EEXIST : 0;
}

/* A concurrent cleaner may remove the stage before it is locked, and others may reuse its
 * name: that is -EEXIST as well. */
static int open_stage(int *out, const struct stage *stage)
{
	cleanup_fd int dir = io_new_directory(stage->parent, stage->name, 0700);
	int rc;

	if (dir < 0)
		return dir == -ESTALE ? -EEXIST : dir;
	if (fchmod(dir, 0700) < 0) /* clear inherited bits */
		return -errno;
	rc = lock_stage(dir);
	if (rc == 0)
		*out = steal_fd(&dir);
	return rc;
}

static int make_stage(struct stage *stage)
{
	int rc;

	stage_part_name(stage->name, stage->final);
	rc = open_stage(&stage->dir, stage);
	if (rc < 0 && rc != -EEXIST)
		unlinkat(stage->parent, stage->name, AT_REMOVEDIR);
	return rc;
}

int stage_open(struct stage *stage, const char *path, bool replace,
	       struct expt_error *err)
{
	struct stage new = STAGE_INIT;
	int rc;

	rc = stage_split(&new.parent, new.final, path, err);
	if (rc < 0)
		return rc;
	stage_clean(new.parent, new.final);
	rc = check_final(&new, path, replace, err);
	if (rc == 0) {
		rc = -EEXIST;
		for (int i = 0; i < STAGE_NAME_TRIES && rc == -EEXIST; i++)
			rc = make_stage(&new);
		if (rc < 0)
			expt_fail(err, rc, "cannot create '%s'", path);
	}
	if (rc < 0) {
		close(new.parent);
		return rc;
	}
	*stage = new;
	return 0;
}

int stage_empty(const struct stage *stage, struct expt_error *err)
{
	int rc = tree_unlink(stage->dir, NULL, err);

	if (rc < 0)
		return rc;
	rc = lock_stage(stage->dir); /* the lock may be a file in it, now gone */
	return rc < 0 ? expt_fail(err, rc, "cannot create '%s'", stage->final) : 0;
}

int stage_check(const char *path, bool replace, struct expt_error *err)
{
	struct stage stage = STAGE_INIT;
	int rc = stage_split(&stage.parent, stage.final, path, err);

	if (rc == 0)
		rc = check_final(&stage, path, replace, err);
	if (rc == 0 && (rc = io_may_change(stage.parent)) < 0)
		expt_fail(err, rc, "cannot create '%s'", path);
	stage_release(&stage);
	return rc;
}

void stage_release(struct stage *stage)
{
	int saved = errno;

	if (stage->dir >= 0) {
		stage_unlink(stage->parent, stage->name, stage->dir, NULL, NULL);
		close(stage->dir);
	}
	if (stage->parent >= 0)
		close(stage->parent);
	*stage = (struct stage)STAGE_INIT;
	errno = saved;
}
