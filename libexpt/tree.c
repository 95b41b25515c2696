/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walks breadth first, so that the entries of one directory stand together in the list, and opens
 * every directory below the root's descriptor, never through a link.
 */
#include "libexpt/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/error.h"
#include "libexpt/format.h"

struct walk {
	struct tree *tree;
	const char *left_out, *only; /* of what stands directly in the root */
	dev_t device;
	struct {
		const char **items;
		size_t count, capacity;
	} names; /* of the directory being read */
	struct expt_error *err;
	char buffer[IO_ENTRIES_SIZE] __attribute__((aligned(8)));
};

static bool is_temporary(const char *name)
{
	size_t length = strlen(name), suffix = strlen(PART_SUFFIX);

	return name[0] == '.' && length > suffix &&
	       strcmp(name + length - suffix, PART_SUFFIX) == 0;
}

static bool is_in_archives(const struct tree *tree, size_t directory)
{
	return strcmp(tree->items[directory].name, ARCHIVES_DIR) == 0;
}

static bool is_wanted(const struct walk *walk, size_t directory, const char *name)
{
	if (io_is_dots(name))
		return false;
	if (directory == 0 && walk->left_out && strcmp(name, walk->left_out) == 0)
		return false;
	if (directory == 0 && walk->only && strcmp(name, walk->only) != 0)
		return false;
	return !(is_in_archives(walk->tree, directory) && is_temporary(name));
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The wanted names of a directory, sorted, into walk->names. */
static int read_names(struct walk *walk, int fd, size_t directory)
{
	ssize_t got;

	walk->names.count = 0;
	while ((got = getdents64(fd, walk->buffer, sizeof walk->buffer)) > 0) {
		for (ssize_t at = 0; at < got; at += io_entry(walk->buffer, at)->d_reclen) {
			const char *name = io_entry(walk->buffer, at)->d_name;
			const char **slot;

			if (!is_wanted(walk, directory, name))
				continue;
			slot = array_add(&walk->names);
			if (!slot)
				return -ENOMEM;
			*slot = arena_text(&walk->tree->strings, name, strlen(name));
			if (!*slot)
				return -ENOMEM;
		}
	}
	if (got < 0)
		return -errno;
	/* An empty directory leaves items NULL, which qsort must not see. */
	if (walk->names.count)
		qsort(walk->names.items, walk->names.count, sizeof *walk->names.items,
		      compare_names);
	return 0;
}

static const char *name_below(struct tree *tree, size_t directory, const char *base)
{
	const char *above = tree->items[directory].name;
	size_t length = strlen(above);
	char *name;

	if (length == 0)
		return base;
	name = arena_alloc(&tree->strings, length + strlen(base) + 2);
	if (name) {
		memcpy(name, above, length);
		name[length] = '/';
		strcpy(name + length + 1, base);
	}
	return name;
}

static int read_target(struct tree *tree, struct tree_entry *entry, int fd)
{
	char target[4096];
	ssize_t length = readlinkat(fd, entry->base, target, sizeof target);

	if (length < 0)
		return -errno;
	if (length == sizeof target)
		return -ENAMETOOLONG;
	entry->target = arena_text(&tree->strings, target, (size_t)length);
	return entry->target ? 0 : -ENOMEM;
}

static int refuse(struct walk *walk, const char *name, const char *reason)
{
	return expt_fail(walk->err, -EBADMSG, "'%s' %s", name, reason);
}

static int check_kind(struct walk *walk, const struct tree_entry *entry,
		      const struct stat *status)
{
	switch (status->st_mode & S_IFMT) {
	case S_IFREG:
		return 0;
	case S_IFDIR:
		if (status->st_dev != walk->device)
			return refuse(walk, entry->name, "is on another file system");
		return 0;
	case S_IFLNK:
		if (is_in_archives(walk->tree, entry->directory))
			return 0;
		return refuse(walk, entry->name, "is a symbolic link");
	default:
		return refuse(walk, entry->name, "is neither a file nor a directory");
	}
}

static void fill(struct tree_entry *entry, const struct stat *status)
{
	entry->type = IFTODT(status->st_mode);
	entry->mode = status->st_mode & 0777;
	entry->uid = status->st_uid;
	entry->gid = status->st_gid;
	entry->size = entry->type == DT_REG ? (uint64_t)status->st_size : 0;
	entry->allocated = (uint64_t)status->st_blocks * 512;
	entry->atime = status->st_atim;
	entry->mtime = status->st_mtim;
}

static int add_entry(struct walk *walk, int fd, size_t directory, const char *base)
{
	struct tree_entry entry = { .base = base, .directory = directory };
	struct tree_entry *slot;
	struct stat status;
	int rc;

	entry.name = name_below(walk->tree, directory, base);
	if (!entry.name)
		return expt_fail(walk->err, -ENOMEM, "cannot list '%s'", base);
	if (fstatat(fd, base, &status, AT_SYMLINK_NOFOLLOW) < 0) {
		if (errno == ENOENT)
			return 0; /* removed since its name was read */
		return expt_fail(walk->err, -errno, "cannot look at '%s'", entry.name);
	}
	rc = check_kind(walk, &entry, &status);
	if (rc < 0)
		return rc;
	fill(&entry, &status);
	if (entry.type == DT_LNK) {
		rc = read_target(walk->tree, &entry, fd);
		if (rc < 0)
			return expt_fail(walk->err, rc, "cannot read the link '%s'",
					 entry.name);
	}
	slot = array_add(walk->tree);
	if (!slot)
		return expt_fail(walk->err, -ENOMEM, "cannot list '%s'", entry.name);
	*slot = entry;
	return 0;
}

static int depth_of(const char *name)
{
	int depth = *name != '\0';

	for (; *name; name++)
		depth += *name == '/';
	return depth;
}

static int read_directory(struct walk *walk, int root, size_t i)
{
	struct tree *tree = walk->tree;
	cleanup_fd int fd = tree_open_directory(tree, root, i);
	const char *name = tree->items[i].name;
	int rc;

	if (fd < 0)
		return expt_fail(walk->err, fd, "cannot open the directory '%s'",
				 *name ? name : ".");
	if (depth_of(name) > TREE_DEPTH_MAX)
		return refuse(walk, name, "is too deep for an experiment");
	rc = read_names(walk, fd, i);
	if (rc < 0)
		return expt_fail(walk->err, rc, "cannot read the directory '%s'", name);

	tree->items[i].first = tree->count;
	for (size_t n = 0; n < walk->names.count; n++) {
		rc = add_entry(walk, fd, i, walk->names.items[n]);
		if (rc < 0)
			return rc;
	}
	tree->items[i].children = tree->count - tree->items[i].first;
	return 0;
}

static int walk_tree(struct walk *walk, int dir)
{
	struct tree *tree = walk->tree;
	struct tree_entry *root = array_add(tree);
	struct stat status;
	int rc;

	if (!root)
		return expt_fail(walk->err, -ENOMEM, "cannot list the files");
	if (fstat(dir, &status) < 0)
		return expt_fail(walk->err, -errno, "cannot look at the directory");
	root->name = root->base = "";
	fill(root, &status);
	walk->device = status.st_dev;

	for (size_t i = 0; i < tree->count; i++) {
		if (tree->items[i].type != DT_DIR)
			continue;
		rc = read_directory(walk, dir, i);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static int read_tree(struct tree *tree, int dir, const char *left_out, const char *only,
		     struct expt_error *err)
{
	cleanup_free struct walk *walk = calloc(1, sizeof *walk);
	int rc;

	*tree = (struct tree){ 0 };
	if (!walk)
		return expt_fail(err, -ENOMEM, "cannot list the files");
	walk->tree = tree;
	walk->left_out = left_out;
	walk->only = only;
	walk->err = err;
	rc = walk_tree(walk, dir);
	array_release(&walk->names);
	return rc;
}

int tree_read(struct tree *tree, int dir, const char *left_out, struct expt_error *err)
{
	return read_tree(tree, dir, left_out, NULL, err);
}

int tree_read_only(struct tree *tree, int dir, const char *only, struct expt_error *err)
{
	return read_tree(tree, dir, NULL, only, err);
}

/* first and children of all directories. */
static void find_children(struct tree *tree)
{
	for (size_t i = 0; i < tree->count; i++)
		tree->items[i].children = 0;
	for (size_t i = 1; i < tree->count; i++) {
		struct tree_entry *directory = &tree->items[tree->items[i].directory];

		if (directory->children++ == 0)
			directory->first = i;
	}
}

int tree_leave_out(struct tree *tree, bool *is_left_out)
{
	cleanup_free size_t *places = calloc(tree->count, sizeof *places);
	size_t kept = 0;

	if (!places)
		return -ENOMEM;
	for (size_t i = 0; i < tree->count; i++) {
		size_t directory = tree->items[i].directory;

		is_left_out[i] = is_left_out[i] || is_left_out[directory];
		if (is_left_out[i])
			continue;
		places[i] = kept;
		tree->items[kept] = tree->items[i];
		tree->items[kept++].directory = places[directory];
	}
	tree->count = kept;
	find_children(tree);
	return 0;
}

void tree_release(struct tree *tree)
{
	array_release(tree);
	arena_release(&tree->strings);
}

int tree_open_directory(const struct tree *tree, int dir, size_t i)
{
	const char *name = tree->items[i].name;

	return io_open_beneath(dir, *name ? name : ".", O_RDONLY | O_DIRECTORY, 0);
}
