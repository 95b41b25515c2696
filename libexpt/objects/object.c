/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/objects/private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/path.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/common/error.h"
#include "libexpt/format.h"

const struct expt_object unknown_object = {
	.path = UNKNOWN_NAME,
	.name = UNKNOWN_NAME,
	.identity.build_id = "",
	.is_loaded = true,
};

const struct expt_function unknown_function = {
	.object = (struct expt_object *)(uintptr_t)&unknown_object,
	.symbol = UNKNOWN_NAME,
	.long_name = UNKNOWN_NAME,
	.short_name = UNKNOWN_NAME,
	.has_aliases = true,
	.whole = &unknown_function,
};

/* ---- the table --------------------------------------------------------------------- */

static void open_archives(struct object_table *table, const struct expt *founder)
{
	struct strbuf path = STRBUF_INIT;

	if (folder_open(&table->archives, &founder->folder, ARCHIVES_DIR) < 0)
		return;
	folder_rest(&table->archives, &founder->folder, ARCHIVES_DIR);
	strbuf_printf(&path, "%s/" ARCHIVES_DIR, founder->path);
	table->archives_path =
		arena_text(&table->strings, strbuf_text(&path), path.length);
	strbuf_release(&path);
}

static struct object_table *make_table(struct expt *founder)
{
	struct object_table *table = calloc(1, sizeof(*table));
	struct expt_object **unknown;

	if (!table)
		return NULL;
	table->archives = (struct folder)FOLDER_NONE;
	unknown = array_add(&table->objects);
	if (!unknown) {
		free(table);
		return NULL;
	}
	*unknown = (struct expt_object *)(uintptr_t)&unknown_object;
	table->founder = founder;
	open_archives(table, founder);
	if (founder->log)
		table->started_at = expt_info(founder)->started_at;
	return table;
}

static void function_free(struct expt_function *function)
{
	free((void *)(uintptr_t)function->aliases);
	free(function->rows);
	free(function->line_positions);
}

static void object_free(struct expt_object *object)
{
	for (size_t i = 0; i < object->rows.count; i++)
		function_free(object->rows.items[i]);
	array_release(&object->rows);
	idmap_release(&object->rows.by_start);
	outlined_index_release(&object->outlined);
	object_debug_close(object->debug);
	symbol_table_release(&object->symbols);
	elf_close(object->elf);
	elf_close(object->code);
}

static void close_table(struct object_table *table)
{
	for (size_t i = 1; i < table->objects.count; i++)
		object_free(table->objects.items[i]);
	for (size_t i = 0; i < table->java.count; i++)
		object_free(table->java.items[i]);
	array_release(&table->objects);
	array_release(&table->java);
	io_file_close(&table->dyntext);
	idmap_release(&table->by_identity);
	idmap_release(&table->java_paths);
	demangler_release(&table->demangler);
	folder_close(&table->archives);
	arena_release(&table->strings);
	free(table);
}

struct object_table *object_table_get(struct expt *expt)
{
	struct expt *founder = expt->founder;

	if (!founder->objects)
		founder->objects = make_table(founder);
	founder->close_objects = close_table;
	return founder->objects;
}

/* ---- objects ----------------------------------------------------------------------- */

static bool is_of(const struct expt_object *object, const struct expt_segment *segment)
{
	return object->is_file && strcmp(object->path, segment->path) == 0 &&
	       identity_is_same(&object->identity, &segment->identity);
}

static struct expt_object *make_object(struct object_table *table, const char *path)
{
	struct strbuf name = STRBUF_INIT;
	struct expt_object *object = arena_alloc(&table->strings, sizeof(*object));

	strbuf_printf(&name, "<%s>", path_base(path));
	if (object) {
		object->table = table;
		object->index = table->objects.count;
		object->path = arena_text(&table->strings, path, strlen(path));
		object->name =
			arena_text(&table->strings, strbuf_text(&name), name.length);
		object->identity.build_id = "";
	}
	strbuf_release(&name);
	return object && object->path && object->name ? object : NULL;
}

static struct expt_object *add_object(struct object_table *table, const char *path)
{
	struct expt_object *object = make_object(table, path);
	struct expt_object **slot = object ? array_add(&table->objects) : NULL;

