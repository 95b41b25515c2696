/* SPDX-License-Identifier: Apache-2.0 */
/* Setting aside the experiment that has a name until another one has it. */
#include <errno.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/common/error.h"
#include "libexpt/layout/layout.h"
#include "libexpt/stage/private.h"
#include "libexpt/stage/stage.h"
#include "libexpt/tree/tree.h"

#define HOLD_TRIES 100 /* of stage_try_again() */

int stage_open_replaced(int *dir, int parent, const char *name, const char *path,
			struct expt_error *err)
{
	struct directories directories;
	int rc = layout_open_at(dir, parent, name, path, &directories, err);

	if (rc < 0)
		return rc;
	rc = tree_check_unlink(&directories, err);
	directories_release(&directories);
	if (rc == 0)
		return 0;
	close(steal_fd(dir));
	return expt_fail_in(err, rc, "cannot replace '%s'", path);
}

/* Makers and removers hold the lock only for moments, but any reader can keep it forever.
 * So go on without it after a second: the experiment is checked again after the
 * exchange. */
static void lock_for_a_moment(int dir, int parent, const char *name)
{
	unsigned tries = 0;

	while (flock(dir, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK &&
	       io_has_name(dir, parent, name) && tries++ < HOLD_TRIES)
		stage_try_again(0);
}

int stage_hold(struct stage_aside *aside, int parent, const char *name,
	       struct expt_error *err)
{
	cleanup_fd int dir = -1;
	int rc = stage_open_replaced(&dir, parent, name, name, err);

	if (rc == -ENOENT) /* gone, or being removed */
		return -EAGAIN;
	if (rc < 0)
		return rc;
	lock_for_a_moment(dir, parent, name);
	if (!io_has_name(dir, parent, name))
		return -EAGAIN;
	*aside = (struct stage_aside){ .parent = parent, .dir = steal_fd(&dir) };
	strcpy(aside->final, name);
	return 0;
}

void stage_let_go(struct stage_aside *aside)
{
	if (aside->dir >= 0)
		close(aside->dir);
	aside->dir = -1;
}

void stage_discard(struct stage_aside *aside)
{
	if (aside->dir >= 0)
		stage_unlink(aside->parent, aside->hidden, aside->dir, NULL, NULL);
	stage_let_go(aside);
}

void stage_put_back(struct stage_aside *aside)
{
	int rc = stage_rename(aside->parent, aside->hidden, aside->parent, aside->final);

	if (rc == -EEXIST)
		stage_discard(aside);
	stage_let_go(aside);
}

int stage_hide_aside(struct stage_aside *aside)
{
	int rc = stage_hide(aside->hidden, aside->parent, aside->final);

	if (rc == 0 && !io_has_name(aside->dir, aside->parent, aside->hidden)) {
		/* The name was taken by another experiment than the held one. */
		stage_rename(aside->parent, aside->hidden, aside->parent, aside->final);
		return -EAGAIN;
	}
	return rc == -ENOENT ? -EAGAIN : rc;
}

int stage_set_aside(struct stage_aside *aside, int parent, const char *name,
		    struct expt_error *err)
{
	int rc = stage_hold(aside, parent, name, err);

	if (rc < 0)
		return rc;
	rc = stage_hide_aside(aside);
	if (rc < 0)
		stage_let_go(aside);
	if (rc < 0 && rc != -EAGAIN)
		expt_fail(err, rc, "cannot replace '%s'", name);
	return rc;
}
