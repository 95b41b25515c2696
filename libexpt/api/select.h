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

/* Which experiments are wanted. Zeroed: all. Ages count from the end of the recording, of founder
 * and descendants; where the log does not tell it, from the newest file. Times in the future count
 * as now, with a problem that says so. Sizes are those on the disk; a file with several links counts once. */
struct expt_criteria {
	const char *name;		/* NULL, or a pattern, as in the shell, for its own name */
	const char *comment;		/* NULL, or an extended regular expression for its notes */
	bool without_notes;		/* only those that have none */
	bool incomplete;		/* only those without an end that are not being recorded */
	bool has_older_than, has_newer_than, has_larger_than;
	uint64_t older_than_s, newer_than_s, larger_than;	/* seconds; bytes */
	/* Of all these stay: */
	uint64_t keep;			/* the newest of each stem in each directory */
	bool all_owners;		/* these for all together, not for the experiments of each owner */
	bool has_max_total, has_min_free;
	uint64_t max_total;		/* those behind the oldest, while all selected are not larger */
	uint64_t min_free;		/* the same, while the file system has as much free; of several
					 * owners, those of the one who has the most go first */
	bool measure;			/* fill files and bytes below, also where not needed */
	int64_t now;			/* seconds since the epoch; 0: the clock */
};

struct expt_selected {
	const char *path;		/* lives as long as the selection */
	bool is_named;			/* added itself, not found */
	bool is_measured;		/* the next two are known */
	uint64_t files, bytes;
	int64_t ended_at;		/* seconds since the epoch; 0: unknown */
	uint64_t age_s;
};

struct expt_selection;
struct expt_selection_problem {
	const char *text;
	bool is_failure;		/* of what was named, or may hide experiments; or worth a warning */
};

/* -EINVAL: the regular expression is none. The texts in criteria must live as long. */
int expt_selection_open(struct expt_selection **out, const struct expt_criteria *criteria,
			struct expt_error *err);
void expt_selection_close(struct expt_selection *selection);
/* An experiment; or a directory, for all below it: never in experiments, through links, or on other
 * file systems. -ENOENT: there is none. */
int expt_selection_add(struct expt_selection *selection, const char *path, struct expt_error *err);
int expt_selection_add_directory(struct expt_selection *selection, const char *path,
				 struct expt_error *err);
/* Keep other cleaners of the same user out until the selection is closed: lock the directories, and those
 * around experiments that were added, by a file in each that only this user can open. Where the user may not
 * make one, there is no lock. A lock that is held is waited for this long, then -EBUSY. */
int expt_selection_lock(struct expt_selection *selection, unsigned wait_s, struct expt_error *err);
/* Look at all that was added, and choose. */
int expt_selection_read(struct expt_selection *selection, struct expt_error *err);
/* What could not be judged and was left out. */
size_t expt_selection_problem_count(const struct expt_selection *selection);
const struct expt_selection_problem *expt_selection_problem(const struct expt_selection *selection,
							    size_t i);
/* Remove what interrupted copies and removals left below the directories: how many. report: NULL, or
 * filled with a line EXPT_REMOVED for each, EXPT_FAILED for what could not be removed. dry_run: only
 * that. */
size_t expt_selection_clean(struct expt_selection *selection, bool dry_run,
			    struct expt_report *report);
/* How many are to go at most: limits may be kept before. */
size_t expt_selection_count(const struct expt_selection *selection);
/* The next to go, oldest first; NULL after the last. It lives as long as the selection. With
 * limits it depends on what was removed before. */
const struct expt_selected *expt_selection_next(struct expt_selection *selection);
/* Remove that one, if it is still what was looked at. -ENOENT: it is gone; -EBUSY: it is, or may
 * be, still being recorded. */
int expt_selection_remove(struct expt_selection *selection,
			  const struct expt_selected *selected,
			  const struct expt_remove_options *options, struct expt_error *err);

EXPT_DECLARATIONS_END

#endif
