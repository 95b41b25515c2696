/* SPDX-License-Identifier: Apache-2.0 */
/* The walk goes level by level, so that several threads can read the directories of one
 * depth. */
#include "libexpt/tree/directories.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/entries.h"
#include "libexpt/base/io.h"
#include "libexpt/base/path.h"
#include "libexpt/common/error.h"
#include "libexpt/common/workers.h"
#include "libexpt/format.h"

#define OPEN_MAX_KEPT  4096
#define NAMES_MAX_KEPT (8 << 20) /* bytes */

struct walk {
	struct directories *directories;
	const struct directories_reading *how;
	size_t begin; /* of the level */
	atomic_long open_left, names_left;
	char *buffers; /* one for each thread */
};

bool directories_is_being_recorded(const char *name)
{
	return name[0] == '.' && text_ends_with(name, RECORDER_PART_SUFFIX);
}

/* ---- opening ---- */

static int open_quietly(int dir, const char *path)
{
	int flags = O_RDONLY | O_DIRECTORY;
	int fd = io_open_unmounted(dir, path, flags | O_NOATIME);

	/* Only the owner may set O_NOATIME. Other readers update the access time, which
	 * takes as long as the reading itself on xfs and btrfs. */
	return fd == -EPERM ? io_open_unmounted(dir, path, flags) : fd;
}

/* Open relative to the parent if that is open. */
static int open_one(const struct directories *directories,
		    const struct directory *directory)
{
	const struct directory *parent = &directories->items[directory->parent];

	return parent->fd >= 0 ? open_quietly(parent->fd, directory->base)
			       : open_quietly(directories->items[0].fd, directory->path);
}

static int open_by_force(const struct walk *walk, const struct directory *directory)
{
	cleanup_fd int opened = -1;
	int parent = directories_open(walk->directories, directory->parent, &opened);

	return parent < 0 ? parent
			  : admit_open(walk->how->admissions, parent, directory->base);
}

static int open_anyhow(const struct walk *walk, const struct directory *directory)
{
	int fd = open_one(walk->directories, directory);

	return fd == -EACCES && (walk->how->is_removal || walk->how->admissions)
		       ? open_by_force(walk, directory)
		       : fd;
}

static bool has_identity(const struct directory *directory, int fd)
{
	struct stat status;

	return directory->inode == 0 ||
	       (fstat(fd, &status) == 0 && status.st_dev == directory->device &&
		status.st_ino == directory->inode);
}

int directories_open(const struct directories *directories, size_t i, int *opened)
{
	const struct directory *directory = &directories->items[i];

	if (directory->fd >= 0)
		return directory->fd;
	*opened = open_one(directories, directory);
	if (*opened < 0 || has_identity(directory, *opened))
		return *opened;
	close(steal_fd(opened));
	return -ENOENT;
}

/* ---- the names of one directory ---- */

/* Find the file's type, also on file systems that leave it out of the directory. */
static int find_type(struct directory_name *name, int fd, bool is_removal,
		     struct expt_error *err)
{
	struct stat status;

