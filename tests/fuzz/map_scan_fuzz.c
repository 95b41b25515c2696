/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz the quick scan of map.xml: whenever it gives an answer, map_parse() finds the same
 * load objects, and no damage. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/experiment/map.h"
#include "libexpt/experiment/map_scan.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static bool is_same(const struct map_object *object, const struct expt_segment *segment)
{
	const struct expt_identity *a = &object->identity, *b = &segment->identity;

	return segment->modes == EXPT_MAP_LOAD_OBJECT &&
	       strcmp(object->path, segment->path) == 0 &&
	       strcmp(a->build_id, b->build_id) == 0 && a->has_file == b->has_file &&
	       (!a->has_file || (a->size == b->size && a->mtime_ns == b->mtime_ns));
}

static bool is_mapped(const struct map_object *object, const struct expt_map *map)
{
	for (size_t i = 0; i < map->segments.count; i++)
		if (is_same(object, &map->segments.items[i]))
			return true;
	return false;
}

static bool is_scanned(const struct expt_segment *segment, const struct map_scan *scan)
{
	for (size_t i = 0; i < scan->objects.count; i++)
		if (is_same(&scan->objects.items[i], segment))
			return true;
	return segment->modes != EXPT_MAP_LOAD_OBJECT;
}

static void compare(const struct map_scan *scan, const struct expt_map *map)
{
	if (map->damage.count > 0)
		abort();
	for (size_t i = 0; i < scan->objects.count; i++)
		if (!is_mapped(&scan->objects.items[i], map))
			abort();
	for (size_t i = 0; i < map->segments.count; i++)
		if (!is_scanned(&map->segments.items[i], scan))
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct map_scan scan = { .by_path = { .slots = NULL } };
	struct expt_map map = { 0 };

	if (map_scan(&scan, bytes, size)) {
		if (map_parse(&map, bytes, size, NULL) == 0)
			compare(&scan, &map);
		map_release(&map);
	}
	map_scan_release(&scan);
	return 0;
}
