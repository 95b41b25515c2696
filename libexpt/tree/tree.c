/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The walk is breadth first, so that the entries of a directory are adjacent in the list,
 * and opens every directory below the root's descriptor, never through a link. Where
 * there are many, several threads list them.
 */
#include "libexpt/tree/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/entries.h"
#include "libexpt/base/io.h"
#include "libexpt/base/path.h"
#include "libexpt/common/error.h"
#include "libexpt/common/report.h"
#include "libexpt/common/workers.h"
#include "libexpt/format.h"

#define CLOCK_ERROR_S 2 /* clocks of file systems on other hosts differ by less */

/* Entries of one directory, until they are appended to the tree. */
struct listing {
	struct tree_entry *items;
	size_t count, capacity;
};

/* Memory of one thread. */
struct lister {
	struct arena *strings;
	struct {
		const char **items;
		size_t count, capacity;
	} names; /* of the directory being read */
	char buffer[ENTRIES_SIZE] __attribute__((aligned(8)));
};

struct walk {
	struct tree *tree;
	int root;
	const struct directories *listed; /* may be NULL */
	const char *left_out, *only;	  /* names directly in the root */
	dev_t device;
	struct lister *listers; /* one for each thread */
	unsigned threads;
	size_t *directories; /* at one depth */
	size_t directory_count;
	struct listing *listings; /* their entries */
};

static bool is_temporary(const char *name)
{
	return name[0] == '.' && text_ends_with(name, PART_SUFFIX);
}

static bool is_in_archives(const struct tree *tree, size_t directory)
{
	return strcmp(tree->items[directory].name, ARCHIVES_DIR) == 0;
}

