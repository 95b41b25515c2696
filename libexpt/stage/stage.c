/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Creation and release of a stage. The maker holds it by flock on its directory; clean.c
 * recognizes abandoned ones.
 */
#include "libexpt/stage/stage.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/common/error.h"
#include "libexpt/format.h"
#include "libexpt/stage/owner.h"
#include "libexpt/stage/part.h"
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
			return expt_fail(err, -errno, "cannot access '%s'", path);
		}
		if (!replace)
			return expt_fail(err, -EEXIST, "cannot create '%s'", path);
		rc = stage_open_replaced(&dir, AT_FDCWD, path, path, err);
	} while (rc == -ENOENT && stage_try_again(tries++));
	return rc;
}

static int make_stage(struct stage *stage)
{
	bool has_locks;
	int rc = 0;

	stage->dir = part_make(stage->name, stage->parent, stage->final, S_IFDIR | 0700,
			       &has_locks);
	if (stage->dir < 0)
		return stage->dir;
	if (fchmod(stage->dir, 0700) < 0) /* clear inherited bits */
		rc = -errno;
	if (rc == 0 && !has_locks)
		rc = owner_create(stage->dir, OWNER_FILE);
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
	if (rc == 0 && (rc = make_stage(&new)) < 0)
		expt_fail(err, rc, "cannot create '%s'", path);
	if (rc < 0) {
		stage_release(&new);
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
	rc = part_lock(stage->dir);
	if (rc > 0) /* the owner file is gone as well */
		rc = owner_create(stage->dir, OWNER_FILE);
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
