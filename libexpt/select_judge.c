/* SPDX-License-Identifier: Apache-2.0 */
/* Whether an experiment is wanted: when it ended, how large it is, what its notes say. */
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/time.h"
#include "libexpt/error.h"
#include "libexpt/format.h"
#include "libexpt/operand.h"
#include "libexpt/private.h"
#include "libexpt/select.h"
#include "libexpt/tree.h"

#define NOTES_SIZE_MAX (1u << 20)
/* Times before this are of clocks that were not set: the format is younger. */
#define EARLIEST_S 946684800
/* So long after its last change, what has no end and no process may get one. */
#define STARTING_S 60

/* ---- what an experiment is ---------------------------------------------------------------- */

/* When the recording of one process came to its end; false if its log does not tell. */
static bool end_of(int64_t *ended_at, const struct expt *expt)
{
	const struct expt_info *info = expt_info(expt);

	return info->is_closed && info->started_at >= EARLIEST_S &&
	       !__builtin_add_overflow(info->started_at,
				       (int64_t)(info->end_ns / NS_PER_SECOND), ended_at);
}

/* A log that was not written to since cannot tell of a later end. */
static bool may_have_ended_later(struct expt *founder, const char *descendant,
				 struct stat *status, int64_t than)
{
	char path[PATH_MAX];

	snprintf(path, sizeof path, "%s/%s", descendant, LOG_FILE);
	return fstatat(founder->folder.dir, path, status, AT_SYMLINK_NOFOLLOW) == 0 &&
	       status->st_mtime > than;
}

/* Descendants may go on when their founder has ended. */
static void add_ends_of_descendants(int64_t *ended_at, struct expt *founder)
{
	for (size_t i = 0; i < expt_descendant_count(founder); i++) {
		struct expt *descendant;
		struct stat status;
		int64_t end;

		if (!may_have_ended_later(founder, expt_descendant_name(founder, i),
					  &status, *ended_at))
			continue;
		end = status.st_mtime;
		if (expt_descendant_open(&descendant, founder, i, NULL) == 0) {
			end_of(&end, descendant);
			expt_close(descendant);
		}
		if (end > *ended_at)
			*ended_at = end;
	}
}

/* What looking at an experiment brings. */
struct look {
	struct operand operand;
	struct expt *expt; /* NULL: it has no log, or one that cannot be read */
	struct tree_measure measure;
	bool is_measured, has_end;
};

static void release_look(struct look *look)
{
	expt_close(look->expt);
	operand_release(&look->operand);
}

static int measure(struct look *look, struct expt_error *err)
{
	int rc = look->is_measured ? 0
				   : tree_measure(&look->measure, look->operand.dir, err);

	look->is_measured = rc == 0;
	return rc;
}

static int find_end(struct look *look, struct select_candidate *candidate,
		    struct expt_error *err)
{
	int rc;

	look->has_end = look->expt && end_of(&candidate->facts.ended_at, look->expt);
	if (look->has_end) {
		add_ends_of_descendants(&candidate->facts.ended_at, look->expt);
		return 0;
	}
	rc = measure(look, err);
	candidate->facts.ended_at = look->measure.newest.tv_sec;
	return rc;
}

static bool is_closed(const struct look *look)
{
	return look->expt && expt_info(look->expt)->is_closed;
}

/* ---- criteria ------------------------------------------------------------------------------- */

