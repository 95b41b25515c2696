/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Only what is an experiment as a whole is removed. Its own permissions do not matter: the right to
 * write in the directory around it is enough, so directories of ours are made readable first.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/copy.h"
#include "libexpt/error.h"
#include "libexpt/format.h"
#include "libexpt/operand.h"
#include "libexpt/report.h"
#include "libexpt/stage.h"
#include "libexpt/tree.h"

#define READABLE (S_IRUSR | S_IXUSR)

/* ---- directories of ours that we cannot look into ---- */

struct opened_directory {
	char name[256];
	mode_t mode; /* as it was */
};

struct opened_directories {
	struct opened_directory *items;
	size_t count, capacity;
};

static int open_one(struct opened_directories *opened, int parent, const char *name)
{
	struct opened_directory *directory;
	struct stat status;

	if (fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
		return -errno;
	if (!S_ISDIR(status.st_mode) || (status.st_mode & READABLE) == READABLE)
		return 0;
	directory = array_add(opened);
	if (!directory)
		return -ENOMEM;
	strcpy(directory->name, name);
	directory->mode = status.st_mode & 07777;
	if (fchmodat(parent, name, directory->mode | S_IRWXU, AT_SYMLINK_NOFOLLOW) < 0)
		return -errno;
	return 1;
}

static int open_all_in(struct opened_directories *opened, int dir)
{
	cleanup_fd int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cleanup_dir DIR *entries = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	int rc;

	if (!entries)
		return -errno;
	steal_fd(&fd);
	while ((entry = readdir(entries))) {
		if (entry->d_type != DT_DIR && entry->d_type != DT_UNKNOWN)
			continue;
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		rc = open_one(opened, dir, entry->d_name);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static void close_again(const struct opened_directories *opened, int dir)
{
	for (size_t i = 0; i < opened->count; i++)
		fchmodat(dir, opened->items[i].name, opened->items[i].mode,
			 AT_SYMLINK_NOFOLLOW);
}

/* Open an experiment whose directories, all ours, do not let us look into them. What turns out to
 * be no experiment gets its modes back. */
static int open_unreadable(struct operand *operand, int parent, const char *name,
			   const char *path, struct expt_error *err)
{
	struct opened_directories top = { 0 }, below = { 0 };
	cleanup_fd int dir = -1;
	int rc = -EACCES;

	if (expt_name_is_experiment(name) && open_one(&top, parent, name) >= 0) {
		dir = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (dir >= 0 && open_all_in(&below, dir) >= 0)
			rc = operand_open(operand, path, err);
	}
	if (rc < 0 && dir >= 0)
		close_again(&below, dir);
	if (rc < 0)
		close_again(&top, parent);
	array_release(&top);
	array_release(&below);
	return rc;
}

/* ---- removing ---- */

static int remove_link(int parent, const char *name, const char *path,
		       const struct expt_remove_options *options, struct expt_error *err)
{
	if (!expt_name_is_experiment(path))
		return expt_fail(err, -EINVAL, "'%s' is a link, not an experiment", path);
	if (!options->dry_run && unlinkat(parent, name, 0) < 0)
		return expt_fail(err, -errno, "cannot remove '%s'", path);
	expt_report_add(options->report, EXPT_NOTE, path,
			"only the link was removed, not what it leads to");
	return 0;
}

static int count_files(const struct operand *operand, struct expt_report *report,
		       struct expt_error *err)
{
	struct tree tree = { 0 };
	int rc = tree_read(&tree, operand->dir, NULL, err);

	if (rc == 0)
		copy_count_files(&tree, report);
	tree_release(&tree);
	return rc;
}

static int remove_operand(struct operand *operand, const char *path,
			  const struct expt_remove_options *options, struct expt_error *err)
{
	int rc;

	if (!options->force) {
		rc = operand_read_log(operand, path, err);
		if (rc == -ENOMEM)
			return rc;
		if (operand->is_live)
			return expt_fail(err, -EPERM, "'%s' is still being recorded", path);
	}
	if (options->dry_run)
		return count_files(operand, options->report, err);
	return operand_remove(operand, err);
}

static int remove_named(int parent, const char *name, const char *path,
			const struct expt_remove_options *options, struct expt_error *err)
{
	cleanup(operand_release) struct operand operand = OPERAND_INIT;
	int finished = options->dry_run ? 0 : stage_clean(parent, name);
	struct stat status;
	int rc;

	if (fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) < 0) {
		if (errno == ENOENT && finished > 0)
			return 0;
		return expt_fail(err, -errno, "cannot remove '%s'", path);
	}
	if (S_ISLNK(status.st_mode))
		return remove_link(parent, name, path, options, err);
	rc = operand_open(&operand, path, err);
	if (rc == -EACCES)
		rc = open_unreadable(&operand, parent, name, path, err);
	if (rc < 0)
		return rc;
	return remove_operand(&operand, path, options, err);
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
	return remove_named(parent, name, path, options ? options : &defaults, err);
}