	if (!slot)
		return NULL;
	return *slot = object;
}

static struct expt_object *add_file(struct object_table *table,
				    const struct expt_segment *segment)
{
	const char *recorded = segment->identity.build_id;
	const char *build_id = arena_text(&table->strings, recorded, strlen(recorded));
	struct expt_object *object = build_id ? add_object(table, segment->path) : NULL;

	if (!object)
		return NULL;
	object->is_file = true;
	object->identity = segment->identity;
	object->identity.build_id = build_id;
	return object;
}

static void note_mapped(struct expt_object *object, const struct expt_segment *segment)
{
	uint64_t end;

	if (!__builtin_add_overflow(segment->file_offset, segment->size, &end) &&
	    end > object->mapped_end)
		object->mapped_end = end;
}

struct expt_object *object_of_segment(struct object_table *table,
				      const struct expt_segment *segment, bool make)
{
	uint64_t key = identity_key(segment->path, &segment->identity);
	struct expt_object *object;
	uint32_t found, *slot;

	/* Different objects with the same key take the next free keys. */
	while ((found = idmap_find(&table->by_identity, key)) != IDMAP_NONE) {
		if (is_of(table->objects.items[found], segment)) {
			note_mapped(table->objects.items[found], segment);
			return table->objects.items[found];
		}
		key++;
	}
	if (!make)
		return NULL;
	slot = idmap_add(&table->by_identity, key);
	object = slot ? add_file(table, segment) : NULL;
	if (!object)
		return NULL;
	*slot = (uint32_t)object->index;
	note_mapped(object, segment);
	return object;
}

struct expt_object *object_dynamic(struct object_table *table)
{
	if (!table->dynamic) {
		table->dynamic = add_object(table, DYNAMIC_FUNCTIONS);
		if (table->dynamic)
			table->dynamic->is_loaded = true;
	}
	return table->dynamic;
}

struct expt_object *object_java(struct object_table *table, const char *path)
{
	uint64_t key = idmap_text_key(IDMAP_KEY, path);
	struct expt_object *object, **slot;
	uint32_t *found;

	for (;; key++) {
		found = idmap_add(&table->java_paths, key);
		if (!found)
			return NULL;
		if (*found == IDMAP_NONE)
			break;
		if (strcmp(table->java.items[*found]->path, path) == 0)
			return table->java.items[*found];
	}
	object = make_object(table, path);
	slot = object ? array_add(&table->java) : NULL;
	if (!slot)
		return NULL;
	object->is_loaded = true;
	*found = (uint32_t)(table->java.count - 1);
	return *slot = object;
}

/* ---- public ------------------------------------------------------------------------ */

int expt_set_fetcher(struct expt *expt, const struct expt_fetcher *fetcher,
		     struct expt_error *err)
{
	struct object_table *table = object_table_get(expt);

	if (!table)
		return expt_fail(err, -ENOMEM, "cannot set where files come from");
	table->fetcher = fetcher ? *fetcher : (struct expt_fetcher){ .fetch = NULL };
	return 0;
}

int expt_set_search(struct expt *expt, const struct expt_search *search,
		    struct expt_error *err)
{
	struct object_table *table = object_table_get(expt);

	if (!table)
		return expt_fail(err, -ENOMEM, "cannot set where files are");
	table->search = *search;
	return 0;
}

const char *expt_object_path(const struct expt_object *object)
{
	return object->path;
}

const char *expt_object_name(const struct expt_object *object)
{
	return object->name;
}

bool expt_object_has_name(const struct expt_object *object, const char *name)
{
	return strcmp(name, object->path) == 0 ||
	       strcmp(name, path_base(object->path)) == 0 ||
	       strcmp(name, object->name) == 0;
}

const char *expt_object_build_id(const struct expt_object *object)
{
	return object->identity.build_id;
}

size_t expt_object_index(const struct expt_object *object)
{
	return object->index;
}

const char *expt_object_file(struct expt_object *object, const char **problem)
{
	object_load(object);
	*problem = object->problem;
	return object->file;
}
