/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Choosing experiments to remove. Everything is looked at below the descriptors of the directories
 * that were named, and removed there only if it is still the same: whoever may write below them
 * cannot lead a cleaner elsewhere. Two cleaners exclude each other by flock(2) on those directories,
 * which leaves nothing behind; where that does not work, or the directories overlap, what one of them
 * removes is simply gone for the other.
 */
#include "libexpt/select.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/path.h"
#include "libexpt/base/time.h"
#include "libexpt/error.h"
#include "libexpt/format.h"
#include "libexpt/operand.h"
#include "libexpt/stage.h"

#define LOCK_WAIT_MS 50

/* ---- opening and closing -------------------------------------------------------------- */

static void selection_closep(struct expt_selection **selection)
{
	expt_selection_close(*selection);
}

static void close_root(struct select_root *root)
{
	if (root->dir >= 0)
		close(root->dir);
	free(root->path);
	free(root);
}

void expt_selection_close(struct expt_selection *selection)
{
	if (!selection)
		return;
	for (size_t i = 0; i < selection->roots.count; i++)
		close_root(selection->roots.items[i]);
	array_release(&selection->roots);
	array_release(&selection->candidates);
	array_release(&selection->leftovers);
	array_release(&selection->file_systems);
	find_release(&selection->found);
	if (selection->criteria.comment)
		regfree(&selection->comment);
	free(selection);
}

static int compile_comment(struct expt_selection *selection, const char *comment,
			   struct expt_error *err)
{
	char reason[256];
	int rc = regcomp(&selection->comment, comment,
			 REG_EXTENDED | REG_NOSUB | REG_NEWLINE);

	if (rc == 0) {
		selection->criteria.comment = comment;
		return 0;
	}
	regerror(rc, &selection->comment, reason, sizeof reason);
	return expt_fail(err, -EINVAL, "'%s' is no regular expression: %s", comment,
			 reason);
}

int expt_selection_open(struct expt_selection **out, const struct expt_criteria *criteria,
			struct expt_error *err)
{
	cleanup(selection_closep) struct expt_selection *selection =
		calloc(1, sizeof *selection);
	struct timespec now;
	int rc = 0;

	if (!selection)
		return expt_fail(err, -ENOMEM, "cannot select experiments");
	selection->criteria = *criteria;
	selection->criteria.comment = NULL;
	clock_gettime(CLOCK_REALTIME, &now);
	selection->now = criteria->now ? criteria->now : now.tv_sec;
	if (criteria->comment)
		rc = compile_comment(selection, criteria->comment, err);
	if (rc < 0)
		return rc;
	*out = steal(&selection);
	return 0;
}

/* ---- adding ---------------------------------------------------------------------------- */

static struct select_root *find_root(const struct expt_selection *selection,
				     const struct stat *status)
{
	for (size_t i = 0; i < selection->roots.count; i++) {
		struct select_root *root = selection->roots.items[i];

		if (root->identity.inode == status->st_ino &&
		    root->identity.device == status->st_dev)
			return root;
	}
	return NULL;
}

static struct select_root *new_root(struct expt_selection *selection, const char *path,
				    const struct stat *status)
{
	struct select_root *root = calloc(1, sizeof *root), **slot;

	if (!root)
		return NULL;
	root->dir = -1;
	root->identity.device = status->st_dev;
	root->identity.inode = status->st_ino;
	root->path = strndup(path, path_length(path));
	slot = root->path ? array_add(&selection->roots) : NULL;
	if (!slot) {
		close_root(root);
		return NULL;
	}
	return *slot = root;
}

/* The root for a directory, which it takes over; one directory may have several names. */
static int take_root(struct select_root **out, struct expt_selection *selection, int *dir,
		     const char *path, struct expt_error *err)
{
	struct stat status;

	if (fstat(*dir, &status) < 0)
		return expt_fail(err, -errno, "cannot look at '%s'", path);
	*out = find_root(selection, &status);
	if (*out)
		return 0;
	*out = new_root(selection, path, &status);
	if (!*out)
		return expt_fail(err, -ENOMEM, "cannot select '%s'", path);
	(*out)->dir = steal_fd(dir);
	return 0;
}

static int add_candidate(struct expt_selection *selection, struct select_root *root,
			 const char *directory, const char *name, const char *path)
{
	struct select_candidate *candidate = array_add(&selection->candidates);

	if (!candidate)
		return -ENOMEM;
	candidate->root = root;
	candidate->directory = directory;
	candidate->name = arena_text(&selection->found.strings, name, strlen(name));
	candidate->facts.path = arena_text(&selection->found.strings, path, strlen(path));
	if (candidate->name && candidate->facts.path)
		return 0;
	selection->candidates.count--;
	return -ENOMEM;
}

