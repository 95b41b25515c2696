/* SPDX-License-Identifier: Apache-2.0 */
/* Judges if an experiment is wanted, by its end, its size and its notes. */
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
#include "libexpt/common/error.h"
#include "libexpt/experiment/handle.h"
#include "libexpt/format.h"
#include "libexpt/manage/operand.h"
#include "libexpt/select/private.h"
#include "libexpt/tree/tree.h"

#define NOTES_SIZE_MAX (1u << 20)
/* Earlier times come from clocks that were not set: the format is younger. */
#define EARLIEST_S 946684800
/* For this long after its last change, an experiment without end and process may get
 * one. */
#define STARTING_S 60
/* The clocks of hosts that share a file system may differ by this much. */
#define CLOCKS_DIFFER_S 60

/* ---- end ---- */

/* Get the time when the recording of one process ended. Returns false if its log lacks
 * it. */
static bool end_of(int64_t *ended_at, const struct expt *expt)
{
	const struct expt_info *info = expt_info(expt);

	return info->is_closed && info->started_at >= EARLIEST_S &&
	       !__builtin_add_overflow(info->started_at,
				       (int64_t)(info->end_ns / NS_PER_SECOND), ended_at);
}

/* Returns true for damage of the log itself; other errors may be temporary. */
static bool is_damage(int code)
{
	return code == -EBADMSG || code == -ENOTSUP || code == -EFBIG;
}

/* Get the time when the descendant at index i ended, or was last written to; 0 if
 * unknown. A log that was not written to after than cannot contain a later end. */
