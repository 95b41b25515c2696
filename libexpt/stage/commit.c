/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stage gets its final name by a rename that replaces nothing, by an exchange, or,
 * where the file system can do neither, by hiding the old experiment first.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/base/io.h"
#include "libexpt/common/error.h"
#include "libexpt/stage/commit.h"
#include "libexpt/stage/owner.h"
#include "libexpt/stage/private.h"
#include "libexpt/stage/stage.h"

int stage_sync_directory(int dir)
{
	if (fsync(dir) == 0)
		return 0;
	/* Some file systems cannot sync a directory, and O_PATH descriptors cannot be
	 * synced. */
	return errno == EINVAL || errno == EBADF || errno == EROFS ? 0 : -errno;
}

/* Replace in two steps, for file systems that cannot exchange: the final name is free for
 * a moment. */
static int replace_by_hiding(const struct stage *stage, struct stage_aside *aside)
{
	int rc = stage_hide_aside(aside);

	if (rc < 0)
		return rc;
	rc = stage_rename(stage->parent, stage->name, stage->parent, stage->final);
	if (rc < 0)
		stage_put_back(aside);
	return rc == -EEXIST ? -EAGAIN : rc;
}

static int exchange(const struct stage *stage)
{
	return stage_rename_with(stage->parent, stage->name, stage->parent, stage->final,
				 RENAME_EXCHANGE);
}

/* Exchange the names of the stage and the held experiment. */
static int replace_by_exchange(const struct stage *stage, struct stage_aside *aside)
{
	int rc = exchange(stage);

	if (rc < 0)
		return rc == -ENOENT ? -EAGAIN : rc;
	if (!io_has_name(aside->dir, stage->parent, stage->name)) {
		exchange(stage); /* another one took the name in between */
		return -EAGAIN;
	}
	strcpy(aside->hidden, stage->name);
	return 0;
}

static int replace_final(const struct stage *stage, struct stage_aside *aside,
			 struct expt_error *err)
{
	int rc = stage_hold(aside, stage->parent, stage->final, err);

	if (rc < 0)
		return rc;
	rc = replace_by_exchange(stage, aside);
	if (stage_cannot_rename(rc))
		rc = replace_by_hiding(stage, aside);
	if (rc < 0)
		stage_let_go(aside);
	if (rc == -EXDEV) /* a directory in the lower layer of an overlay */
		return expt_refuse(err, -EPERM,
				   "'%s' cannot be replaced in one step: remove it first",
				   stage->final);
	if (rc < 0 && rc != -EAGAIN)
		expt_fail(err, rc, "cannot create '%s'", stage->final);
	return rc;
}

/* Give the stage its final name. Concurrent replacements of the same name happen before
 * or after this one. */
static int appear(const struct stage *stage, bool replace, struct stage_aside *aside,
		  struct expt_error *err)
{
	unsigned tries = 0;

	do {
		int rc = stage_rename(stage->parent, stage->name, stage->parent,
				      stage->final);

		if (rc < 0 && (rc != -EEXIST || !replace))
			return expt_fail(err, rc, "cannot create '%s'", stage->final);
		if (rc == -EEXIST)
			rc = replace_final(stage, aside, err);
		if (rc != -EAGAIN)
			return rc;
	} while (stage_try_again(tries++));
	return expt_fail(err, -EBUSY, "cannot replace '%s'", stage->final);
}

/* Undo the rename: the name is not durable, so others must not see it. */
static void disappear(const struct stage *stage, struct stage_aside *aside)
{
	if (aside->dir >= 0 && strcmp(aside->hidden, stage->name) == 0) {
		exchange(stage);
		stage_let_go(aside);
		return;
	}
	renameat(stage->parent, stage->final, stage->parent, stage->name);
	if (aside->dir >= 0)
		stage_put_back(aside);
}

/* The directory's own time is part of a copy, so removing our file must not change it. */
static int remove_owner_file(int dir)
{
	struct timespec times[2];
	struct stat status;

	if (fstat(dir, &status) < 0)
		return -errno;
	if (unlinkat(dir, OWNER_FILE, 0) < 0)
		return errno == ENOENT ? 0 : -errno;
	times[0] = status.st_atim;
	times[1] = status.st_mtim;
	return futimens(dir, times) < 0 ? -errno : 0;
}

int stage_commit(struct stage *stage, bool replace, enum stage_sync sync, mode_t mode,
		 struct expt_error *err)
{
	struct stage_aside aside = { .dir = -1 };
	int rc = remove_owner_file(stage->dir);

	if (rc < 0)
		return expt_fail(err, rc, "cannot finish '%s'", stage->final);
	if (fchmod(stage->dir, mode) < 0)
		return expt_fail(err, -errno, "cannot set the mode of '%s'",
				 stage->final);
	if (sync == STAGE_SYNC && syncfs(stage->dir) < 0)
		return expt_fail(err, -errno, "cannot sync '%s'", stage->final);
	rc = appear(stage, replace, &aside, err);
	if (rc < 0)
		return rc;
	rc = sync == STAGE_NO_SYNC ? 0 : stage_sync_directory(stage->parent);
	if (rc < 0) {
		disappear(stage, &aside);
		return expt_fail(err, rc, "cannot sync '%s'", stage->final);
	}
	close(stage->dir);
	stage->dir = -1;
	stage_discard(&aside);
	stage_release(stage);
	return 0;
}