int expt_selection_add(struct expt_selection *selection, const char *path,
		       struct expt_error *err)
{
	cleanup_fd int parent = -1;
	struct select_root *root;
	struct stat status;
	char name[256];
	int rc = stage_split(&parent, name, path, err);

	if (rc < 0)
		return rc;
	if (fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
		return expt_fail(err, -errno, "cannot look at '%s'", path);
	rc = take_root(&root, selection, &parent, path, err);
	if (rc < 0)
		return rc;
	if (add_candidate(selection, root, "", name, path) < 0)
		return expt_fail(err, -ENOMEM, "cannot select '%s'", path);
	selection->candidates.items[selection->candidates.count - 1].facts.is_named = true;
	return 0;
}

int expt_selection_add_directory(struct expt_selection *selection, const char *path,
				 struct expt_error *err)
{
	cleanup_free char *name = strndup(path, path_length(path));
	cleanup_fd int dir = -1;
	struct select_root *root;
	int rc;

	if (!name)
		return expt_fail(err, -ENOMEM, "cannot select '%s'", path);
	dir = open(name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (dir < 0)
		return expt_fail(err, -errno, "cannot look into '%s'", path);
	if (expt_directory_is_inside(dir))
		return expt_fail(err, -EINVAL, "'%s' is in an experiment", path);
	rc = take_root(&root, selection, &dir, path, err);
	if (rc < 0)
		return rc;
	if (!root->is_searched) { /* it may have been around a named one */
		free(root->path);
		root->path = steal(&name);
	}
	root->is_searched = true;
	return 0;
}

/* ---- locks ------------------------------------------------------------------------------ */

/* In one order for all, so that nobody waits in a circle. */
static int compare_roots(const void *a, const void *b)
{
	const struct remove_identity *x = &(*(struct select_root *const *)a)->identity;
	const struct remove_identity *y = &(*(struct select_root *const *)b)->identity;

	if (x->device != y->device)
		return x->device < y->device ? -1 : 1;
	return (x->inode > y->inode) - (x->inode < y->inode);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return timespec_ns(&now);
}

static int lock_root(struct select_root *root, uint64_t until_ns, struct expt_error *err)
{
	static const struct timespec wait = { .tv_nsec = LOCK_WAIT_MS * 1000000L };

	while (flock(root->dir, LOCK_EX | LOCK_NB) < 0) {
		if (errno == EINTR)
			continue;
		if (errno != EWOULDBLOCK)
			return 0; /* no locks here */
		if (now_ns() >= until_ns)
			return expt_fail(err, -EBUSY,
					 "'%s' is locked: somebody else is cleaning it",
					 root->path);
		nanosleep(&wait, NULL);
	}
	return 0;
}

int expt_selection_lock(struct expt_selection *selection, unsigned wait_s,
			struct expt_error *err)
{
	uint64_t until_ns = now_ns() + wait_s * NS_PER_SECOND;
	int rc = 0;

