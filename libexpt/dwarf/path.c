/* SPDX-License-Identifier: Apache-2.0 */
/* Paths of source files, each once in an object. */
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/path.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/dwarf/private.h"

static void add_directory(struct strbuf *path, const char *directory)
{
	if (directory && *directory)
		strbuf_printf(path, "%s/", directory);
}

static void join(struct strbuf *path, const char *base, const char *directory,
		 const char *name)
{
	bool is_relative = *name != '/';

	if (is_relative && (!directory || *directory != '/'))
		add_directory(path, base);
	if (is_relative)
		add_directory(path, directory);
	strbuf_add_text(path, name);
}

/* The first sum counts: all tables of an object should have the same one. */
static bool has_same_sum(const struct dwarf_path *path, const unsigned char *md5)
{
	return !md5 || !path->has_md5 || memcmp(path->md5, md5, MD5_SIZE) == 0;
}

static void set_sum(struct dwarf_path *path, const unsigned char *md5)
{
	path->has_md5 = true;
	memcpy(path->md5, md5, MD5_SIZE);
}

static struct dwarf_path *add_path(struct dwarf *dwarf, const char *text, size_t length)
{
	struct dwarf_path *path = arena_alloc(&dwarf->arena, sizeof(*path));
	struct dwarf_path **item;

	if (!path || !(path->path = arena_text(&dwarf->arena, text, length)))
		return NULL;
	item = array_add(&dwarf->paths);
	return item ? *item = path : NULL;
}

/* Files of one name with different sums were generated twice: two files. */
static struct dwarf_path *find_path(struct dwarf *dwarf, const char *text,
				    const unsigned char *md5)
{
	uint64_t key = idmap_text_key(IDMAP_KEY, text);
	struct dwarf_path *path;
	uint32_t *slot;

	for (;; key++) {
		slot = idmap_add(&dwarf->path_index, key);
		if (!slot)
			return NULL;
		if (*slot == IDMAP_NONE)
			break;
		path = dwarf->paths.items[*slot];
		if (strcmp(path->path, text) == 0 && has_same_sum(path, md5))
			return path;
	}
	path = add_path(dwarf, text, strlen(text));
	if (path)
		*slot = (uint32_t)(dwarf->paths.count - 1);
	return path;
}

const struct dwarf_path *dwarf_path(struct dwarf *dwarf, const char *base,
				    const char *directory, const char *name,
				    const unsigned char *md5)
{
	cleanup_strbuf struct strbuf whole = STRBUF_INIT;
	struct dwarf_path *path;

	if (!name || !*name)
		return NULL;
	join(&whole, base, directory, name);
	if (whole.failed)
		return NULL;
	if (*whole.text == '/')
		path_clean(whole.text);
	path = find_path(dwarf, whole.text, md5);
	if (path && md5 && !path->has_md5)
		set_sum(path, md5);
	return path;
}
