/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/manage/links.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libexpt/archives/store.h"
#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/path.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/common/report.h"
#include "libexpt/format.h"

#define OUT "../../" /* out of archives/ and of the experiment */

struct link {
	const struct tree_entry *entry;
	struct stat file;
	const char *place; /* the directory of the file, without links, or NULL */
	bool is_absolute;  /* for the time being */
};

/* ---- targets ---- */

static bool leads_out(const struct tree_entry *entry)
{
	return entry->type == DT_LNK && text_starts_with(entry->target, OUT);
}

static bool is_right(const struct link *link, int dir, const char *name)
{
	struct stat found;

	if (fstatat(dir, name, &found, 0) < 0)
		return false;
	return io_is_same(&found, &link->file) ||
	       (store_checksum(link->entry->target) && S_ISREG(found.st_mode) &&
		found.st_size == link->file.st_size);
}

/* Returns the directory of the target, usually that of the previous link, or NULL if it
 * cannot be determined: the link is left as it is. */
static const char *find_place(struct links *links, const struct tree_entry *entry,
			      int dir)
{
	const struct link *last = links->count > 1 ? &links->items[links->count - 2]
						   : NULL;
	int length = (int)(strrchr(entry->target, '/') - entry->target);
	char path[2 * PATH_MAX];
	cleanup_free char *place = NULL;

	if (last &&
	    strncmp(last->entry->target, entry->target, (size_t)length + 1) == 0 &&
	    strrchr(last->entry->target, '/') == last->entry->target + length)
		return last->place;
	snprintf(path, sizeof(path), "/proc/self/fd/%d/%s/%.*s", dir, ARCHIVES_DIR,
		 length, entry->target);
	place = realpath(path, NULL);
	return place ? arena_text(&links->strings, place, strlen(place)) : NULL;
}

int links_remember(struct links *links, const struct tree *tree, int dir)
{
	for (size_t i = 0; i < tree->count; i++) {
		const struct tree_entry *entry = &tree->items[i];
		struct stat status;
		struct link *link;

		if (!leads_out(entry) || fstatat(dir, entry->name, &status, 0) < 0)
			continue;
		link = array_add(links);
		if (!link)
			return -ENOMEM;
		*link = (struct link){ .entry = entry, .file = status };
		link->place = find_place(links, entry, dir);
	}
	return 0;
}

/* ---- correcting ---- */

/* Replace the link, and restore the times of the directory. Links that cannot be replaced
 * are found by links_check(). */
static bool replace(const struct link *link, int dir, const char *target)
{
	const struct tree_entry *entry = link->entry;
	const struct timespec times[2] = { entry->atime, entry->mtime };
	cleanup_fd int archives =
		io_open_beneath(dir, ARCHIVES_DIR, O_RDONLY | O_DIRECTORY, 0);
	struct stat before;
	bool is_done;

	if (archives < 0 || fstat(archives, &before) < 0)
		return false;
	is_done = store_replace_link(target, archives, entry->base, times) == 0 &&
		  fsync(archives) == 0;
	futimens(archives, (const struct timespec[]){ before.st_atim, before.st_mtim });
	return is_done;
}

static void add_last(struct strbuf *target, const struct link *link)
{
	const char *last = strrchr(link->entry->target, '/');

	strbuf_add_text(target,
			target->length > 0 && target->text[target->length - 1] == '/'
				? last + 1
				: last);
}

static bool make_absolute(const struct link *link, int dir)
{
	cleanup_strbuf struct strbuf target = STRBUF_INIT;

	strbuf_add_text(&target, link->place);
	add_last(&target, link);
	return !target.failed && replace(link, dir, target.text);
}

static bool make_relative(const struct link *link, int dir)
{
	cleanup_strbuf struct strbuf target = STRBUF_INIT;
	cleanup_free char *archives = NULL;
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d/%s", dir, ARCHIVES_DIR);
	archives = realpath(path, NULL);
	if (!archives)
		return false;
	path_add_way(&target, archives, link->place);
	add_last(&target, link);
	return !target.failed && replace(link, dir, target.text);
}

void links_make_absolute(struct links *links, int dir, int parent)
{
	for (size_t i = 0; i < links->count; i++) {
		struct link *link = &links->items[i];
		const char *from_there = link->entry->target + strlen(OUT);

		if (link->place && !is_right(link, parent, from_there))
			link->is_absolute = make_absolute(link, dir);
	}
}

void links_restore(struct links *links, int dir)
{
	for (size_t i = 0; i < links->count; i++)
		if (links->items[i].is_absolute)
			replace(&links->items[i], dir, links->items[i].entry->target);
}

void links_repair(struct links *links, int dir)
{
	for (size_t i = 0; i < links->count; i++) {
		const struct link *link = &links->items[i];

		if (link->place &&
		    (link->is_absolute || !is_right(link, dir, link->entry->name)))
			make_relative(link, dir);
	}
}

/* ---- checking ---- */

void links_check(const struct links *links, int dir, struct expt_report *report)
{
	for (size_t i = 0; i < links->count; i++) {
		const struct tree_entry *entry = links->items[i].entry;
		struct stat status;

		if (is_right(&links->items[i], dir, entry->name))
			continue;
		if (fstatat(dir, entry->name, &status, 0) < 0)
			expt_report_add(report, EXPT_MISSING, entry->name,
					"its link '%s' is broken at the new location",
					entry->target);
		else
			expt_report_add(
				report, EXPT_CHANGED, entry->name,
				"its link '%s' points elsewhere from the new location",
				entry->target);
	}
}

void links_release(struct links *links)
{
	array_release(links);
	arena_release(&links->strings);
}
