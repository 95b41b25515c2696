/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Removal needs no list and no stat: the kernel says with each name what it is. The directories directly
 * in the one that is emptied are left to several threads where the file system gains by that.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "libexpt/base/arena.h"
#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/error.h"
#include "libexpt/tree.h"
#include "libexpt/workers.h"

/* Directories for several threads. */
struct directories {
	const char **items;
	size_t count, capacity;
	struct arena strings;
};

/* What one thread works with: one buffer for each level that is being read. */
struct removal {
	char *buffers[TREE_DEPTH_MAX + 1];
	struct directories *later; /* where not NULL: note directories, do not enter them */
	struct expt_error *err;
};

static int empty_directory(struct removal *removal, int dir, int depth);

/* As the owner we may always make our directory writable; others' answer stays EACCES. */
static int allow_removal(int dir, const char *name)
{
	return fchmodat(dir, name, 0700, AT_SYMLINK_NOFOLLOW) < 0 ? -EACCES : 0;
}

/* What is mounted here, maybe since it was looked at, is somebody else's: -EXDEV. */
static int open_directory(int dir, const char *name)
{
	int fd = io_open_unmounted(dir, name, O_RDONLY | O_DIRECTORY);

	if (fd == -EACCES && allow_removal(dir, name) == 0)
		fd = io_open_unmounted(dir, name, O_RDONLY | O_DIRECTORY);
	return fd;
}

static int fail_to_remove(struct removal *removal, int code, const char *name)
{
	return expt_fail(removal->err, code, "cannot remove '%s'", name);
}

static int remove_directory(struct removal *removal, int dir, const char *name, int depth)
{
	cleanup_fd int fd = -1;
	int rc;

	if (depth > TREE_DEPTH_MAX)
		return fail_to_remove(removal, -ELOOP, name);
	fd = open_directory(dir, name);
	if (fd == -ENOENT)
		return 0;
	if (fd < 0)
		return fail_to_remove(removal, fd, name);
	do {
		rc = empty_directory(removal, fd, depth);
		if (rc < 0)
			return rc;
		if (unlinkat(dir, name, AT_REMOVEDIR) == 0 || errno == ENOENT)
			return 0;
		if (errno == EACCES && fchmod(dir, 0700) == 0 &&
		    unlinkat(dir, name, AT_REMOVEDIR) == 0)
			return 0;
		/* The kernel may stop listing early while names disappear under it. */
	} while (errno == ENOTEMPTY && rc > 0 && lseek(fd, 0, SEEK_SET) == 0);
	return fail_to_remove(removal, -errno, name);
}

/* Without the right to write in dir: get it, once. */
static int unlink_again(int dir, const char *name)
{
	if (fchmod(dir, 0700) < 0)
		return -EACCES;
	return unlinkat(dir, name, 0) < 0 ? -errno : 0;
}

static int note_directory(struct removal *removal, const char *name)
{
	struct directories *later = removal->later;
	const char **slot = array_add(later);

	if (slot)
		*slot = arena_text(&later->strings, name, strlen(name));
	return slot && *slot ? 0 : fail_to_remove(removal, -ENOMEM, name);
}

static int remove_entry(struct removal *removal, int dir, const struct dirent64 *entry,
			int depth)
{
	int rc = 0;

	if (entry->d_type == DT_DIR && removal->later)
		return note_directory(removal, entry->d_name);
	if (entry->d_type == DT_DIR)
		return remove_directory(removal, dir, entry->d_name, depth + 1);
	if (unlinkat(dir, entry->d_name, 0) < 0)
		rc = -errno;
	if (rc == -EISDIR) /* a file system that does not say what names are */
		return remove_directory(removal, dir, entry->d_name, depth + 1);
	if (rc == -EACCES)
		rc = unlink_again(dir, entry->d_name);
	if (rc < 0 && rc != -ENOENT)
		return fail_to_remove(removal, rc, entry->d_name);
	return 0;
}

/* How many names it met and removed. */
static int empty_directory(struct removal *removal, int dir, int depth)
{
	char *buffer = removal->buffers[depth];
	int removed = 0;
	ssize_t got;

	if (!buffer)
		buffer = removal->buffers[depth] = malloc(IO_ENTRIES_SIZE);
	if (!buffer)
		return expt_fail(removal->err, -ENOMEM, "cannot list a directory");
	do {
		got = getdents64(dir, buffer, IO_ENTRIES_SIZE);
		if (got < 0)
			return expt_fail(removal->err, -errno, "cannot read a directory");
		for (ssize_t at = 0; at < got; at += io_entry(buffer, at)->d_reclen) {
			const struct dirent64 *entry = io_entry(buffer, at);
			int rc;

			if (io_is_dots(entry->d_name))
				continue;
			rc = remove_entry(removal, dir, entry, depth);
			if (rc < 0)
				return rc;
			removed++;
		}
		/* A buffer with room left was the last: if not, rmdir will say so. */
	} while (got > IO_ENTRIES_SIZE / 2);
	return removed;
}

