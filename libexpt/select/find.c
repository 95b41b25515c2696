/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds experiments below the directories of a selection, and examines each once; also
 * finds leftovers of interrupted work under hidden names.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/common/error.h"
#include "libexpt/common/report.h"
#include "libexpt/select/private.h"
#include "libexpt/stage/clean.h"

/* ---- finding ---- */

static int add_leftover(struct expt_selection *selection, struct select_root *root,
			const struct find_entry *entry)
{
	struct select_leftover *leftover = array_add(&selection->leftovers);

	if (!leftover)
		return -ENOMEM;
	*leftover = (struct select_leftover){ root, entry->directory, entry->name };
	return 0;
}

static char *make_path(const struct select_root *root, const char *directory,
		       const char *name)
{
	const char *slash = strcmp(root->path, "/") == 0 ? "" : "/";
	char *path;

	return asprintf(&path, "%s%s%s%s%s", root->path, slash, directory,
			*directory ? "/" : "", name) < 0
		       ? NULL
		       : path;
}

static int add_found(struct expt_selection *selection, struct select_root *root,
		     const struct find_entry *entry)
{
	cleanup_free char *path = NULL;

	if (entry->is_hidden)
		return add_leftover(selection, root, entry);
	path = make_path(root, entry->directory, entry->name);
	if (!path)
		return -ENOMEM;
	return select_add(selection, root, entry->directory, entry->name, path);
}

static int find_all_below(struct expt_selection *selection, struct select_root *root)
{
	size_t next = selection->found.count;
	int rc = find_experiments(&selection->found, root->dir, root->path);

	while (rc == 0 && next < selection->found.count)
		rc = add_found(selection, root, &selection->found.items[next++]);
	return rc;
}

static int find_all(struct expt_selection *selection, struct expt_error *err)
{
	int rc = 0;

	for (size_t i = 0; i < selection->roots.count && rc == 0; i++)
		if (selection->roots.items[i]->is_searched)
			rc = find_all_below(selection, selection->roots.items[i]);
	return rc < 0 ? expt_fail(err, rc, "cannot select experiments") : 0;
}

/* ---- candidates ---- */

/* An entry that was found need not be an experiment; one that was named must be. */
static int add_problem(struct expt_selection *selection,
		       const struct select_candidate *candidate, int code,
		       const struct expt_error *err)
{
	bool is_failure = candidate->facts.is_named || code != -EBADMSG;

	if (code == -ENOMEM)
		return code;
	return find_add_problem(&selection->found, is_failure, err->message);
}

static int say_in_future(struct expt_selection *selection,
			 const struct select_candidate *candidate)
{
	struct expt_error text;

	snprintf(text.message, sizeof(text.message),
		 "'%s' ends in the future: treated as ended now", candidate->facts.path);
	return find_add_problem(&selection->found, false, text.message);
}

static int compare_identities(const void *a, const void *b)
{
	const struct select_candidate *x = a, *y = b;

	if (x->identity.device != y->identity.device)
		return x->identity.device < y->identity.device ? -1 : 1;
	if (x->identity.inode != y->identity.inode)
		return x->identity.inode < y->identity.inode ? -1 : 1;
	return y->facts.is_named - x->facts.is_named;
}

/* One experiment may have been found from several directories. */
static void drop_repeated(struct expt_selection *selection)
{
	struct select_candidate *items = selection->candidates.items;
	size_t count = 0;

	if (selection->candidates.count)
		qsort(items, selection->candidates.count, sizeof(*items),
		      compare_identities);
	for (size_t i = 0; i < selection->candidates.count; i++)
		if (count == 0 ||
		    items[i].identity.device != items[count - 1].identity.device ||
		    items[i].identity.inode != items[count - 1].identity.inode)
			items[count++] = items[i];
	selection->candidates.count = count;
}

static int examine_all(struct expt_selection *selection, struct expt_error *err)
{
	struct select_candidate *items = selection->candidates.items;
	struct expt_error reason;
	size_t count = 0;

	for (size_t i = 0; i < selection->candidates.count; i++) {
		int rc = select_examine(selection, &items[i], &reason);

		if (rc < 0)
			rc = add_problem(selection, &items[i], rc, &reason);
		if (rc >= 0 && items[i].is_in_future &&
		    say_in_future(selection, &items[i]) < 0)
			rc = -ENOMEM;
		if (rc < 0)
			return expt_fail(err, rc, "cannot select experiments");
		if (rc > 0)
			items[count++] = items[i];
	}
	selection->candidates.count = count;
	drop_repeated(selection);
	return 0;
}

int expt_selection_read(struct expt_selection *selection, struct expt_error *err)
{
	int rc = find_all(selection, err);

	if (rc == 0)
		rc = examine_all(selection, err);
	if (rc < 0)
		return rc;
	rc = select_order(selection);
	return rc < 0 ? expt_fail(err, rc, "cannot select experiments") : 0;
}

size_t expt_selection_problem_count(const struct expt_selection *selection)
{
	return selection->found.problems.count;
}

const struct expt_selection_problem *
expt_selection_problem(const struct expt_selection *selection, size_t i)
{
	return &selection->found.problems.items[i];
}

/* Use the same path as for candidates. */
static void report_leftover(const struct select_leftover *leftover,
			    struct expt_report *report, enum expt_outcome outcome,
			    const char *reason)
{
	cleanup_free char *path =
		make_path(leftover->root, leftover->directory, leftover->name);

	expt_report_add(report, outcome, path ? path : leftover->name, "%s", reason);
}

static bool clean_leftover(struct expt_selection *selection,
			   const struct select_leftover *leftover, bool dry_run,
			   struct expt_report *report)
{
	cleanup_fd int parent = select_open_parent(leftover->root, leftover->directory);
	struct expt_error err;
	int rc = parent < 0 ? 0
			    : stage_clean_hidden(parent, leftover->name, dry_run,
						 &selection->patience, &err);

	if (rc > 0)
		report_leftover(leftover, report, EXPT_REMOVED,
				"left over from an interrupted operation");
	else if (rc < 0)
		report_leftover(leftover, report, EXPT_FAILED, err.message);
	return rc > 0;
}

size_t expt_selection_clean(struct expt_selection *selection, bool dry_run,
			    struct expt_report *report)
{
	size_t cleaned = 0;

	for (size_t i = 0; i < selection->leftovers.count; i++)
		cleaned += clean_leftover(selection, &selection->leftovers.items[i],
					  dry_run, report);
	if (!dry_run)
		selection->leftovers.count = 0;
	return cleaned;
}