static bool is_wanted(const struct walk *walk, size_t directory, const char *name)
{
	if (directories_is_being_recorded(name))
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

static int add_name(struct lister *lister, const char *name)
{
	const char **slot = array_add(&lister->names);

	if (slot)
		*slot = arena_text(lister->strings, name, strlen(name));
	return slot && *slot ? 0 : -ENOMEM;
}

static int add_wanted(const struct walk *walk, struct lister *lister, size_t directory,
		      const char *name)
{
	return is_wanted(walk, directory, name) ? add_name(lister, name) : 0;
}

static int read_names(const struct walk *walk, struct lister *lister, int fd,
		      size_t directory)
{
	struct entries entries = entries_into(lister->buffer, fd);
	const struct dirent64 *entry;

	while ((entry = entries_next(&entries)))
		if (add_wanted(walk, lister, directory, entry->d_name) < 0)
			return -ENOMEM;
	return entries.code;
}

static int take_names(const struct walk *walk, struct lister *lister,
		      const struct directory *listed, size_t directory)
{
	struct directory_name name;
	size_t at = 0;

	while (directories_next_name(listed, &at, &name))
		if (add_wanted(walk, lister, directory, name.text) < 0)
			return -ENOMEM;
	return 0;
}

/* Put the wanted names of a directory, sorted, into lister->names. */
static int find_names(const struct walk *walk, struct lister *lister, int fd,
		      const struct directory *listed, size_t directory)
{
	int rc;

	lister->names.count = 0;
	rc = listed ? take_names(walk, lister, listed, directory)
		    : read_names(walk, lister, fd, directory);
	/* An empty directory leaves items NULL, which qsort must not see. */
	if (rc == 0 && lister->names.count)
		qsort(lister->names.items, lister->names.count,
		      sizeof(*lister->names.items), compare_names);
	return rc;
}

static int read_target(struct arena *strings, struct tree_entry *entry, int fd)
{
	char target[4096];
	ssize_t length = readlinkat(fd, entry->base, target, sizeof(target));

	if (length < 0)
		return -errno;
	if (length == sizeof(target))
		return -ENAMETOOLONG;
	entry->target = arena_text(strings, target, (size_t)length);
	return entry->target ? 0 : -ENOMEM;
}

static int refuse(const char *name, const char *reason, struct expt_error *err)
{
	return expt_refuse(err, -EBADMSG, "'%s' %s", name, reason);
}

static int check_kind(const struct walk *walk, const struct tree_entry *entry,
		      const struct stat *status, struct expt_error *err)
{
	switch (status->st_mode & S_IFMT) {
	case S_IFREG:
		return 0;
	case S_IFDIR:
		if (status->st_dev != walk->device)
			return refuse(entry->name, "is on another file system", err);
		return 0;
	case S_IFLNK:
		if (is_in_archives(walk->tree, entry->directory))
			return 0;
		return refuse(entry->name, "is a symbolic link", err);
	default:
		return refuse(entry->name, "is neither a file nor a directory", err);
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
	entry->changed = status->st_ctime;
}

static int add_entry(const struct walk *walk, struct lister *lister,
		     struct listing *listing, int fd, size_t directory, const char *base,
		     struct expt_error *err)
{
	struct tree_entry entry = { .name = base, .base = base, .directory = directory };
	struct tree_entry *slot;
	struct stat status;
	int rc;

	if (directory != 0)
		entry.name = arena_path(lister->strings,
					walk->tree->items[directory].name, base);
	if (!entry.name)
		return expt_fail(err, -ENOMEM, "cannot list '%s'", base);
	if (fstatat(fd, base, &status, AT_SYMLINK_NOFOLLOW) < 0) {
		if (errno == ENOENT)
			return 0; /* removed since its name was read */
		return expt_fail(err, -errno, "cannot access '%s'", entry.name);
	}
	rc = check_kind(walk, &entry, &status, err);
	if (rc < 0)
		return rc;
	fill(&entry, &status);
	if (entry.type == DT_LNK) {
		rc = read_target(lister->strings, &entry, fd);
		if (rc < 0)
			return expt_fail(err, rc, "cannot read the link '%s'",
					 entry.name);
	}
	slot = array_add(listing);
	if (!slot)
		return expt_fail(err, -ENOMEM, "cannot list '%s'", entry.name);
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

/* Returns the directory as it was read, if its times show that it is unchanged, or
 * NULL. */
static const struct directory *find_listed(const struct walk *walk,
					   const struct tree_entry *entry)
{
	const struct directory *listed =
		walk->listed ? directories_find(walk->listed, entry->name) : NULL;

	return listed && listed->is_complete &&
			       entry->changed + CLOCK_ERROR_S < walk->listed->begun
		       ? listed
		       : NULL;
}

/* List the nth of the directories; for workers_run(). */
static int list_directory(void *context, unsigned worker, size_t n,
			  struct expt_error *err)
{
	struct walk *walk = context;
	struct lister *lister = &walk->listers[worker];
	size_t i = walk->directories[n];
	const char *name = walk->tree->items[i].name;
	const struct directory *listed = find_listed(walk, &walk->tree->items[i]);
	cleanup_fd int opened = -1;
	int rc, fd = listed ? listed->fd : -1;

	if (fd < 0)
		fd = opened = tree_open_directory(walk->tree, walk->root, i);
	if (fd < 0)
		return expt_fail(err, fd, "cannot open directory '%s'",
				 *name ? name : ".");
	if (depth_of(name) > TREE_DEPTH_MAX)
		return refuse(name, "nested too deeply for an experiment", err);
	rc = find_names(walk, lister, fd, listed, i);
	if (rc < 0)
		return expt_fail(err, rc, "cannot read directory '%s'",
				 *name ? name : ".");
	for (size_t k = 0; k < lister->names.count && rc == 0; k++)
		rc = add_entry(walk, lister, &walk->listings[n], fd, i,
			       lister->names.items[k], err);
	return rc;
}

/* Append the entries of the nth of the directories. */
static int join(struct walk *walk, size_t n)
{
	struct tree *tree = walk->tree;
	const struct listing *listing = &walk->listings[n];
	size_t i = walk->directories[n];

	tree->items[i].first = tree->count;
	tree->items[i].children = listing->count;
	for (size_t k = 0; k < listing->count; k++) {
		struct tree_entry *slot = array_add(tree);

		if (!slot)
			return -ENOMEM;
		*slot = listing->items[k];
	}
	return 0;
}

/* Choose the directories among the entries from begin on, which are all at one depth. */
static int choose_directories(struct walk *walk, size_t begin)
{
	const struct tree *tree = walk->tree;

	walk->directories = calloc(tree->count - begin, sizeof(*walk->directories));
	walk->listings = calloc(tree->count - begin, sizeof(*walk->listings));
	if (!walk->directories || !walk->listings)
		return -ENOMEM;
	for (size_t i = begin; i < tree->count; i++)
		if (tree->items[i].type == DT_DIR)
			walk->directories[walk->directory_count++] = i;
	return 0;
}

static void forget_directories(struct walk *walk)
{
	for (size_t n = 0; n < walk->directory_count; n++)
		free(walk->listings[n].items);
	free(walk->directories);
	free(walk->listings);
	walk->directories = NULL;
	walk->listings = NULL;
	walk->directory_count = 0;
}

static int list_level(struct walk *walk, size_t begin, struct expt_error *err)
{
	int rc = choose_directories(walk, begin);

	if (rc < 0)
		return expt_fail(err, rc, "cannot list the files");
	rc = workers_run(workers_for(walk->threads, walk->directory_count),
			 walk->directory_count, list_directory, walk, err);
	for (size_t n = 0; n < walk->directory_count && rc == 0; n++)
		if (join(walk, n) < 0)
			rc = expt_fail(err, -ENOMEM, "cannot list the files");
	return rc;
}

static int walk_tree(struct walk *walk, struct expt_error *err)
{
	struct tree *tree = walk->tree;
	struct tree_entry *root = array_add(tree);
	struct stat status;
	int rc = 0;

	if (!root)
		return expt_fail(err, -ENOMEM, "cannot list the files");
	if (fstat(walk->root, &status) < 0)
		return expt_fail(err, -errno, "cannot access the directory");
	root->name = root->base = "";
	fill(root, &status);
	walk->device = status.st_dev;

	for (size_t begin = 0, end; begin < tree->count && rc == 0; begin = end) {
		end = tree->count;
		rc = list_level(walk, begin, err);
		forget_directories(walk);
	}
	return rc;
}

static void set_up_listers(struct walk *walk)
{
	for (unsigned i = 0; i < walk->threads; i++)
		walk->listers[i].strings = &walk->tree->strings[i];
}

static int run_walk(struct walk *walk, struct expt_error *err)
{
	int rc;

	*walk->tree = (struct tree){ 0 };
	walk->threads = workers_count(0);
	walk->listers = calloc(walk->threads, sizeof(*walk->listers));
	if (!walk->listers)
		return expt_fail(err, -ENOMEM, "cannot list the files");
	set_up_listers(walk);
	rc = walk_tree(walk, err);
	for (unsigned i = 0; i < walk->threads; i++)
		array_release(&walk->listers[i].names);
	free(walk->listers);
	return rc;
}

int tree_read(struct tree *tree, int dir, const char *left_out, struct expt_error *err)
{
	struct walk walk = { .tree = tree, .root = dir, .left_out = left_out };

	return run_walk(&walk, err);
}

int tree_read_listed(struct tree *tree, const struct directories *directories,
		     const char *left_out, struct expt_error *err)
{
	struct walk walk = {
		.tree = tree,
		.root = directories->items[0].fd,
		.listed = directories,
		.left_out = left_out,
	};

	return run_walk(&walk, err);
}

int tree_read_only(struct tree *tree, int dir, const char *only, struct expt_error *err)
{
	struct walk walk = { .tree = tree, .root = dir, .only = only };

	return run_walk(&walk, err);
}

void tree_count(const struct tree *tree, struct expt_report *report)
{
	for (size_t i = 0; i < tree->count; i++)
		if (tree->items[i].type != DT_DIR)
			expt_report_count_file(report, tree->items[i].size);
}

void tree_release(struct tree *tree)
{
	array_release(tree);
	for (size_t i = 0; i < WORKERS_MAX; i++)
		arena_release(&tree->strings[i]);
}

int tree_open_directory(const struct tree *tree, int dir, size_t i)
{
	const char *name = tree->items[i].name;

	return io_open_beneath(dir, *name ? name : ".", O_RDONLY | O_DIRECTORY, 0);
}
