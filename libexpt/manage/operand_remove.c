/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/manage/operand_remove.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/file.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/common/error.h"
#include "libexpt/format.h"
#include "libexpt/layout/layout.h"
#include "libexpt/stage/rename.h"

/* Hide the name first. If it was another directory's by then, that gets it back. */
static int hide(const struct operand *operand, char hidden[256], const char *path,
		struct expt_error *err)
{
	struct stat status;
	int rc = stage_hide(hidden, operand->parent, operand->name);

	if (rc < 0)
		return expt_fail(err, rc, "cannot remove '%s'", path);
	if (fstatat(operand->parent, hidden, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
	    io_is_same(&status, &operand->status))
		return 0;
	stage_rename(operand->parent, hidden, operand->parent, operand->name);
	return expt_refuse(err, -EPERM, "'%s' was replaced in the meantime", path);
}

static int check_unmounted(const struct operand *operand, const char *path,
			   struct expt_error *err)
{
	cleanup_fd int dir =
		io_open_unmounted(operand->parent, operand->name, O_PATH | O_DIRECTORY);

	if (dir == -EXDEV)
		return expt_refuse(err, -EPERM, "'%s' is a mount point", path);
	return dir < 0 ? expt_fail(err, dir, "cannot open '%s'", path) : 0;
}

int operand_check_removable(struct operand *operand, const char *path,
			    struct expt_error *err)
{
	int rc = check_unmounted(operand, path, err);

	if (rc == 0 && operand->directories.count == 0)
		rc = layout_check(operand->dir, path, &operand->directories, err);
	if (rc < 0)
		return rc;
	rc = io_is_fixed(operand->dir)
		     ? -EPERM
		     : tree_may_unlink(operand->parent, operand->status.st_uid);
	if (rc < 0)
		return expt_fail(err, rc, "cannot remove '%s'", path);
	rc = tree_check_unlink(&operand->directories, err);
	return rc < 0 ? expt_fail_in(err, rc, "cannot remove '%s'", path) : 0;
}

/* Remove entries that have appeared since, if an experiment may have them. Returns 1, or
 * 0 if the directory is gone. */
static int unlink_new(struct operand *operand, const char *path, uint64_t until_ns,
		      struct expt_error *err)
{
	struct directories now;
	int rc = layout_check(operand->dir, path, &now, err);

	if (rc < 0)
		return rc;
	rc = now.items[0].is_empty
		     ? expt_fail(err, -ENOTEMPTY, "cannot remove '%s'", path)
		     : tree_unlink_listed(&now, until_ns, err);
	directories_release(&now);
	return rc;
}

/* Remove the operand, which now has this name. */
static int unlink_passes(struct operand *operand, const char *name, const char *path,
			 struct tree_passes *passes, struct expt_error *err)
{
	int rc = tree_passes_next(passes, err);

	if (rc == 0)
		rc = tree_unlink_listed(&operand->directories, 0, err);
	operand_close_directories(operand);
	while (rc >= 0 && unlinkat(operand->parent, name, AT_REMOVEDIR) < 0) {
		if (errno == ENOENT)
			return 0;
		if (errno != ENOTEMPTY && errno != EEXIST)
			return expt_fail(err, -errno, "cannot remove '%s'", path);
		rc = tree_passes_next(passes, err);
		if (rc == 0)
			rc = unlink_new(operand, path, passes->until_ns, err);
	}
	return rc < 0 ? rc : 0;
}

static int unlink_all(struct operand *operand, const char *name, const char *path,
		      struct tree_patience *patience, struct expt_error *err)
{
	struct tree_passes passes;
	int rc;

	tree_passes_begin(&passes, patience);
	rc = unlink_passes(operand, name, path, &passes, err);
	tree_passes_end(&passes);
	return rc;
}

/* Directories in lower layers of an overlay, as in containers, cannot be renamed. Remove
 * the log first: without it, readers do not treat the rest as an experiment. */
static int remove_in_place(struct operand *operand, const char *path,
			   struct tree_patience *patience, struct expt_error *err)
{
	int rc;

	unlinkat(operand->dir, LOG_FILE, 0); /* on failure, it goes with the rest */
	rc = unlink_all(operand, operand->name, path, patience, err);
	return rc < 0 ? expt_fail_in(err, rc, "'%s' was only partly removed", path) : 0;
}

int operand_remove(struct operand *operand, const char *path,
		   struct tree_patience *patience, struct expt_error *err)
{
	char hidden[256];
	int rc;

	flock(operand->dir, LOCK_EX | LOCK_NB); /* keeps cleaners from finishing it */
	rc = operand_check_removable(operand, path, err);
	if (rc == 0)
		rc = hide(operand, hidden, path, err);
	if (rc == -EXDEV)
		return remove_in_place(operand, path, patience, err);
	if (rc < 0)
		return rc;
	rc = unlink_all(operand, hidden, path, patience, err);
	return rc < 0 ? expt_fail_in(err, rc,
				     "'%s' was only partly removed, the rest is now '%s'",
				     path, hidden)
		      : 0;
}
