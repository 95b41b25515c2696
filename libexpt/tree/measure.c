/* SPDX-License-Identifier: Apache-2.0 */
/* Measuring the size of a tree and the time of its last change, without keeping a list of
 * it. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/entries.h"
#include "libexpt/base/io.h"
#include "libexpt/common/error.h"
#include "libexpt/tree/directories.h"
#include "libexpt/tree/measure.h"

static bool is_later(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

struct measuring {
	struct tree_measure *measure;
	struct tree_links *links;
	uid_t owner;
};

/* Returns the number of the last tree in which the file was met, or IDMAP_NONE, and notes
 * that it was met in this one. */
static uint32_t meet(const struct measuring *measuring, const struct stat *status)
{
	struct {
		uint64_t owner, device, inode;
	} file = { measuring->owner, status->st_dev, status->st_ino };
	uint32_t *slot = idmap_add(&measuring->links->trees,
				   idmap_key(IDMAP_KEY, &file, sizeof(file)));
	uint32_t last = slot ? *slot : IDMAP_NONE;

	if (slot)
		*slot = measuring->links->count;
	return last;
}

/* Count the bytes of a file with several links once in a tree, and once in all trees of
 * the owner. */
static void add_bytes(const struct measuring *measuring, const struct stat *status)
{
	uint64_t bytes = (uint64_t)status->st_blocks * 512;
	bool has_links = !S_ISDIR(status->st_mode) && status->st_nlink > 1;
	uint32_t last = has_links ? meet(measuring, status) : IDMAP_NONE;

	if (last != measuring->links->count)
		measuring->measure->allocated += bytes;
	if (last == IDMAP_NONE)
		measuring->measure->added += bytes;
}

static void count(const struct measuring *measuring, const struct stat *status)
{
	struct tree_measure *measure = measuring->measure;

	add_bytes(measuring, status);
	if (S_ISDIR(status->st_mode))
		return;
	if (measure->files++ == 0 || is_later(&status->st_mtim, &measure->newest))
		measure->newest = status->st_mtim;
}

static int measure_directory(const struct measuring *measuring, int dir, int depth,
			     struct expt_error *err);

static int measure_entry(const struct measuring *measuring, int dir, const char *name,
			 int depth, struct expt_error *err)
{
	cleanup_fd int below = -1;
	struct stat status;

	if (fstatat(dir, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT
			       ? 0
			       : expt_fail(err, -errno, "cannot access '%s'", name);
	count(measuring, &status);
	if (!S_ISDIR(status.st_mode))
		return 0;
	if (depth > TREE_DEPTH_MAX)
		return expt_fail(err, -ELOOP, "cannot open directory '%s'", name);
	below = io_open_beneath(dir, name, O_RDONLY | O_DIRECTORY, 0);
	if (below == -ENOENT)
		return 0;
	if (below < 0)
		return expt_fail(err, below, "cannot open directory '%s'", name);
	return measure_directory(measuring, below, depth + 1, err);
}

static int measure_directory(const struct measuring *measuring, int dir, int depth,
			     struct expt_error *err)
{
	cleanup_entries struct entries entries = entries_of(dir);
	const struct dirent64 *entry;

	while ((entry = entries_next(&entries))) {
		int rc = measure_entry(measuring, dir, entry->d_name, depth, err);

		if (rc < 0)
			return rc;
	}
	return entries.code < 0 ? expt_fail(err, entries.code, "cannot list a directory")
				: 0;
}

int tree_measure(struct tree_measure *measure, int dir, struct tree_links *links,
		 uid_t owner, struct expt_error *err)
{
	const struct measuring measuring = { measure, links, owner };
	struct stat status;
	int rc;

	*measure = (struct tree_measure){ 0 };
	links->count++;
	if (fstat(dir, &status) < 0 || lseek(dir, 0, SEEK_SET) < 0)
		return expt_fail(err, -errno, "cannot access the directory");
	count(&measuring, &status);
	rc = measure_directory(&measuring, dir, 0, err);
	if (measure->files == 0)
		measure->newest = status.st_mtim;
	return rc;
}

void tree_links_release(struct tree_links *links)
{
	idmap_release(&links->trees);
}
