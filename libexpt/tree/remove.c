/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Removal needs no stat(): the kernel reports the type with each name. Directories of one
 * depth are shared among threads where the file system gains by that, the deepest first.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/time.h"
#include "libexpt/common/error.h"
#include "libexpt/common/workers.h"
#include "libexpt/tree/remove.h"

#define PASSES_MAX 100
/* Names removed between two checks of the time. */
#define NAMES_PER_LOOK 256

struct removal {
	struct directories *directories;
	uint64_t until_ns;	/* 0: no limit */
	size_t begin;		/* first directory at the current depth */
	atomic_size_t removed;	/* names */
	atomic_bool is_changed; /* unlisted files have appeared */
};

static int fail_to_remove(int code, const char *name, struct expt_error *err)
{
	return expt_fail(err, code, "cannot remove '%s'", name);
}

/* The owner can always make the directory writable; for others the result stays
 * -EACCES. */
static int unlink_name(int dir, const char *name, int flags)
{
	int rc = unlinkat(dir, name, flags) < 0 ? -errno : 0;

	if (rc == -EACCES && fchmod(dir, 0700) == 0)
		rc = unlinkat(dir, name, flags) < 0 ? -errno : 0;
	return rc;
}

static int remove_name(struct removal *removal, int dir, const char *name,
		       struct expt_error *err)
{
	int rc = unlink_name(dir, name, 0);

	if (rc == -ENOENT)
		return 0;
	if (rc == -EISDIR)
		atomic_store(&removal->is_changed, true);
	else if (rc < 0)
		return fail_to_remove(rc, name, err);
	atomic_fetch_add(&removal->removed, 1);
	return 0;
}

static int fail_to_keep_up(struct expt_error *err)
{
	return expt_refuse(err, -EBUSY,
			   "files are created in it faster than they can be removed");
}

static bool is_late(const struct removal *removal, size_t names)
{
	return removal->until_ns && names % NAMES_PER_LOOK == 0 &&
	       time_now_ns() >= removal->until_ns;
}

static int remove_names(struct removal *removal, const struct directory *directory,
			int dir, struct expt_error *err)
{
	struct directory_name name;
	size_t at = 0, count = 0;
	int rc = 0;

	if (!directory->is_complete)
		atomic_store(&removal->is_changed, true);
	while (rc == 0 && directories_next_name(directory, &at, &name)) {
		if (is_late(removal, count++))
			return fail_to_keep_up(err);
		if (name.type != DT_DIR)
			rc = remove_name(removal, dir, name.text, err);
	}
	return rc;
}

static int remove_directory(struct removal *removal, const struct directory *directory,
			    struct expt_error *err)
{
	cleanup_fd int opened = -1;
	int parent = directories_open(removal->directories, directory->parent, &opened);
	int rc = parent < 0 ? parent : unlink_name(parent, directory->base, AT_REMOVEDIR);

	if (rc == -ENOENT)
		return 0;
	if (rc == -ENOTEMPTY || rc == -EEXIST || rc == -ENOTDIR)
		atomic_store(&removal->is_changed, true);
	else if (rc < 0)
		return fail_to_remove(rc, directory->path, err);
	else
		atomic_fetch_add(&removal->removed, 1);
	return 0;
}

static int empty_directory(struct removal *removal, size_t i, struct expt_error *err)
{
	const struct directory *directory = &removal->directories->items[i];
	cleanup_fd int opened = -1;
	int dir = directories_open(removal->directories, i, &opened);

	if (dir == -ENOENT)
		return 0;
	return dir < 0 ? fail_to_remove(dir, directory->path, err)
		       : remove_names(removal, directory, dir, err);
}

/* Remove the nth directory at the current depth; for workers_run(). It is closed first:
 * file systems defer freeing an open directory until it is closed, which costs more. */
static int remove_nth(void *context, unsigned worker, size_t n, struct expt_error *err)
{
	struct removal *removal = context;
	size_t i = removal->begin + n;
	int rc = empty_directory(removal, i, err);

	(void)worker;
	if (rc < 0 || i == 0)
		return rc;
	directories_close(removal->directories, i);
	return remove_directory(removal, &removal->directories->items[i], err);
}

/* Two threads halve the time on ext4, but add half again on xfs and btrfs, where all
 * names share one tree or one log. */
static unsigned useful_threads(int dir)
{
	struct statfs system;

	return fstatfs(dir, &system) == 0 && system.f_type == EXT4_SUPER_MAGIC
		       ? workers_count(0)
		       : 1;
}

static size_t find_level(const struct directories *directories, size_t end)
{
	size_t begin = end - 1;

	while (begin > 0 &&
	       directories->items[begin - 1].depth == directories->items[begin].depth)
		begin--;
	return begin;
}

