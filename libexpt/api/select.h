/* SPDX-License-Identifier: Apache-2.0 */
/* Choosing the experiments that are to be removed. */
/* clang-format off */
#ifndef LIBEXPT_API_SELECT_H
#define LIBEXPT_API_SELECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/api/manage.h"

EXPT_DECLARATIONS_BEGIN

/* Criteria for experiments; all zero: every experiment.
 *
 * Ages count from the end of the recording, of founder and descendants; if the log
 * does not contain it, from the newest file. A time in the future counts as now, with
 * a problem that says so. Sizes are sizes on the disk; a file with several links
 * counts once. */
struct expt_criteria {
	const char *name;		/* NULL, or a shell pattern for its own name */
	const char *comment;		/* NULL, or a regular expression for its notes */
	bool without_notes;		/* only experiments without notes */
	bool incomplete;		/* only those without an end, but not live ones */
	bool has_older_than, has_newer_than, has_larger_than;
	uint64_t older_than_s, newer_than_s, larger_than;	/* seconds; bytes */
	/* Experiments that stay all the same: */
	uint64_t keep;			/* the newest of each stem in each directory */
	/* keep and the two limits below are for all owners together, not for each of
	 * them. */
	bool all_owners;
	bool has_max_total, has_min_free;
	uint64_t max_total;		/* the newest, up to this size in all */
	/* As many as possible while the file system has this much free. The owner whose
	 * experiments use most space loses some first. */
	uint64_t min_free;
	bool measure;			/* fill files and bytes below in any case */
	int64_t now;			/* seconds since the epoch; 0: the clock */
};

struct expt_selected {
	const char *path;		/* lives as long as the selection */
	bool is_named;			/* added by name, not found */
	bool is_measured;		/* the next two are known */
	uint64_t files, bytes;
	int64_t ended_at;		/* seconds since the epoch; 0: unknown */
	uint64_t age_s;
};

struct expt_selection;
struct expt_selection_problem {
	const char *text;
	/* It concerns something that was named, or may hide experiments; otherwise it is
	 * worth a warning. */
	bool is_failure;
};

/* The texts in criteria must live as long as the selection. -EINVAL: comment is not a
 * regular expression. */
int expt_selection_open(struct expt_selection **out, const struct expt_criteria *criteria,
			struct expt_error *err);
void expt_selection_close(struct expt_selection *selection);
/* Add an experiment, or all experiments below a directory: none inside others, through
 * links, or on other file systems. -ENOENT: it does not exist. */
int expt_selection_add(struct expt_selection *selection, const char *path,
		       struct expt_error *err);
int expt_selection_add_directory(struct expt_selection *selection, const char *path,
				 struct expt_error *err);
/* Keep other cleaners of the same user out until the selection is closed: lock the
 * directories, and those around experiments that were added, by a file in each that only
 * this user can open. A directory where the user may not make one is not locked. -EBUSY:
 * a lock was held for longer than wait_s. */
int expt_selection_lock(struct expt_selection *selection, unsigned wait_s,
			struct expt_error *err);
/* Examine everything that was added, and choose. */
int expt_selection_read(struct expt_selection *selection, struct expt_error *err);
/* Experiments and directories that could not be judged and are left out. */
size_t expt_selection_problem_count(const struct expt_selection *selection);
const struct expt_selection_problem *
expt_selection_problem(const struct expt_selection *selection, size_t i);
/* Remove the remainders of interrupted copies and removals below the directories. Returns
 * how many. report: NULL, or filled with a line EXPT_REMOVED for each, EXPT_FAILED for
 * those that could not be removed. dry_run: fill the report only. */
size_t expt_selection_clean(struct expt_selection *selection, bool dry_run,
			    struct expt_report *report);
/* How many experiments are to go at most; limits may be reached before. */
size_t expt_selection_count(const struct expt_selection *selection);
/* The next to go, oldest first; NULL after the last. It lives as long as the selection.
 * With limits it depends on what was removed before. */
const struct expt_selected *expt_selection_next(struct expt_selection *selection);
/* Remove that one, if it is still the one that was examined. -ENOENT: it is gone; -EBUSY:
 * it is, or may be, still being recorded. */
int expt_selection_remove(struct expt_selection *selection,
			  const struct expt_selected *selected,
			  const struct expt_remove_options *options,
			  struct expt_error *err);

EXPT_DECLARATIONS_END

#endif
