/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Removes complete experiments only. Their own permissions do not matter: the right to
 * write in the directory around one is enough, so the caller's own directories are made
 * readable first.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/path.h"
#include "libexpt/common/error.h"
#include "libexpt/common/report.h"
#include "libexpt/format.h"
#include "libexpt/manage/operand.h"
#include "libexpt/manage/operand_remove.h"
#include "libexpt/manage/remove.h"
#include "libexpt/stage/clean.h"
#include "libexpt/stage/stage.h"
#include "libexpt/tree/tree.h"

/* ---- unreadable directories of the caller ---- */

/* Check the right to remove it before anything is changed: the caller must be able to
 * change the directory around it. Inside, only the caller's own directories are made
 * accessible (admit.h). */
static int may_be_removed(int parent, const char *name)
{
	cleanup_fd int dir = io_open_unmounted(parent, name, O_PATH | O_DIRECTORY);
	struct stat status;

	if (dir < 0 || fstat(dir, &status) < 0)
		return dir < 0 ? dir : -errno;
	return io_is_fixed(dir) ? -EPERM : tree_may_unlink(parent, status.st_uid);
}

static int open_by_force(struct operand *operand, int parent, const char *name,
			 const char *path, struct admissions *admissions,
			 struct expt_error *err)
{
	int rc = -EACCES;

	if (may_be_removed(parent, name) == 0)
		rc = operand_open_admitting(operand, parent, name, path, admissions, err);
	return rc == 0 ? operand_check_removable(operand, path, err) : rc;
}

/* ---- removing ---- */

static int remove_link(int parent, const char *name, const char *path,
		       const struct expt_remove_options *options, struct expt_error *err)
{
	if (!expt_name_is_experiment(path) && !expt_name_is_group(path))
		return expt_refuse(err, -EINVAL,
				   "'%s' is a symbolic link, not an experiment", path);
	if (!options->operation.dry_run && unlinkat(parent, name, 0) < 0)
		return expt_fail(err, -errno, "cannot remove '%s'", path);
	expt_report_add(options->operation.report, EXPT_NOTE, path,
			options->operation.dry_run
				? "only the link would be removed, not its target"
				: "only the link was removed, not its target");
	return 0;
}

static int count_files(const struct operand *operand, struct expt_report *report,
		       struct expt_error *err)
{
	struct tree tree = { 0 };
	int rc = operand_list(&tree, operand, NULL, err);

	if (rc == 0)
		tree_count(&tree, report);
	tree_release(&tree);
	return rc;
}

/* Check all of it before hiding the name: live descendants create files by that name, and
 * it could not be restored if another process took it, or this one was killed. */
static int remove_opened(struct operand *operand, const char *path,
			 const struct remove_selected *selected,
			 const struct expt_remove_options *options,
			 struct expt_error *err)
{
	int rc;

	if (operand->is_descendant)
		return expt_refuse(err, -EINVAL, "'%s' is part of another experiment",
				   path);
	if (!options->even_live) {
		rc = operand_read_log(operand, path, err);
		if (rc < 0 && rc != -ENOTSUP)
			return rc;
		if (operand->is_live)
			return expt_refuse(err, -EBUSY, "'%s' is still being recorded",
					   path);
	}
	if (!options->operation.dry_run)
		return operand_remove(operand, path, selected ? selected->patience : NULL,
				      err);
	rc = operand_check_removable(operand, path, err);
	return rc == 0 && options->operation.report
		       ? count_files(operand, options->operation.report, err)
		       : rc;
}

static bool is_other(const struct stat *status, const struct remove_selected *selected)
{
	return selected && (status->st_dev != selected->identity.device ||
			    status->st_ino != selected->identity.inode);
}

static int open_and_remove(struct admissions *admissions, int parent, const char *name,
			   const char *path, const struct remove_selected *selected,
			   const struct expt_remove_options *options,
			   struct expt_error *err)
{
	cleanup(operand_release) struct operand operand = OPERAND_INIT;
	int rc = operand_open_at(&operand, parent, name, path, err);

	if (rc == -EACCES)
		rc = open_by_force(&operand, parent, name, path, admissions, err);
	if (rc < 0)
		return rc;
	if (is_other(&operand.status, selected))
		return expt_fail(err, -ENOENT, "cannot remove '%s'", path);
	return remove_opened(&operand, path, selected, options, err);
}

int remove_at(int parent, const char *name, const char *path,
	      const struct remove_selected *selected,
	      const struct expt_remove_options *options, struct expt_error *err)
{
	struct admissions admissions = { 0 };
	const struct stage_cleaning cleaning = {
		.path = path,
		.dry_run = options->operation.dry_run,
		.patience = selected ? selected->patience : NULL,
		.report = options->operation.report,
	};
	int rc, finished = stage_clean_reporting(parent, name, &cleaning);
	struct stat status;

	if (fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) < 0) {
		if (errno == ENOENT && finished > 0)
			return 0;
		return expt_fail(err, -errno, "cannot remove '%s'", path);
	}
	if (is_other(&status, selected))
		return expt_fail(err, -ENOENT, "cannot remove '%s'", path);
	if (S_ISLNK(status.st_mode))
		return remove_link(parent, name, path, options, err);
	rc = open_and_remove(&admissions, parent, name, path, selected, options, err);
	if (rc < 0 || options->operation.dry_run)
		admissions_restore(&admissions);
	admissions_release(&admissions);
	return rc;
}

int expt_remove(const char *path, const struct expt_remove_options *options,
		struct expt_error *err)
{
	static const struct expt_remove_options defaults;
	cleanup_fd int parent = -1;
	char name[256];
	int rc = stage_split(&parent, name, path, err);

	if (rc < 0)
		return rc;
	return remove_at(parent, name, path, NULL, options ? options : &defaults, err);
}