	if (name->type != DT_UNKNOWN)
		return 0;
	if (fstatat(fd, name->text, &status, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT && is_removal
			       ? 0
			       : expt_fail(err, -errno, "cannot access '%s'", name->text);
	name->type = IFTODT(status.st_mode);
	return 0;
}

/* A name is stored as two bytes, type and kind, and its text. */
static int add_name(struct directory_names *names, const struct directory_name *name)
{
	size_t size = strlen(name->text) + 1, wanted = names->length + 2 + size;

	if (wanted > names->capacity) {
		size_t capacity = wanted * 2 < 256 ? 256 : wanted * 2;
		char *bytes = realloc(names->bytes, capacity);

		if (!bytes)
			return -ENOMEM;
		names->bytes = bytes;
		names->capacity = capacity;
	}
	names->bytes[names->length] = (char)name->type;
	names->bytes[names->length + 1] = (char)name->kind;
	memcpy(names->bytes + names->length + 2, name->text, size);
	names->length = wanted;
	return 0;
}

bool directories_next_name(const struct directory *directory, size_t *at,
			   struct directory_name *name)
{
	const char *bytes = directory->names.bytes + *at;

	if (*at == directory->names.length)
		return false;
	name->type = (unsigned char)bytes[0];
	name->kind = (unsigned char)bytes[1];
	name->text = bytes + 2;
	*at += 2 + strlen(name->text) + 1;
	return true;
}

static bool is_kept(struct walk *walk, const struct directory_name *name)
{
	if (name->type == DT_DIR)
		return true;
	return walk->how->keeps &&
	       atomic_fetch_sub(&walk->names_left, (long)strlen(name->text) + 3) > 0;
}

static int read_name(struct walk *walk, struct directory *directory, int fd,
		     const struct dirent64 *entry, struct expt_error *err)
{
	struct directory_name name = { .type = entry->d_type, .text = entry->d_name };
	int rc = find_type(&name, fd, walk->how->is_removal, err);

	directory->is_empty = false;
	if (rc == 0 && walk->how->look)
		rc = walk->how->look(walk->how->context, directory, &name, err);
	if (rc < 0)
		return rc;
	name.kind = (unsigned char)rc;
	if (!is_kept(walk, &name))
		directory->is_complete = false;
	else if (add_name(&directory->names, &name) < 0)
		return expt_fail(err, -ENOMEM, "cannot list '%s'", directory->path);
	return 0;
}

static int read_names(struct walk *walk, struct directory *directory, int fd,
		      char *buffer, struct expt_error *err)
{
	struct entries entries = entries_into(buffer, fd);
	const struct dirent64 *entry;

	directory->is_empty = directory->is_complete = true;
	while ((entry = entries_next(&entries))) {
		int rc = read_name(walk, directory, fd, entry, err);

		if (rc < 0)
			return rc;
	}
	return entries.code < 0 ? expt_fail(err, entries.code, "cannot list '%s'",
					    *directory->path ? directory->path : ".")
				: 0;
}

/* ---- a level ---- */

static int fail_to_open(int code, const struct directory *directory,
			struct expt_error *err)
{
	if (code == -EXDEV)
		return expt_refuse(err, -EPERM, "'%s' is a mount point", directory->path);
	return expt_fail(err, code, "cannot open '%s'", directory->path);
}

/* Remember the inode: others may put another directory in its place before it is
 * reopened. */
static int note_identity(struct directory *directory, int fd)
{
	struct stat status;

	if (fstat(fd, &status) < 0)
		return -1;
	directory->device = status.st_dev;
	directory->inode = status.st_ino;
	return 0;
}

/* Read the nth directory of the level; for workers_run(). */
static int read_directory(void *context, unsigned worker, size_t n,
			  struct expt_error *err)
{
	struct walk *walk = context;
	struct directory *directory = &walk->directories->items[walk->begin + n];
	char *buffer = walk->buffers + (size_t)worker * ENTRIES_SIZE;
	cleanup_fd int fd = -1;

	if (directory->depth == 0)
		return read_names(walk, directory, directory->fd, buffer, err);
	fd = open_anyhow(walk, directory);
	if (fd == -ENOENT &&
	    (walk->how->is_removal || directories_is_being_recorded(directory->base)))
		return 0;
	if (fd < 0)
		return fail_to_open(fd, directory, err);
	if (atomic_fetch_sub(&walk->open_left, 1) > 0)
		directory->fd = fd;
	else if (walk->how->keeps && note_identity(directory, fd) < 0)
		return fail_to_open(-errno, directory, err);
	return read_names(walk, directory, directory->fd < 0 ? fd : steal_fd(&fd), buffer,
			  err);
}

static int add_directory(struct directories *directories, size_t parent,
			 const struct directory_name *name)
{
	const char *path = arena_path(&directories->strings,
				      directories->items[parent].path, name->text);
	struct directory *new = path ? array_add(directories) : NULL;

	if (!new)
		return -ENOMEM;
	new->path = path;
	new->base = path + strlen(path) - strlen(name->text);
	new->parent = parent;
	new->depth = directories->items[parent].depth + 1;
	new->kind = name->kind;
	new->fd = -1;
	return 0;
}

static int add_directories_in(struct directories *directories, size_t parent)
{
	struct directory_name name;
	size_t at = 0;

	/* Look up the parent each time: add_directory() may move items. */
	while (directories_next_name(&directories->items[parent], &at, &name))
		if (name.type == DT_DIR && add_directory(directories, parent, &name) < 0)
			return -ENOMEM;
	return 0;
}

static int read_level(struct walk *walk, size_t end, struct expt_error *err)
{
	struct directories *directories = walk->directories;
	size_t count = end - walk->begin;
	int rc;

	if (directories->items[walk->begin].depth > TREE_DEPTH_MAX)
		return expt_fail(err, -ELOOP, "cannot open directory '%s'",
				 directories->items[walk->begin].base);
	if (atomic_load(&walk->open_left) > 0)
		io_expect_descriptors(directories->items[0].fd,
				      count < OPEN_MAX_KEPT ? count : OPEN_MAX_KEPT);
	rc = workers_run(workers_for(walk->how->threads, count), count, read_directory,
			 walk, err);
	for (size_t i = walk->begin; i < end && rc == 0; i++)
		if (add_directories_in(directories, i) < 0)
			rc = expt_fail(err, -ENOMEM, "cannot list the directories");
	return rc;
}

/* Use only part of the process's limit: other code needs descriptors, and two trees may
 * be open at the same time. */
static long open_limit(const struct directories_reading *how)
{
	struct rlimit limit;

	if (!how->keeps || getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return 0;
	return limit.rlim_cur / 4 < OPEN_MAX_KEPT ? (long)(limit.rlim_cur / 4)
						  : OPEN_MAX_KEPT;
}

int directories_read(struct directories *directories, int root,
		     const struct directories_reading *reading, struct expt_error *err)
{
	struct walk walk = { .directories = directories, .how = reading };
	int rc = 0;

	*directories = (struct directories){ .begun = time(NULL) };
	atomic_init(&walk.open_left, open_limit(reading));
	atomic_init(&walk.names_left, NAMES_MAX_KEPT);
	walk.buffers = malloc((size_t)reading->threads * ENTRIES_SIZE);
	if (!walk.buffers || !array_add(directories))
		rc = expt_fail(err, -ENOMEM, "cannot list the directories");
	else
		directories->items[0] =
			(struct directory){ .path = "", .base = "", .fd = root };
	for (size_t end; rc == 0 && walk.begin < directories->count; walk.begin = end) {
		end = directories->count;
		rc = read_level(&walk, end, err);
	}
	free(walk.buffers);
	if (rc == 0 && lseek(root, 0, SEEK_SET) < 0)
		rc = expt_fail(err, -errno, "cannot list a directory");
	return rc;
}

void directories_close(struct directories *directories, size_t i)
{
	if (i > 0 && directories->items[i].fd >= 0)
		close(steal_fd(&directories->items[i].fd));
}

void directories_release(struct directories *directories)
{
	for (size_t i = 0; i < directories->count; i++) {
		free(directories->items[i].names.bytes);
		directories_close(directories, i);
	}
	array_release(directories);
	arena_release(&directories->strings);
	free(directories->by_path);
	*directories = (struct directories){ 0 };
}

/* ---- finding one ---- */

static int compare_paths(const void *a, const void *b)
{
	const struct directory *const *first = a, *const *second = b;

	return strcmp((*first)->path, (*second)->path);
}

int directories_sort(struct directories *directories)
{
	directories->by_path = calloc(directories->count, sizeof(*directories->by_path));
	if (!directories->by_path)
		return -ENOMEM;
	for (size_t i = 0; i < directories->count; i++)
		directories->by_path[i] = &directories->items[i];
	qsort(directories->by_path, directories->count, sizeof(*directories->by_path),
	      compare_paths);
	return 0;
}

const struct directory *directories_find(const struct directories *directories,
					 const char *path)
{
	const struct directory wanted = { .path = path }, *key = &wanted;
	const struct directory **found;

	if (!directories->by_path)
		return NULL;
	found = bsearch(&key, directories->by_path, directories->count,
			sizeof(*directories->by_path), compare_paths);
	return found ? *found : NULL;
}
