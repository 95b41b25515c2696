/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Only what is an experiment as a whole is removed. Its own permissions do not matter: the right to
 * write in the directory around it is enough, so directories of ours are made readable first.
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
#include "libexpt/error.h"
#include "libexpt/format.h"
#include "libexpt/operand.h"
#include "libexpt/remove.h"
#include "libexpt/report.h"
#include "libexpt/stage.h"
#include "libexpt/tree.h"

#define READABLE (S_IRUSR | S_IXUSR)

/* ---- directories of ours that we cannot look into ---- */

struct opened_directory {
	char *path;  /* below the directory around the experiment */
	mode_t mode; /* as it was */
};

struct opened_directories {
	int parent; /* the directory around the experiment */
	struct opened_directory *items;
	size_t count, capacity;
};

static int open_one(struct opened_directories *opened, const char *path)
{
	struct opened_directory *directory;
	struct stat status;

	if (fstatat(opened->parent, path, &status, AT_SYMLINK_NOFOLLOW) < 0)
		return -errno;
	if (!S_ISDIR(status.st_mode) || (status.st_mode & READABLE) == READABLE)
		return 0;
	directory = array_add(opened);
	if (!directory)
		return -ENOMEM;
	directory->mode = status.st_mode & 07777;
	directory->path = strdup(path);
	if (!directory->path)
		return -ENOMEM;
	if (fchmodat(opened->parent, path, directory->mode | S_IRWXU,
		     AT_SYMLINK_NOFOLLOW) < 0)
		return -errno;
	return 0;
}

static int open_all_in(struct opened_directories *opened, int dir, const char *path,
		       int depth);

static int open_directory_in(struct opened_directories *opened, int dir, const char *path,
			     const char *name, int depth)
{
	cleanup_free char *below = path_join(path, name);
	cleanup_fd int fd = -1;
	int rc;

	if (!below)
		return -ENOMEM;
	rc = open_one(opened, below);
	if (rc < 0)
		return rc;
	fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOTDIR || errno == ELOOP ? 0 : -errno;
	return open_all_in(opened, fd, below, depth + 1);
}

static int open_all_in(struct opened_directories *opened, int dir, const char *path,
		       int depth)
{
	cleanup_dir DIR *entries = io_list(dir);
	const struct dirent *entry;
	int rc;

	if (!entries)
		return -errno;
	if (depth > TREE_DEPTH_MAX)
		return -ELOOP;
	while ((entry = readdir(entries))) {
		if (entry->d_type != DT_DIR && entry->d_type != DT_UNKNOWN)
			continue;
		if (io_is_dots(entry->d_name))
			continue;
		rc = open_directory_in(opened, dir, path, entry->d_name, depth);
		if (rc < 0)
			return rc;
	}
	return 0;
}

/* From the innermost to the outermost, which must stay open until then. */
static void close_again(struct opened_directories *opened)
{
	for (size_t i = opened->count; i-- > 0;)
		if (opened->items[i].path)
			fchmodat(opened->parent, opened->items[i].path,
				 opened->items[i].mode, AT_SYMLINK_NOFOLLOW);
}

static void release_opened(struct opened_directories *opened)
{
	for (size_t i = 0; i < opened->count; i++)
		free(opened->items[i].path);
	array_release(opened);
}

static int open_all(struct opened_directories *opened, const char *name)
{
	cleanup_fd int dir = -1;
	int rc = open_one(opened, name);

	if (rc < 0)
		return rc;
	dir = openat(opened->parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return dir < 0 ? -errno : open_all_in(opened, dir, name, 0);
}

/* Open an experiment whose directories, all ours, do not let us look into them. What turns out to
 * be no experiment gets its modes back. */
static int open_unreadable(struct operand *operand, int parent, const char *name,
			   const char *path, struct expt_error *err)
{
	struct opened_directories opened = { .parent = parent };
	int rc = -EACCES;

	if (expt_name_is_experiment(name) && open_all(&opened, name) == 0)
		rc = operand_open_at(operand, parent, name, path, err);
	if (rc == 0)
		rc = operand_check_removable(operand, path, err);
	if (rc < 0)
		close_again(&opened);
	release_opened(&opened);
	return rc;
}

/* ---- removing ---- */

static int remove_link(int parent, const char *name, const char *path,
		       const struct expt_remove_options *options, struct expt_error *err)
{
	if (!expt_name_is_experiment(path) && !expt_name_is_group(path))
		return expt_fail(err, -EINVAL, "'%s' is a link, not an experiment", path);
	if (!options->dry_run && unlinkat(parent, name, 0) < 0)
		return expt_fail(err, -errno, "cannot remove '%s'", path);
	expt_report_add(options->report, EXPT_NOTE, path,
			options->dry_run
				? "only the link would be removed, not what it leads to"
				: "only the link was removed, not what it leads to");
	return 0;
}

static int count_files(const struct operand *operand, struct expt_report *report,
		       struct expt_error *err)
{
	struct tree tree = { 0 };
	int rc = operand_list(&tree, operand, NULL, err);

	if (rc == 0)
		report_count_tree(report, &tree);
	tree_release(&tree);
	return rc;
}

/* All of it is looked at before the name goes, not under the hidden one: descendants that are still
 * recorded make files by that name, and what had to stay could not get the name back if somebody took it
 * meanwhile, or if we were killed. */
static int remove_opened(struct operand *operand, const char *path,
			 const struct expt_remove_options *options, struct expt_error *err)
{
	int rc;

	if (operand->is_descendant)
		return expt_fail(err, -EINVAL, "'%s' is part of the experiment around it",
				 path);
	if (!options->force) {
		rc = operand_read_log(operand, path, err);
		if (rc < 0 && rc != -ENOTSUP)
			return rc;
		if (operand->is_live)
			return expt_fail(err, -EBUSY, "'%s' is still being recorded", path);
	}
	if (!options->dry_run)
		return operand_remove(operand, path, err);
	rc = operand_check_removable(operand, path, err);
	return rc == 0 && options->report ? count_files(operand, options->report, err) : rc;
}

static bool is_other(const struct stat *status, const struct remove_identity *wanted)
{
	return wanted &&
	       (status->st_dev != wanted->device || status->st_ino != wanted->inode);
}

int remove_at(int parent, const char *name, const char *path,
	      const struct remove_identity *wanted,
	      const struct expt_remove_options *options, struct expt_error *err)
{
	cleanup(operand_release) struct operand operand = OPERAND_INIT;
	const struct stage_cleaning cleaning = { path, options->dry_run, options->report };
	int rc, finished = stage_clean_reporting(parent, name, &cleaning);
	struct stat status;

	if (fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) < 0) {
		if (errno == ENOENT && finished > 0)
			return 0;
		return expt_fail(err, -errno, "cannot remove '%s'", path);
	}
	if (is_other(&status, wanted))
		return expt_fail(err, -ENOENT, "cannot remove '%s'", path);
	if (S_ISLNK(status.st_mode))
		return remove_link(parent, name, path, options, err);
	rc = operand_open_at(&operand, parent, name, path, err);
	if (rc == -EACCES)
		rc = open_unreadable(&operand, parent, name, path, err);
	if (rc < 0)
		return rc;
	if (is_other(&operand.status, wanted))
		return expt_fail(err, -ENOENT, "cannot remove '%s'", path);
	return remove_opened(&operand, path, options, err);
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