static int end_of_descendant(int64_t *ended_at, struct expt *founder, size_t i,
			     int64_t than, struct expt_error *err)
{
	const char *name = expt_descendant_name(founder, i);
	cleanup_fd int own = -1;
	int dir = folder_descriptor(&founder->folder, &own), rc;
	struct expt *descendant;
	char path[PATH_MAX];
	struct stat status;

	*ended_at = 0;
	if (dir < 0)
		return expt_fail(err, dir, "cannot open '%s'", founder->path);
	snprintf(path, sizeof(path), "%s/%s", name, LOG_FILE);
	if (fstatat(dir, path, &status, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? 0
				       : expt_fail(err, -errno, "cannot access '%s/%s'",
						   founder->path, path);
	*ended_at = status.st_mtime;
	if (status.st_mtime <= than)
		return 0;
	rc = expt_descendant_open(&descendant, founder, i, err);
	if (rc < 0)
		return is_damage(rc) ? 0 : rc;
	end_of(ended_at, descendant);
	expt_close(descendant);
	return 0;
}

/* Descendants may outlive their founder. */
static int add_ends_of_descendants(int64_t *ended_at, struct expt *founder,
				   struct expt_error *err)
{
	for (size_t i = 0; i < expt_descendant_count(founder); i++) {
		int64_t end;
		int rc = end_of_descendant(&end, founder, i, *ended_at, err);

		if (rc < 0)
			return rc;
		if (end > *ended_at)
			*ended_at = end;
	}
	return 0;
}

static bool has_exit(const struct expt *expt)
{
	for (size_t i = expt_event_count(expt); i-- > 0;)
		if (expt_event(expt, i)->kind == EXPT_EVENT_EXIT)
			return true;
	return false;
}

/* Returns true if all processes ended by exit. After an exec, or in a descendant without
 * a log, there may be a recorder whose process is not known yet. */
static bool is_over(struct expt *founder)
{
	bool is_over = has_exit(founder);

	for (size_t i = 0; i < expt_descendant_count(founder) && is_over; i++) {
		struct expt *descendant;

		if (expt_descendant_open(&descendant, founder, i, NULL) < 0)
			return false;
		is_over = has_exit(descendant);
		expt_close(descendant);
	}
	return is_over;
}

/* An experiment that is examined, and its properties as they become known. */
struct look {
	struct operand operand;
	struct expt *expt; /* NULL if it has no readable log */
	struct tree_measure measure;
	bool is_measured, has_end;
};

static void release_look(struct look *look)
{
	expt_close(look->expt);
	operand_release(&look->operand);
}

static int measure(struct expt_selection *selection, struct look *look,
		   const struct select_candidate *candidate, struct expt_error *err)
{
	int rc = look->is_measured
			 ? 0
			 : tree_measure(&look->measure, look->operand.dir,
					&selection->links, candidate->owner, err);

	look->is_measured = rc == 0;
	return rc;
}

static int find_end(struct expt_selection *selection, struct look *look,
		    struct select_candidate *candidate, struct expt_error *err)
{
	int rc;

	look->has_end = look->expt && end_of(&candidate->facts.ended_at, look->expt);
	if (look->has_end)
		return add_ends_of_descendants(&candidate->facts.ended_at, look->expt,
					       err);
	rc = measure(selection, look, candidate, err);
	candidate->facts.ended_at = look->measure.newest.tv_sec;
	return rc;
}

/* A log or a file may claim any time. With an end in the future an experiment would
 * always be the newest. */
static void find_age(const struct expt_selection *selection,
		     struct select_candidate *candidate)
{
	int64_t *ended_at = &candidate->facts.ended_at;

	candidate->is_in_future = *ended_at - selection->now > CLOCKS_DIFFER_S;
	if (*ended_at > selection->now)
		*ended_at = selection->now;
	candidate->facts.age_s = (uint64_t)selection->now - (uint64_t)*ended_at;
}

static bool is_closed(const struct look *look)
{
	return look->expt && expt_info(look->expt)->is_closed;
}

/* ---- criteria ---- */

static int cannot_read_notes(const struct select_candidate *candidate, int code,
			     struct expt_error *err)
{
	return expt_fail(err, code, "cannot read '%s/%s'", candidate->facts.path,
			 NOTES_FILE);
}

/* Returns 1 if the notes match, or are absent as wanted, else 0. They are read here,
 * because experiments without a log may have them, too. */
static int judge_notes(const struct expt_selection *selection, const struct look *look,
		       const struct select_candidate *candidate, struct expt_error *err)
{
	const struct expt_criteria *criteria = &selection->criteria;
	cleanup_fd int fd = -1;
	cleanup_free char *text = NULL;
	ssize_t size;

	if (!criteria->comment && !criteria->without_notes)
		return 1;
	fd = io_open_regular(look->operand.dir, NOTES_FILE);
	if (fd == -ENOENT)
		return !criteria->comment;
	if (fd < 0)
		return cannot_read_notes(candidate, fd, err);
	if (criteria->without_notes)
		return 0;
	text = malloc(NOTES_SIZE_MAX + 1);
	size = text ? io_read_full(fd, text, NOTES_SIZE_MAX) : -ENOMEM;
	if (size < 0)
		return cannot_read_notes(candidate, (int)size, err);
	text[size] = '\0';
	return size > 0 && regexec(&selection->comment, text, 0, NULL, 0) == 0;
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

/* Returns 1 if the experiment is incomplete, 0 if not, or a negative errno. */
static int judge_end(const struct look *look, const struct select_candidate *candidate,
		     struct expt_error *err)
{
	int rc;

	if (is_closed(look) || candidate->may_be_starting)
		return 0;
	if (!look->expt)
		return 1;
	rc = operand_is_live(&look->operand, look->expt, err);
	return rc < 0 ? rc : !rc;
}

/* Returns 1 if wanted, 0 if not, or a negative errno. Cheap criteria come first. */
static int judge(struct expt_selection *selection, struct look *look,
		 struct select_candidate *candidate, struct expt_error *err)
{
	const struct expt_criteria *criteria = &selection->criteria;
	int rc = judge_notes(selection, look, candidate, err);

	if (rc <= 0)
		return rc;
	rc = find_end(selection, look, candidate, err);
	if (rc < 0)
		return rc;
	find_age(selection, candidate);
	if (!age_matches(criteria, candidate->facts.age_s))
		return 0;
	candidate->may_be_starting = !candidate->facts.is_named &&
				     candidate->facts.age_s < STARTING_S &&
				     !(look->expt && is_over(look->expt));
	rc = criteria->incomplete ? judge_end(look, candidate, err) : 1;
	if (rc <= 0)
		return rc;
	rc = needs_size(criteria) ? measure(selection, look, candidate, err) : 0;
	if (rc < 0)
		return rc;
	if (look->is_measured) {
		candidate->facts.is_measured = true;
		candidate->facts.files = look->measure.files;
		candidate->facts.bytes = look->measure.allocated;
		candidate->added = look->measure.added;
	}
	return !criteria->has_larger_than ||
	       candidate->facts.bytes > criteria->larger_than;
}

/* ---- examining ---- */

int select_open_parent(const struct select_root *root, const char *directory)
{
	const char *name = *directory ? directory : ".";
	int dir = io_open_beneath(root->dir, name, O_RDONLY | O_DIRECTORY, 0);

	if (dir == -EACCES) /* one may write to it but not list it */
		dir = io_open_beneath(root->dir, name, O_PATH | O_DIRECTORY, 0);
	return dir;
}

bool select_is_gone(int code)
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
		return expt_fail(err, -errno, "cannot access the directory of '%s'",
				 path);
	candidate->parent = (struct remove_identity){ status.st_dev, status.st_ino };
	candidate->identity = (struct remove_identity){ look->operand.status.st_dev,
							look->operand.status.st_ino };
	rc = expt_open_directory(&look->expt, look->operand.dir, path, err);
	return is_damage(rc) ? 0 : rc; /* go on without a readable log */
}

/* An experiment that was found may be a mount point, or a descendant whose founder is not
 * recognizable by its name. */
static bool is_out_of_bounds(const struct select_candidate *candidate,
			     const struct look *look)
{
	return !candidate->facts.is_named &&
	       (candidate->identity.device != candidate->root->identity.device ||
		look->operand.is_descendant);
}

/* Returns 1 if wanted, 0 if not or gone, or a negative errno if it could not be
 * judged. */
int select_examine(struct expt_selection *selection, struct select_candidate *candidate,
		   struct expt_error *err)
{
	cleanup(release_look) struct look look = { .operand = OPERAND_INIT };
	cleanup_fd int parent = -1;
	int rc;

	if (selection->criteria.name &&
	    fnmatch(selection->criteria.name, candidate->name, 0) != 0)
		return 0;
	parent = select_open_parent(candidate->root, candidate->directory);
	if (parent < 0)
		return select_is_gone(parent) ? 0
					      : expt_fail(err, parent, "cannot open '%s'",
							  candidate->facts.path);
	rc = open_look(&look, candidate, parent, err);
	if (select_is_gone(rc) && !candidate->facts.is_named)
		return 0;
	if (rc < 0)
		return rc;
	if (is_out_of_bounds(candidate, &look))
		return 0;
	if (!selection->criteria.all_owners)
		candidate->owner = look.operand.status.st_uid;
	rc = judge(selection, &look, candidate, err);
	return rc == -ENOENT ? 0 : rc;
}