int tree_unlink_listed(struct directories *directories, uint64_t until_ns,
		       struct expt_error *err)
{
	struct removal removal = { .directories = directories, .until_ns = until_ns };
	unsigned threads = useful_threads(directories->items[0].fd);
	int rc = 0;

	for (size_t end = directories->count; end > 0 && rc == 0; end = removal.begin) {
		removal.begin = find_level(directories, end);
		rc = workers_run(workers_for(threads, end - removal.begin),
				 end - removal.begin, remove_nth, &removal, err);
	}
	if (rc < 0)
		return rc;
	if (atomic_load(&removal.is_changed) && atomic_load(&removal.removed) == 0)
		return expt_fail(err, -ENOTEMPTY, "cannot remove all of a directory");
	return atomic_load(&removal.is_changed);
}

/* ---- passes ---- */

void tree_passes_begin(struct tree_passes *passes, struct tree_patience *patience)
{
	*passes = (struct tree_passes){ .patience = patience, .own = TREE_PATIENCE_INIT };
	if (!patience)
		passes->patience = &passes->own;
}

/* The first pass removes what was there and has no time limit. Later passes are needed
 * only because others added files. */
int tree_passes_next(struct tree_passes *passes, struct expt_error *err)
{
	tree_passes_end(passes);
	if (passes->count > 0 &&
	    (passes->count == PASSES_MAX || passes->patience->left_ns == 0))
		return fail_to_keep_up(err);
	passes->begun_ns = time_now_ns();
	if (passes->count++ > 0)
		passes->until_ns = passes->begun_ns + passes->patience->left_ns;
	return 0;
}

void tree_passes_end(struct tree_passes *passes)
{
	uint64_t now_ns = time_now_ns();

	if (passes->until_ns)
		passes->patience->left_ns =
			now_ns < passes->until_ns ? passes->until_ns - now_ns : 0;
	passes->until_ns = 0;
}

/* Returns 1 if there was something to remove, and there may be more. */
static int unlink_once(int dir, uint64_t until_ns, struct expt_error *err)
{
	const struct directories_reading reading = {
		.keeps = true,
		.is_removal = true,
		.threads = workers_count(0),
	};
	struct directories directories;
	int rc = directories_read(&directories, dir, &reading, err);

	if (rc == 0 && !directories.items[0].is_empty) {
		rc = tree_unlink_listed(&directories, until_ns, err);
		rc = rc < 0 ? rc : 1;
	}
	directories_release(&directories);
	return rc;
}

int tree_unlink(int dir, struct tree_patience *patience, struct expt_error *err)
{
	struct tree_passes passes;
	int rc;

	tree_passes_begin(&passes, patience);
	do {
		rc = tree_passes_next(&passes, err);
		if (rc == 0 && lseek(dir, 0, SEEK_SET) < 0)
			rc = expt_fail(err, -errno, "cannot read the directory");
		if (rc == 0)
			rc = unlink_once(dir, passes.until_ns, err);
	} while (rc > 0);
	tree_passes_end(&passes);
	return rc;
}

/* ---- checks before a removal ---- */

int tree_may_unlink(int dir, uid_t owner)
{
	uid_t user = geteuid();
	struct stat status;

	if (!io_is_root() && fstat(dir, &status) == 0 && status.st_mode & S_ISVTX &&
	    status.st_uid != user && owner != user)
		return -EACCES;
	return io_may_change(dir);
}

/* Check that the contents may be removed. Our own directories can be made accessible.
 * Empty ones are not checked: removing them needs only permission on the parent. */
static bool may_empty(int dir)
{
	struct stat status;

	return fstat(dir, &status) < 0 || status.st_uid == geteuid() ||
	       (!(status.st_mode & S_ISVTX) &&
		faccessat(dir, ".", W_OK | X_OK, AT_EACCESS) == 0);
}

/* The experiment's own path is empty; the caller names it. */
static int fail_foreign(const char *path, struct expt_error *err)
{
	if (!*path)
		return expt_refuse(err, -EPERM, "the directory belongs to another user");
	return expt_refuse(err, -EPERM, "directory '%s' belongs to another user", path);
}

int tree_check_unlink(const struct directories *directories, struct expt_error *err)
{
	size_t count = io_is_root() ? 0 : directories->count;

	for (size_t i = 0; i < count; i++) {
		const struct directory *directory = &directories->items[i];
		cleanup_fd int opened = -1;
		int dir = directory->is_empty ? -1
					      : directories_open(directories, i, &opened);

		/* A directory that cannot be opened is ours: others' were opened when it
		 * was read. */
		if (dir >= 0 && !may_empty(dir))
			return fail_foreign(directory->path, err);
	}
	return 0;
}