static bool has_notes(const struct look *look)
{
	return faccessat(look->operand.dir, NOTES_FILE, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Notes are read here, as experiments without a log may have them, too. */
static bool notes_match(const struct expt_selection *selection, const struct look *look)
{
	cleanup_fd int fd = io_open_regular(look->operand.dir, NOTES_FILE);
	cleanup_free char *text = fd < 0 ? NULL : malloc(NOTES_SIZE_MAX + 1);
	ssize_t size = text ? io_read_full(fd, text, NOTES_SIZE_MAX) : -1;

	if (size <= 0)
		return false;
	text[size] = '\0';
	return regexec(&selection->comment, text, 0, NULL, 0) == 0;
}

static bool age_matches(const struct expt_criteria *criteria, uint64_t age_s)
{
	return (!criteria->has_older_than || age_s >= criteria->older_than_s) &&
	       (!criteria->has_newer_than || age_s < criteria->newer_than_s);
}

static bool needs_size(const struct expt_criteria *criteria)
{
	return criteria->has_larger_than || criteria->has_max_total ||
	       criteria->has_min_free || criteria->measure;
}

static bool is_incomplete(const struct look *look, const struct select_candidate *candidate)
{
	return !is_closed(look) && !candidate->may_be_starting &&
	       !(look->expt && operand_is_live(look->expt, look->operand.dir));
}

/* 1: wanted; 0: not; the cheap questions first. */
static int judge(const struct expt_selection *selection, struct look *look,
		 struct select_candidate *candidate, struct expt_error *err)
{
	const struct expt_criteria *criteria = &selection->criteria;
	int rc;

	if (criteria->without_notes && has_notes(look))
		return 0;
	if (criteria->comment && !notes_match(selection, look))
		return 0;
	rc = find_end(look, candidate, err);
	if (rc < 0)
		return rc;
	if (selection->now > candidate->facts.ended_at)
		candidate->facts.age_s =
			(uint64_t)selection->now - (uint64_t)candidate->facts.ended_at;
	if (!age_matches(criteria, candidate->facts.age_s))
		return 0;
	candidate->may_be_starting = !candidate->facts.is_named && !is_closed(look) &&
				     candidate->facts.age_s < STARTING_S;
	if (criteria->incomplete && !is_incomplete(look, candidate))
		return 0;
	rc = needs_size(criteria) ? measure(look, err) : 0;
	if (rc < 0)
		return rc;
	if (look->is_measured) {
		candidate->facts.is_measured = true;
		candidate->facts.files = look->measure.files;
		candidate->facts.bytes = look->measure.allocated;
	}
	return !criteria->has_larger_than || candidate->facts.bytes > criteria->larger_than;
}

/* ---- looking ------------------------------------------------------------------------------- */

int select_open_parent(const struct select_root *root, const char *directory)
{
	const char *name = *directory ? directory : ".";
	int dir = io_open_beneath(root->dir, name, O_RDONLY | O_DIRECTORY, 0);

	if (dir == -EACCES) /* a directory one may write but not list */
		dir = io_open_beneath(root->dir, name, O_PATH | O_DIRECTORY, 0);
	return dir;
}

static bool is_gone(int code)
{
	return code == -ENOENT || code == -ENOTDIR || code == -ELOOP || code == -ESTALE;
}

static int open_look(struct look *look, struct select_candidate *candidate, int parent,
		     struct expt_error *err)
{
	const char *path = candidate->facts.path;
	struct stat status;
	int rc = operand_open_at(&look->operand, parent, candidate->name, path, err);

	if (rc < 0)
		return rc;
	if (fstat(parent, &status) < 0)
		return expt_fail(err, -errno, "cannot look at the directory of '%s'", path);
	candidate->parent = (struct remove_identity){ status.st_dev, status.st_ino };
	candidate->identity = (struct remove_identity){ look->operand.status.st_dev,
							look->operand.status.st_ino };
	rc = expt_open_directory(&look->expt, look->operand.dir, path, err);
	if (rc == -ENOMEM)
		return rc;
	if (rc < 0)
		look->expt = NULL; /* its log tells nothing */
	return 0;
}

/* One that was found may be a mount point, or a descendant whose founder's name says nothing. */
static bool is_out_of_bounds(const struct select_candidate *candidate,
			     const struct look *look)
{
	return !candidate->facts.is_named &&
	       (candidate->identity.device != candidate->root->identity.device ||
		look->operand.is_descendant);
}

/* 1: wanted; 0: not, or gone; negative: it could not be judged. */
int select_examine(const struct expt_selection *selection,
		   struct select_candidate *candidate, struct expt_error *err)
{
	cleanup(release_look) struct look look = { .operand = OPERAND_INIT };
	cleanup_fd int parent = -1;
	int rc;

	if (selection->criteria.name &&
	    fnmatch(selection->criteria.name, candidate->name, 0) != 0)
		return 0;
	parent = select_open_parent(candidate->root, candidate->directory);
	if (parent < 0)
		return is_gone(parent) ? 0
				       : expt_fail(err, parent, "cannot open '%s'",
						   candidate->facts.path);
	rc = open_look(&look, candidate, parent, err);
	if (is_gone(rc) && !candidate->facts.is_named)
		return 0;
	if (rc < 0)
		return rc;
	if (is_out_of_bounds(candidate, &look))
		return 0;
	rc = judge(selection, &look, candidate, err);
	return rc == -ENOENT ? 0 : rc;
}