	if (selection->roots.count)
		qsort(selection->roots.items, selection->roots.count,
		      sizeof *selection->roots.items, compare_roots);
	for (size_t i = 0; i < selection->roots.count && rc == 0; i++)
		rc = lock_root(selection->roots.items[i], until_ns, err);
	return rc;
}

/* Nothing that was found has to be an experiment; what was named has. */
static int add_problem(struct expt_selection *selection,
		       const struct select_candidate *candidate, int code,
		       const struct expt_error *err)
{
	bool is_failure = candidate->facts.is_named || code != -EBADMSG;

	if (code == -ENOMEM)
		return code;
	return find_add_problem(&selection->found, is_failure, err->message);
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
		qsort(items, selection->candidates.count, sizeof *items,
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
		if (rc < 0)
			return expt_fail(err, rc, "cannot select experiments");
		if (rc > 0)
			items[count++] = items[i];
	}
	selection->candidates.count = count;
	drop_repeated(selection);
	return 0;
}

/* ---- choosing ------------------------------------------------------------------------------- */

/* Of STEM.N.er and STEM.er: the length of STEM. */
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

static int compare_stems(const struct select_candidate *x, const struct select_candidate *y)
{
	size_t a = stem_length(x->name), b = stem_length(y->name);
	int order = memcmp(x->name, y->name, a < b ? a : b);

	if (x->parent.device != y->parent.device)
		return x->parent.device < y->parent.device ? -1 : 1;
	if (x->parent.inode != y->parent.inode)
		return x->parent.inode < y->parent.inode ? -1 : 1;
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
	qsort(items, selection->candidates.count, sizeof *items, compare_within_stems);
	for (size_t i = 0; i < selection->candidates.count; i++) {
		if (i == 0 || compare_stems(&items[i], &items[i - 1]) != 0)
			kept = 0;
		items[i].stays = kept++ < selection->criteria.keep;
	}
}

/* ---- finding ------------------------------------------------------------------------------ */

static int add_leftover(struct expt_selection *selection, struct select_root *root,
			const struct find_entry *entry)
{
	struct select_leftover *leftover = array_add(&selection->leftovers);

	if (!leftover)
		return -ENOMEM;
	*leftover = (struct select_leftover){ root, entry->directory, entry->name };
	return 0;
}

static int add_found(struct expt_selection *selection, struct select_root *root,
		     const struct find_entry *entry)
{
	const char *slash = strcmp(root->path, "/") == 0 ? "" : "/";
	cleanup_free char *path = NULL;

	if (entry->is_hidden)
		return add_leftover(selection, root, entry);
	if (asprintf(&path, "%s%s%s%s%s", root->path, slash, entry->directory,
		     *entry->directory ? "/" : "", entry->name) < 0)
		return -ENOMEM;
	return add_candidate(selection, root, entry->directory, entry->name, path);
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

int expt_selection_read(struct expt_selection *selection, struct expt_error *err)
{
	int rc = find_all(selection, err);

	if (rc == 0)
		rc = examine_all(selection, err);
	if (rc < 0)
		return rc;
	if (selection->candidates.count == 0)
		return 0;
	keep_newest(selection);
	qsort(selection->candidates.items, selection->candidates.count,
	      sizeof *selection->candidates.items, compare_ages);
	for (size_t i = 0; i < selection->candidates.count; i++)
		selection->total += selection->candidates.items[i].facts.bytes;
	return 0;
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

size_t expt_selection_clean(struct expt_selection *selection)
{
	size_t cleaned = 0;

	for (size_t i = 0; i < selection->leftovers.count; i++) {
		const struct select_leftover *leftover = &selection->leftovers.items[i];
		cleanup_fd int parent =
			select_open_parent(leftover->root, leftover->directory);

		if (parent >= 0)
			cleaned += (size_t)stage_clean_hidden(parent, leftover->name);
	}
	selection->leftovers.count = 0;
	return cleaned;
}

/* ---- limits ------------------------------------------------------------------------------- */

static uint64_t free_space(const struct select_root *root)
{
	struct statvfs status;

	if (fstatvfs(root->dir, &status) < 0)
		return UINT64_MAX; /* unknown: no reason to remove anything */
	return (uint64_t)status.f_bavail * status.f_frsize;
}

/* NULL: out of memory. */
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

/* Some file systems show what was freed much later, or never, where snapshots hold it; others free
 * things meanwhile. Whatever says that it is enough is believed: the next run can remove more. */
static bool lacks_space(struct expt_selection *selection,
			const struct select_candidate *candidate)
{
	const struct select_file_system *file_system = file_system_of(selection, candidate);

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
	return (criteria->has_max_total && selection->total > criteria->max_total) ||
	       (criteria->has_min_free && lacks_space(selection, candidate));
}

static void count_as_gone(struct expt_selection *selection,
			  const struct select_candidate *candidate)
{
	struct select_file_system *file_system = file_system_of(selection, candidate);
	uint64_t bytes = candidate->facts.bytes;

	selection->total -= bytes;
	if (file_system &&
	    __builtin_add_overflow(file_system->foretold, bytes, &file_system->foretold))
		file_system->foretold = UINT64_MAX;
}

/* ---- removing ------------------------------------------------------------------------------- */

size_t expt_selection_count(const struct expt_selection *selection)
{
	size_t count = 0;

	for (size_t i = selection->next; i < selection->candidates.count; i++)
		count += !selection->candidates.items[i].stays;
	return count;
}

bool expt_selection_next(struct expt_selection *selection, struct expt_selected *out)
{
	while (selection->next < selection->candidates.count) {
		struct select_candidate *candidate =
			&selection->candidates.items[selection->next++];

		if (!is_to_go(selection, candidate))
			continue;
		selection->current = candidate;
		*out = candidate->facts;
		return true;
	}
	return false;
}

static int remove_candidate(const struct select_candidate *candidate,
			    const struct expt_remove_options *options,
			    struct expt_error *err)
{
	cleanup_fd int parent = select_open_parent(candidate->root, candidate->directory);
	const char *path = candidate->facts.path;

	if (parent < 0)
		return expt_fail(err, select_is_gone(parent) ? -ENOENT : parent,
				 "cannot open '%s'", path);
	if (candidate->may_be_starting && !options->force)
		return expt_fail(err, -EBUSY,
				 "'%s' may still be recorded: it has no end, and is new",
				 path);
	return remove_at(parent, candidate->name, path, &candidate->identity, options, err);
}

int expt_selection_remove(struct expt_selection *selection,
			  const struct expt_remove_options *options, struct expt_error *err)
{
	int rc = remove_candidate(selection->current, options, err);

	if (rc == 0 || rc == -ENOENT)
		count_as_gone(selection, selection->current);
	return rc;
}
