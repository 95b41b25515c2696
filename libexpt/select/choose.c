/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses experiments to remove, and their order, until the limits are kept, and removes
 * them. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/common/error.h"
#include "libexpt/format.h"
#include "libexpt/select/private.h"

/* ---- the order ---- */

/* Returns the length of STEM in STEM.N.er and STEM.er. */
static size_t stem_length(const char *name)
{
	size_t length = strlen(name) - strlen(EXPERIMENT_SUFFIX), digits = 0;

	while (digits < length && name[length - digits - 1] >= '0' &&
	       name[length - digits - 1] <= '9')
		digits++;
	if (digits > 0 && digits + 1 < length && name[length - digits - 1] == '.')
		return length - digits - 1;
	return length;
}

static int compare_stems(const struct select_candidate *x,
			 const struct select_candidate *y)
{
	size_t a = stem_length(x->name), b = stem_length(y->name);
	int order = memcmp(x->name, y->name, a < b ? a : b);

	if (x->parent.device != y->parent.device)
		return x->parent.device < y->parent.device ? -1 : 1;
	if (x->parent.inode != y->parent.inode)
		return x->parent.inode < y->parent.inode ? -1 : 1;
	if (x->owner != y->owner)
		return x->owner < y->owner ? -1 : 1;
	return order ? order : (a > b) - (a < b);
}

static int compare_ages(const void *a, const void *b)
{
	const struct select_candidate *x = a, *y = b;

	if (x->facts.ended_at != y->facts.ended_at)
		return x->facts.ended_at < y->facts.ended_at ? -1 : 1;
	return expt_name_compare(x->facts.path, y->facts.path);
}

static int compare_within_stems(const void *a, const void *b)
{
	int order = compare_stems(a, b);

	return order ? order : compare_ages(b, a);
}

static void keep_newest(struct expt_selection *selection)
{
	struct select_candidate *items = selection->candidates.items;
	uint64_t kept = 0;

	if (selection->criteria.keep == 0)
		return;
	qsort(items, selection->candidates.count, sizeof(*items), compare_within_stems);
	for (size_t i = 0; i < selection->candidates.count; i++) {
		if (i == 0 || compare_stems(&items[i], &items[i - 1]) != 0)
			kept = 0;
		items[i].stays = kept++ < selection->criteria.keep;
	}
}

/* Returns the owner's entry, making it if there is none, or NULL if memory runs out. */
static struct select_owner *owner_of(struct expt_selection *selection,
				     const struct select_candidate *candidate)
{
	struct select_owner *owner;

	for (size_t i = 0; i < selection->owners.count; i++)
		if (selection->owners.items[i].owner == candidate->owner)
			return &selection->owners.items[i];
	owner = array_add(&selection->owners);
	if (owner)
		owner->owner = candidate->owner;
	return owner;
}

static int add_totals(struct expt_selection *selection)
{
	for (size_t i = 0; i < selection->candidates.count; i++) {
		const struct select_candidate *candidate =
			&selection->candidates.items[i];
		struct select_owner *owner = owner_of(selection, candidate);

		if (!owner)
			return -ENOMEM;
		owner->total += candidate->added;
	}
	return 0;
}

/* The place of a candidate in the order: its owner's total when it is removed, then its
 * index. */
struct turn {
	uint64_t had;
	size_t n;
};

static int compare_turns(const void *a, const void *b)
{
	const struct turn *x = a, *y = b;

	if (x->had != y->had)
		return x->had > y->had ? -1 : 1;
	return (x->n > y->n) - (x->n < y->n);
}

/* Find the turn of each candidate, lowering the totals of the owners, which are restored
 * afterwards. */
static void find_turns(struct turn *turns, struct expt_selection *selection)
{
	const struct select_candidate *items = selection->candidates.items;
	size_t count = selection->candidates.count;

	for (size_t i = 0; i < count; i++) {
		struct select_owner *owner = owner_of(selection, &items[i]);

		turns[i] = (struct turn){ owner->total, i };
		if (!items[i].stays)
			owner->total -= items[i].added;
	}
	for (size_t i = 0; i < count; i++)
		if (!items[i].stays)
			owner_of(selection, &items[i])->total += items[i].added;
}

/* Order the candidates so that the next to go is always the oldest of the owner who has
 * the most: an owner who fills the disk faster does not make others lose theirs.
 * Candidates that stay are not counted as removed. */
static int take_turns(struct expt_selection *selection)
{
	struct select_candidate *items = selection->candidates.items;
	size_t count = selection->candidates.count;
	cleanup_free struct turn *turns = calloc(count, sizeof(*turns));
	cleanup_free struct select_candidate *ordered = calloc(count, sizeof(*ordered));

	if (!turns || !ordered)
		return -ENOMEM;
	find_turns(turns, selection);
	qsort(turns, count, sizeof(*turns), compare_turns);
	for (size_t i = 0; i < count; i++)
		ordered[i] = items[turns[i].n];
	memcpy(items, ordered, count * sizeof(*items));
	return 0;
}

