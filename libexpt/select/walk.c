/* SPDX-License-Identifier: Apache-2.0 */
/* Finds experiments. Every directory is opened below the descriptor of the one around it;
 * entries that disappear during the search are ignored. */
#include "libexpt/select/walk.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/entries.h"
#include "libexpt/base/io.h"
#include "libexpt/common/error.h"
#include "libexpt/layout/hidden.h"

/* Every level holds a descriptor. */
#define DEPTH_MAX 200

struct search {
	struct find_result *result;
	const char *path; /* of the root */
	dev_t device;
};

/* A directory that is being read. */
struct level {
	const char *name; /* below the root */
	int dir, depth;
};

static int search_directory(const struct search *search, const struct level *level);

int find_add_problem(struct find_result *result, bool is_failure, const char *text)
{
	struct expt_selection_problem *problem = array_add(&result->problems);

	if (!problem)
		return -ENOMEM;
	problem->is_failure = is_failure;
	problem->text = arena_text(&result->strings, text, strlen(text));
	if (problem->text)
		return 0;
	result->problems.count--;
	return -ENOMEM;
}

static int cannot(const struct search *search, const char *name, int code)
{
	const char *slash = *name && strcmp(search->path, "/") != 0 ? "/" : "";
	struct expt_error err;

	expt_fail(&err, code, "cannot open directory '%s%s%s'", search->path, slash,
		  name);
	return find_add_problem(search->result, true, err.message);
}

static bool is_gone(int code)
{
	/* gone, or something else has its name now */
	return code == -ENOENT || code == -ENOTDIR || code == -ELOOP || code == -ESTALE;
}

static int add(const struct search *search, const struct level *level, const char *name,
	       bool is_hidden)
{
	struct find_entry *entry = array_add(search->result);

	if (!entry)
		return -ENOMEM;
	entry->directory = level->name;
	entry->is_hidden = is_hidden;
	entry->name = arena_text(&search->result->strings, name, strlen(name));
	return entry->name ? 0 : -ENOMEM;
}

static int descend(const struct search *search, const struct level *level,
		   const char *base)
{
	cleanup_fd int dir = io_open_beneath(level->dir, base, O_RDONLY | O_DIRECTORY, 0);
	struct level below = { .dir = dir, .depth = level->depth + 1 };
	struct stat status;

	if (is_gone(dir))
		return 0;
	below.name = arena_path(&search->result->strings, level->name, base);
	if (!below.name)
		return -ENOMEM;
	if (dir >= 0 && fstat(dir, &status) < 0)
		return cannot(search, below.name, -errno);
	if (dir >= 0 && status.st_dev != search->device)
		return 0;
	if (dir >= 0 && below.depth <= DEPTH_MAX)
		return search_directory(search, &below);
	return cannot(search, below.name, dir < 0 ? dir : -ELOOP);
}

/* A regular file may have such a name, which is reported when it is examined. Links lead
 * elsewhere, so they are skipped. */
static bool may_be_taken_for_one(const struct level *level, const char *name,
				 unsigned char type)
{
	struct stat status;

	if (!expt_name_is_experiment(name))
		return false;
	if (type != DT_UNKNOWN)
		return type != DT_LNK;
	return fstatat(level->dir, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
	       !S_ISLNK(status.st_mode);
}

static int take_entry(const struct search *search, const struct level *level,
		      const struct dirent64 *entry)
{
	const char *name = entry->d_name;

	if (!io_is_directory(level->dir, name, entry->d_type))
		return may_be_taken_for_one(level, name, entry->d_type)
			       ? add(search, level, name, false)
			       : 0;
	if (stage_is_hidden(name))
		return add(search, level, name, true);
	if (expt_name_is_experiment(name))
		return add(search, level, name, false);
	return descend(search, level, name);
}

static int search_directory(const struct search *search, const struct level *level)
{
	cleanup_entries struct entries entries = entries_of(level->dir);
	const struct dirent64 *entry;

	while ((entry = entries_next(&entries))) {
		int rc = take_entry(search, level, entry);

		if (rc < 0)
			return rc;
	}
	if (entries.code == 0 || entries.code == -ENOMEM || is_gone(entries.code))
		return entries.code == -ENOMEM ? -ENOMEM : 0;
	return cannot(search, level->name, entries.code);
}

int find_experiments(struct find_result *result, int root, const char *path)
{
	struct search search = { .result = result, .path = path };
	struct stat status;

	if (fstat(root, &status) < 0 || lseek(root, 0, SEEK_SET) < 0)
		return cannot(&search, "", -errno);
	search.device = status.st_dev;
	return search_directory(&search, &(struct level){ .name = "", .dir = root });
}

void find_release(struct find_result *result)
{
	array_release(result);
	array_release(&result->problems);
	arena_release(&result->strings);
}
