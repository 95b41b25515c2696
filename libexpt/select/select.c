/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Selects experiments to remove. Everything is examined below the descriptors of the
 * directories that were named, and removed there only if it is still the same: users
 * who may write below them cannot lead a cleaner elsewhere. Two cleaners of one user
 * exclude each other by a lock in those directories. If that does not work, or the
 * directories overlap, experiments that one of them removes are simply gone for the
 * other.
 */
#include "libexpt/select/private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/path.h"
#include "libexpt/base/time.h"
#include "libexpt/common/error.h"
#include "libexpt/expression/pattern.h"
#include "libexpt/layout/hidden.h"
#include "libexpt/manage/operand.h"

#define LOCK_WAIT_MS 50

/* ---- opening and closing ---- */

static void selection_closep(struct expt_selection **selection)
{
	expt_selection_close(*selection);
}

static void close_root(struct select_root *root)
{
	lock_release(&root->lock);
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
	array_release(&selection->owners);
	tree_links_release(&selection->links);
	find_release(&selection->found);
	if (selection->criteria.comment)
		regfree(&selection->comment);
	free(selection);
}

static int compile_comment(struct expt_selection *selection, const char *comment,
			   struct expt_error *err)
{
	int rc = pattern_compile(&selection->comment, comment, REG_NOSUB | REG_NEWLINE,
				 err);

	if (rc == 0)
		selection->criteria.comment = comment;
	return rc;
}

int expt_selection_open(struct expt_selection **out, const struct expt_criteria *criteria,
			struct expt_error *err)
{
	cleanup(selection_closep) struct expt_selection *selection =
		calloc(1, sizeof(*selection));
	struct timespec now;
	int rc = 0;

	if (!selection)
		return expt_fail(err, -ENOMEM, "cannot select experiments");
	selection->criteria = *criteria;
	selection->criteria.comment = NULL;
	selection->patience = (struct tree_patience)TREE_PATIENCE_INIT;
	clock_gettime(CLOCK_REALTIME, &now);
	selection->now = criteria->now ? criteria->now : now.tv_sec;
	if (criteria->comment)
		rc = compile_comment(selection, criteria->comment, err);
	if (rc < 0)
		return rc;
	*out = steal(&selection);
	return 0;
}

/* ---- adding ---- */

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
	struct select_root *root = calloc(1, sizeof(*root)), **slot;

	if (!root)
		return NULL;
	root->dir = -1;
	root->lock = (struct lock)LOCK_INIT;
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

/* Find the root for a directory, which may have several names, or make one, which takes
 * over dir. */
static int take_root(struct select_root **out, struct expt_selection *selection, int *dir,
		     const char *path, struct expt_error *err)
{
	struct stat status;

	if (fstat(*dir, &status) < 0)
		return expt_fail(err, -errno, "cannot access '%s'", path);
	*out = find_root(selection, &status);
	if (*out)
		return 0;
	*out = new_root(selection, path, &status);
	if (!*out)
		return expt_fail(err, -ENOMEM, "cannot select '%s'", path);
	(*out)->dir = steal_fd(dir);
	return 0;
}

int select_add(struct expt_selection *selection, struct select_root *root,
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
		return expt_fail(err, -errno, "cannot access '%s'", path);
	rc = take_root(&root, selection, &parent, path, err);
	if (rc < 0)
		return rc;
	if (select_add(selection, root, "", name, path) < 0)
		return expt_fail(err, -ENOMEM, "cannot select '%s'", path);
	selection->candidates.items[selection->candidates.count - 1].facts.is_named =
		true;
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
		return expt_fail(err, -errno, "cannot open directory '%s'", path);
	if (expt_directory_is_inside(dir))
		return expt_refuse(err, -EINVAL, "'%s' is inside an experiment", path);
	rc = take_root(&root, selection, &dir, path, err);
	if (rc < 0)
		return rc;
	if (!root->is_searched) { /* until now, only for a named experiment */
		free(root->path);
		root->path = steal(&name);
	}
	root->is_searched = true;
	return 0;
}

/* ---- locks ---- */

/* All cleaners lock in one order, so that they do not deadlock. */
static int compare_roots(const void *a, const void *b)
{
	const struct remove_identity *x = &(*(struct select_root *const *)a)->identity;
	const struct remove_identity *y = &(*(struct select_root *const *)b)->identity;

	if (x->device != y->device)
		return x->device < y->device ? -1 : 1;
	return (x->inode > y->inode) - (x->inode < y->inode);
}

static int lock_root(struct select_root *root, uint64_t until_ns, struct expt_error *err)
{
	static const struct timespec wait = { .tv_nsec = LOCK_WAIT_MS * 1000000L };

	while (lock_take(&root->lock, root->dir) == -EWOULDBLOCK) {
		if (time_now_ns() >= until_ns)
			return expt_refuse(err, -EBUSY,
					   "'%s' is locked: another er_rm is cleaning it",
					   root->path);
		nanosleep(&wait, NULL);
	}
	return 0;
}

int expt_selection_lock(struct expt_selection *selection, unsigned wait_s,
			struct expt_error *err)
{
	uint64_t until_ns = time_now_ns() + wait_s * NS_PER_SECOND;
	int rc = 0;

	if (selection->roots.count)
		qsort(selection->roots.items, selection->roots.count,
		      sizeof(*selection->roots.items), compare_roots);
	for (size_t i = 0; i < selection->roots.count && rc == 0; i++)
		rc = lock_root(selection->roots.items[i], until_ns, err);
	return rc;
}