int select_order(struct expt_selection *selection)
{
	struct select_candidate *items = selection->candidates.items;
	int rc;

	if (selection->candidates.count == 0)
		return 0;
	keep_newest(selection);
	qsort(items, selection->candidates.count, sizeof(*items), compare_ages);
	rc = add_totals(selection);
	if (rc == 0 && selection->criteria.has_min_free && selection->owners.count > 1)
		rc = take_turns(selection);
	return rc;
}

/* ---- limits ---- */

static uint64_t free_space(const struct select_root *root)
{
	struct statvfs status;

	if (fstatvfs(root->dir, &status) < 0)
		return UINT64_MAX; /* unknown: do not remove anything */
	return (uint64_t)status.f_bavail * status.f_frsize;
}

/* Returns NULL if memory runs out. */
static struct select_file_system *file_system_of(struct expt_selection *selection,
						 const struct select_candidate *candidate)
{
	struct select_file_system *file_system;

	for (size_t i = 0; i < selection->file_systems.count; i++)
		if (selection->file_systems.items[i].device == candidate->identity.device)
			return &selection->file_systems.items[i];
	file_system = array_add(&selection->file_systems);
	if (!file_system)
		return NULL;
	file_system->device = candidate->identity.device;
	file_system->foretold = free_space(candidate->root);
	return file_system;
}

/* Some file systems show freed space much later, or never if snapshots hold it; other
 * processes also free space. Either figure suffices to stop: the next run can remove
 * more. */
static bool lacks_space(struct expt_selection *selection,
			const struct select_candidate *candidate)
{
	const struct select_file_system *file_system =
		file_system_of(selection, candidate);

	return file_system && file_system->foretold < selection->criteria.min_free &&
	       free_space(candidate->root) < selection->criteria.min_free;
}

static bool is_to_go(struct expt_selection *selection,
		     const struct select_candidate *candidate)
{
	const struct expt_criteria *criteria = &selection->criteria;

	if (candidate->stays)
		return false;
	if (!criteria->has_max_total && !criteria->has_min_free)
		return true;
	return (criteria->has_max_total &&
		owner_of(selection, candidate)->total > criteria->max_total) ||
	       (criteria->has_min_free && lacks_space(selection, candidate));
}

static void count_as_gone(struct expt_selection *selection,
			  const struct select_candidate *candidate)
{
	struct select_file_system *file_system = file_system_of(selection, candidate);
	uint64_t bytes = candidate->added;

	owner_of(selection, candidate)->total -= bytes;
	if (file_system &&
	    __builtin_add_overflow(file_system->foretold, bytes, &file_system->foretold))
		file_system->foretold = UINT64_MAX;
}

/* ---- removing ---- */

size_t expt_selection_count(const struct expt_selection *selection)
{
	size_t count = 0;

	for (size_t i = selection->next; i < selection->candidates.count; i++)
		count += !selection->candidates.items[i].stays;
	return count;
}

const struct expt_selected *expt_selection_next(struct expt_selection *selection)
{
	while (selection->next < selection->candidates.count) {
		const struct select_candidate *candidate =
			&selection->candidates.items[selection->next++];

		if (is_to_go(selection, candidate))
			return &candidate->facts;
	}
	return NULL;
}

static int remove_candidate(struct expt_selection *selection,
			    const struct select_candidate *candidate,
			    const struct expt_remove_options *options,
			    struct expt_error *err)
{
	cleanup_fd int parent = select_open_parent(candidate->root, candidate->directory);
	const char *path = candidate->facts.path;

	if (parent < 0)
		return expt_fail(err, select_is_gone(parent) ? -ENOENT : parent,
				 "cannot open '%s'", path);
	if (candidate->may_be_starting && !options->even_live)
		return expt_refuse(err, -EBUSY,
				   "'%s' may still be starting: it is new and has no end",
				   path);
	return remove_at(parent, candidate->name, path,
			 &(struct remove_selected){ candidate->identity,
						    &selection->patience },
			 options, err);
}

int expt_selection_remove(struct expt_selection *selection,
			  const struct expt_selected *selected,
			  const struct expt_remove_options *options,
			  struct expt_error *err)
{
	const struct select_candidate *candidate =
		(const void *)((const char *)selected -
			       offsetof(struct select_candidate, facts));
	int rc = remove_candidate(selection, candidate, options, err);

	if (rc == 0 || rc == -ENOENT)
		count_as_gone(selection, candidate);
	return rc;
}
