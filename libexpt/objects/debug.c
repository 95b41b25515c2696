/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finding the debug data of a load object as its symbols are found: in one of its own
 * files, then in its debug file, archived or of this machine. A description has only
 * lines, so it comes last. Everything must have the recorded identity.
 */
#include <stdlib.h>
#include <string.h>

#include "libexpt/archives/debug_file.h"
#include "libexpt/archives/fetch.h"
#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/elf/content.h"
#include "libexpt/objects/debug.h"
#include "libexpt/objects/private.h"

/* ---- files that belong to the debug data ---- */

static const struct folder *archives_of(const struct object_debug *debug)
{
	return &debug->object->table->archives;
}

static struct elf *find_package(void *context, const struct split_units *units)
{
	const struct object_debug *debug = context;
	cleanup_debug_file struct debug_file file = DEBUG_FILE_INIT;
	struct split_numbers numbers = { .items = NULL };
	bool is_found = debug_file_find_package(&file, &numbers, debug->object->path,
						units, archives_of(debug), NULL);

	array_release(&numbers);
	return is_found ? steal(&file.elf) : NULL;
}

static struct elf *find_unit(void *context, const struct split_unit *unit)
{
	const struct object_debug *debug = context;
	cleanup_debug_file struct debug_file file = DEBUG_FILE_INIT;

	return debug_file_find_split(&file, unit, unit->path, archives_of(debug), NULL)
		       ? steal(&file.elf)
		       : NULL;
}

static struct elf *find_common(const struct object_debug *debug, const struct elf *elf)
{
	cleanup_debug_file struct debug_file file = DEBUG_FILE_INIT;

	return debug_file_find_common(&file, elf, debug->path, archives_of(debug), NULL)
		       ? steal(&file.elf)
		       : NULL;
}

/* ---- the debug data ---- */

static bool has_data(const struct elf *elf)
{
	return elf_has_content(elf, ".debug_info") || elf_has_content(elf, ".debug_line");
}

/* Find the debug file, and note its path. */
static struct elf *find_file(struct object_debug *debug)
{
	const struct expt_object *object = debug->object;
	cleanup_debug_file struct debug_file file = DEBUG_FILE_INIT;
	char *path;

	if (!debug_file_find(&file, object->elf, object->path, archives_of(debug),
			     NULL) ||
	    !has_data(file.elf))
		return NULL;
	path = strdup(file.path);
	if (!path)
		return NULL;
	free(debug->path);
	debug->path = path;
	return steal(&file.elf);
}

static struct elf *fetch_file(const struct object_debug *debug)
{
	const struct expt_object *object = debug->object;
	struct elf *elf = fetch_debug_file(&object->table->fetcher, object->elf);

	if (elf && has_data(elf))
		return elf;
	elf_close(elf);
	return NULL;
}

static struct elf *find_data(struct object_debug *debug)
{
	struct elf *elf = object_open_with(debug->object, ".debug_info");

	if (!elf)
		elf = find_file(debug);
	if (!elf)
		elf = fetch_file(debug);
	return elf ? elf : object_open_with(debug->object, ".debug_line");
}

static void open_data(struct object_debug *debug, bool has_locations)
{
	struct dwarf_sources sources = {
		.object = debug->object->elf,
		.has_locations = has_locations,
		.find_package = find_package,
		.find_unit = find_unit,
		.context = debug,
	};

	sources.debug = debug->path ? find_data(debug) : NULL;
	if (!sources.debug)
		return;
	sources.common = find_common(debug, sources.debug);
	if (dwarf_open(&debug->dwarf, &sources, NULL) < 0)
		debug->dwarf = NULL;
}

static struct object_debug *open_debug(struct expt_object *object, bool has_locations)
{
	struct object_debug *debug = calloc(1, sizeof(*debug));

	if (!debug)
		return NULL;
	debug->object = object;
	debug->path = strdup(object->path);
	open_data(debug, has_locations);
	return debug;
}

struct object_debug *object_debug(struct expt_object *object)
{
	object_load(object);
	if (!object->debug && object->elf)
		object->debug = open_debug(object, false);
	return object->debug && object->debug->dwarf ? object->debug : NULL;
}

struct object_debug *object_debug_open(struct expt_object *object)
{
	struct object_debug *debug;

	object_load(object);
	debug = object->elf ? open_debug(object, true) : NULL;
	if (debug && debug->dwarf) {
		object->has_other_debug = true;
		return debug;
	}
	object_debug_close(debug);
	return NULL;
}

struct dwarf *object_debug_dwarf(const struct object_debug *debug)
{
	return debug->dwarf;
}

const struct elf *object_debug_elf(const struct object_debug *debug)
{
	return debug->object->elf;
}

void object_debug_close(struct object_debug *debug)
{
	if (!debug)
		return;
	dwarf_close(debug->dwarf);
	idmap_release(&debug->by_offset);
	array_release(&debug->answers);
	array_release(&debug->inlined);
	free(debug->path);
	free(debug);
}
