/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts by kind, all logs before all maps, and so on: similar files compress well side by
 * side. Also, the log of a running experiment must be older than its data, and records
 * older than the call stacks that they name. */
#include <stdlib.h>
#include <string.h>

#include "libexpt/export/private.h"
#include "libexpt/format.h"

/* The order of kinds; files not named here come between these and the class files. */
static const char *const kinds[] = {
	LOG_FILE,	    LOAD_MAP_FILE,    WARNINGS_FILE, LABELS_FILE,
	NOTES_FILE,	    ARCHIVE_LOG_FILE, OVERVIEW_FILE, CLOCK_FILE,
	HWC_FILE,	    HEAP_FILE,	      SYNC_FILE,     IO_FILE,
	OMP_FILE,	    RACE_FILE,	      DEADLOCK_FILE, FRAMEINFO_FILE,
	FRAMEINFO_FILE_SUN, DYNTEXT_FILE,     JCLASSES_FILE, JCLASSES_FILE_SUN,
};
enum {
	RANK_OTHER = sizeof(kinds) / sizeof(*kinds),
	RANK_CLASSES,
	RANK_ARCHIVES,
	RANK_ARCHIVES_MANIFEST, /* it describes the files before it */
	/* GNU tar sets the time of a directory as soon as it meets a member outside it,
	 * so directories come last, and those inside before those around them. */
	RANK_DIRECTORIES,
};

static unsigned rank_of(const char *name)
{
	const char *slash = strchr(name, '/');
	const char *rest = slash ? slash + 1 : "";

	if (strncmp(name, ARCHIVES_DIR "/", sizeof(ARCHIVES_DIR)) == 0)
		return strcmp(rest, MANIFEST_FILE) == 0 ? RANK_ARCHIVES_MANIFEST
							: RANK_ARCHIVES;
	if (strncmp(name, JDYNCLASSES_DIR "/", sizeof(JDYNCLASSES_DIR)) == 0)
		return RANK_CLASSES;
	if (slash)
		return rank_of(rest);
	for (unsigned i = 0; i < RANK_OTHER; i++)
		if (strcmp(name, kinds[i]) == 0)
			return i;
	return RANK_OTHER;
}

static unsigned depth_of(const char *name)
{
	unsigned depth = *name != '\0';

	for (; *name; name++)
		depth += *name == '/';
	return depth;
}

static bool is_large(const struct export_item *item)
{
	return item->size > TAR_SMALL_FILE;
}

static int compare_items(const void *a, const void *b)
{
	const struct export_item *first = a, *second = b;
	int order;

	if (first->rank != second->rank)
		return first->rank < second->rank ? -1 : 1;
	if (first->rank == RANK_DIRECTORIES &&
	    depth_of(first->name) != depth_of(second->name))
		return depth_of(first->name) > depth_of(second->name) ? -1 : 1;
	/* A small load object after a large one would share its long frame. */
	if (first->rank == RANK_ARCHIVES && is_large(first) != is_large(second))
		return is_large(first) ? 1 : -1;
	order = expt_name_compare(first->name, second->name);
	return order ? order : strcmp(first->name, second->name);
}

unsigned export_rank(const char *name, bool is_directory)
{
	return is_directory ? RANK_DIRECTORIES : rank_of(name);
}

void export_sort(struct export_item *items, size_t count)
{
	qsort(items, count, sizeof(*items), compare_items);
}