static void release_buffers(struct removal *removal)
{
	for (size_t i = 0; i < sizeof removal->buffers / sizeof *removal->buffers; i++)
		free(removal->buffers[i]);
}

/* ---- several threads ---- */

/* Two threads take half the time on ext4, but half as much again on xfs and btrfs: there all names go
 * through one tree, or one log. */
static unsigned useful_threads(int dir)
{
	struct statfs system;

	return fstatfs(dir, &system) == 0 && system.f_type == EXT4_SUPER_MAGIC
		       ? workers_count(0)
		       : 1;
}

struct crew {
	int dir;
	const struct directories *directories;
	struct removal removals[WORKERS_MAX];
};

static int remove_nth(void *context, unsigned worker, size_t n, struct expt_error *err)
{
	struct crew *crew = context;
	struct removal *removal = &crew->removals[worker];

	removal->err = err;
	return remove_directory(removal, crew->dir, crew->directories->items[n], 1);
}

static int remove_directories(const struct directories *directories, int dir,
			      unsigned threads, struct expt_error *err)
{
	struct crew crew = { .dir = dir, .directories = directories };
	int rc = workers_run(workers_for(threads, directories->count), directories->count,
			     remove_nth, &crew, err);

	for (unsigned i = 0; i < threads; i++)
		release_buffers(&crew.removals[i]);
	return rc;
}

/* How many names it met and removed. */
static int empty_with_threads(int dir, unsigned threads, struct expt_error *err)
{
	struct directories directories = { .items = NULL };
	struct removal removal = { .err = err, .later = threads > 1 ? &directories : NULL };
	int removed = empty_directory(&removal, dir, 0), rc = 0;

	if (removed >= 0)
		rc = remove_directories(&directories, dir, threads, err);
	release_buffers(&removal);
	array_release(&directories);
	arena_release(&directories.strings);
	return rc < 0 ? rc : removed;
}

int tree_unlink(int dir, struct expt_error *err)
{
	unsigned threads = useful_threads(dir);
	int rc;

	do {
		if (lseek(dir, 0, SEEK_SET) < 0)
			rc = expt_fail(err, -errno, "cannot read the directory");
		else
			rc = empty_with_threads(dir, threads, err);
	} while (rc > 0);
	return rc;
}

/* ---- before that ---- */

int tree_may_unlink(int dir, uid_t owner)
{
	uid_t user = geteuid();
	struct stat status;

	if (user != 0 && fstat(dir, &status) == 0 && status.st_mode & S_ISVTX &&
	    status.st_uid != user && owner != user)
		return -EACCES;
	return io_may_change(dir);
}

/* One of ours lets us do anything, if not now; an empty one goes by the right to the one around it. */
static bool may_empty(int dir)
{
	struct stat status;

	return fstat(dir, &status) < 0 || status.st_uid == geteuid() ||
	       (!(status.st_mode & S_ISVTX) &&
		faccessat(dir, ".", W_OK | X_OK, AT_EACCESS) == 0);
}

static int check_directory(int dir, const char *name, int depth, struct expt_error *err);

static int check_below(int parent, const char *name, int depth, struct expt_error *err)
{
	cleanup_fd int dir =
		openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	/* Ours, if it cannot be opened: others' were opened when it was looked at. */
	return dir < 0 || depth > TREE_DEPTH_MAX ? 0
						 : check_directory(dir, name, depth, err);
}

static int check_directory(int dir, const char *name, int depth, struct expt_error *err)
{
	cleanup_dir DIR *entries = io_list(dir);
	bool is_free = may_empty(dir);
	const struct dirent *entry;
	int rc = 0;

	while (rc == 0 && entries && (entry = readdir(entries))) {
		if (io_is_dots(entry->d_name))
			continue;
		if (!is_free)
			return expt_fail(err, -EPERM, "'%s' is somebody else's directory",
					 name);
		if (io_is_directory(dir, entry->d_name, entry->d_type))
			rc = check_below(dir, entry->d_name, depth + 1, err);
	}
	return rc;
}

int tree_check_unlink(int dir, struct expt_error *err)
{
	return geteuid() == 0 ? 0 : check_directory(dir, ".", 0, err);
}
