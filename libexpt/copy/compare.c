/* SPDX-License-Identifier: Apache-2.0 */
/* Compares two trees. Everything that needs no reading comes first: most trees differ
 * there. */
#include "libexpt/copy/compare.h"

#include <stdlib.h>
#include <string.h>

#include "libexpt/archives/store.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/common/error.h"
#include "libexpt/tree/tree.h"

#define BUFFER_SIZE (256 * 1024)

/* One file system may keep coarser times than the other. */
static bool is_same_time(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec &&
	       (a->tv_nsec == b->tv_nsec || a->tv_nsec == 0 || b->tv_nsec == 0);
}

/* A copy in another place may have another path to the same file of a store. */
static bool is_same_target(const char *a, const char *b)
{
	return strcmp(a, b) == 0 || (store_is_target(a) && store_is_target(b) &&
				     strcmp(strrchr(a, '/'), strrchr(b, '/')) == 0);
}

static bool is_same_entry(const struct tree_entry *a, const struct tree_entry *b)
{
	return strcmp(a->name, b->name) == 0 && a->type == b->type &&
	       a->mode == b->mode && a->size == b->size &&
	       (a->type == DT_LNK ? is_same_target(a->target, b->target)
				  : is_same_time(&a->mtime, &b->mtime));
}

bool tree_has_same_entries(const struct tree *a, const struct tree *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (!is_same_entry(&a->items[i], &b->items[i]))
			return false;
	return true;
}

static int have_same_bytes(int a, int b, char *buffer)
{
	for (off_t offset = 0;; offset += BUFFER_SIZE) {
		ssize_t got = io_pread_full(a, buffer, BUFFER_SIZE, offset);
		ssize_t other =
			io_pread_full(b, buffer + BUFFER_SIZE, BUFFER_SIZE, offset);

		if (got < 0 || other < 0)
			return got < 0 ? (int)got : (int)other;
		if (got != other ||
		    memcmp(buffer, buffer + BUFFER_SIZE, (size_t)got) != 0)
			return 0;
		if (got < BUFFER_SIZE)
			return 1;
	}
}

static int is_same_file(int a, int b, const char *name, char *buffer)
{
	cleanup_fd int one = io_open_regular(a, name), other = io_open_regular(b, name);

	if (one < 0 || other < 0)
		return one < 0 ? one : other;
	return have_same_bytes(one, other, buffer);
}

static int have_same_contents(int a, int b, const struct tree *tree,
			      struct expt_error *err)
{
	cleanup_free char *buffer = io_buffer(2 * BUFFER_SIZE);
	int rc = 1;

	if (!buffer)
		return expt_fail(err, -ENOMEM, "cannot compare the files");
	for (size_t i = 0; i < tree->count && rc > 0; i++) {
		if (tree->items[i].type != DT_REG)
			continue;
		rc = is_same_file(a, b, tree->items[i].name, buffer);
		if (rc < 0)
			return expt_fail(err, rc, "cannot compare '%s'",
					 tree->items[i].name);
	}
	return rc;
}

int tree_compare(int a, int b, struct expt_error *err)
{
	struct tree one = { 0 }, other = { 0 };
	int rc = tree_read(&one, a, NULL, err);

	if (rc == 0)
		rc = tree_read(&other, b, NULL, err);
	if (rc == 0 && tree_has_same_entries(&one, &other))
		rc = have_same_contents(a, b, &one, err);
	tree_release(&one);
	tree_release(&other);
	return rc;
}

int tree_check_unchanged(const struct tree *tree, int dir, struct expt_error *err)
{
	struct tree now = { 0 };
	int rc = tree_read(&now, dir, NULL, err);

	if (rc == 0 && !tree_has_same_entries(tree, &now))
		rc = expt_refuse(err, -EPERM, "it changed during the comparison");
	tree_release(&now);
	return rc;
}
