/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Removal of hidden directories: interrupted removals, and stages of dead makers. A
 * living maker holds a flock on the directory, which the kernel releases when it dies.
 * Where a file system cannot lock directories (NFS), a file in the stage names host, boot
 * and process instead.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/entries.h"
#include "libexpt/base/io.h"
#include "libexpt/base/path.h"
#include "libexpt/common/error.h"
#include "libexpt/common/report.h"
#include "libexpt/format.h"
#include "libexpt/layout/layout.h"
#include "libexpt/stage/owner.h"
#include "libexpt/stage/private.h"
#include "libexpt/stage/stage.h"
#include "libexpt/tree/tree.h"

int stage_unlink(int parent, const char *name, int dir, struct tree_patience *patience,
		 struct expt_error *err)
{
	int rc = tree_unlink(dir, patience, err);

	if (rc < 0)
		return rc;
	if (unlinkat(parent, name, AT_REMOVEDIR) < 0 && errno != ENOENT)
		return expt_fail(err, -errno, "cannot remove '%s'", name);
	return 0;
}

int stage_open_hidden(int parent, const char *name)
{
	int dir = admit_open(NULL, parent, name);

	if (dir < 0)
		errno = -dir;
	return dir < 0 ? -1 : dir;
}

static int remove_hidden(int parent, const char *name, struct expt_error *err)
{
	cleanup_fd int dir = stage_open_hidden(parent, name);

	if (dir < 0)
		return expt_fail(err, -errno, "cannot remove '%s'", name);
	flock(dir, LOCK_EX | LOCK_NB); /* keeps cleaners from finishing it concurrently */
	return stage_unlink(parent, name, dir, NULL, err);
}

int stage_remove(int parent, const char *name, struct expt_error *err)
{
	char hidden[STAGE_NAME_SIZE];
	int rc = stage_hide(hidden, parent, name);

	if (rc < 0)
		return expt_fail(err, rc, "cannot remove '%s'", name);
	return remove_hidden(parent, hidden, err);
}

/* Lock dir if its maker is gone. Others' directories are ignored: any user can make such
 * names in /tmp. */
static bool is_abandoned(int dir, bool is_removal)
{
	struct stat status;

	if (fstat(dir, &status) < 0 || (status.st_uid != geteuid() && geteuid() != 0))
		return false;
	if (flock(dir, LOCK_EX | LOCK_NB) == 0)
		return !owner_is_alive(dir, OWNER_FILE);
	if (errno == EWOULDBLOCK)
		return false;
	/* Without locks, two processes may safely remove the same directory, but a stage
	 * counts as abandoned only if its maker is known to be dead. */
	return is_removal || owner_is_dead(dir, OWNER_FILE);
}

/* The name alone proves little: it is ours only if it contains nothing but an
 * experiment's entries. */
static bool is_remains(int dir, const char *name)
{
	return layout_check(dir, name, NULL, NULL) != -EBADMSG;
}

/* The name is checked again: before it was locked, a stage may have got its final
 * name. */
static bool is_to_clean(int dir, int parent, const char *name, bool is_removal)
{
	return dir >= 0 && is_abandoned(dir, is_removal) &&
	       io_has_name(dir, parent, name) && is_remains(dir, name);
}

static int clean_one(int parent, const char *name, bool is_removal, bool dry_run,
		     struct tree_patience *patience, struct expt_error *err)
{
	cleanup_fd int dir =
		dry_run ? io_open_unmounted(parent, name, O_RDONLY | O_DIRECTORY)
			: stage_open_hidden(parent, name);
	int rc;

	if (!is_to_clean(dir, parent, name, is_removal))
		return 0;
	rc = dry_run ? 0 : stage_unlink(parent, name, dir, patience, err);
	return rc < 0 ? rc : 1;
}

int stage_clean_hidden(int parent, const char *name, bool dry_run,
		       struct tree_patience *patience, struct expt_error *err)
{
	return clean_one(parent, name, text_ends_with(name, DELETED_SUFFIX), dry_run,
			 patience, err);
}

/* Report a path beside the final name. */
static void report_cleaned(const struct stage_cleaning *cleaning, const char *name,
			   enum expt_outcome outcome, const char *reason)
{
	cleanup_free char *path = NULL;
	size_t length;

	length = (size_t)(path_last(cleaning->path, &length) - cleaning->path);
	if (asprintf(&path, "%.*s%s", (int)length, cleaning->path, name) < 0)
		path = NULL;
	expt_report_add(cleaning->report, outcome, path ? path : name, "%s", reason);
}

static bool clean_reporting(int parent, const char *name, bool is_removal,
			    const struct stage_cleaning *cleaning)
{
	struct expt_error err;
	int rc = clean_one(parent, name, is_removal, cleaning->dry_run,
			   cleaning->patience, &err);

	if (cleaning->report && rc > 0)
		report_cleaned(cleaning, name, EXPT_REMOVED,
			       "left over from an interrupted operation");
	else if (cleaning->report && rc < 0)
		report_cleaned(cleaning, name, EXPT_FAILED, err.message);
	return rc > 0;
}

int stage_clean_reporting(int parent, const char *final,
			  const struct stage_cleaning *cleaning)
{
	char prefix[STAGE_NAME_SIZE];
	cleanup_entries struct entries entries = entries_open(parent);
	const struct dirent64 *entry;
	int finished = 0;

	/* A directory that cannot be listed cannot be cleaned. */
	stage_hidden_prefix(prefix, final);
	while ((entry = entries_next(&entries))) {
		const char *name = entry->d_name;
		bool is_removal = stage_is_hidden_name(name, prefix, DELETED_SUFFIX);

		if ((is_removal || stage_is_hidden_name(name, prefix, PART_SUFFIX)) &&
		    clean_reporting(parent, name, is_removal, cleaning))
			finished += is_removal;
	}
	return finished;
}

int stage_clean(int parent, const char *final)
{
	return stage_clean_reporting(parent, final, &(struct stage_cleaning){ 0 });
}
