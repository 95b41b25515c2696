/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The load objects that a map.xml names, found without reading it as XML: thousands of
 * descendants have maps of thousands of lines, all alike. Only what recorders write is
 * understood, byte by byte; with anything else in it, or anything that map_read() would
 * call damaged, a map is left to map_read().
 */
#ifndef LIBEXPT_EXPERIMENT_MAP_SCAN_H
#define LIBEXPT_EXPERIMENT_MAP_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/base/arena.h"
#include "libexpt/base/idmap.h"

/* As the map tells of the file; each once. */
struct map_object {
	const char *path, *build_id; /* the latter "" if there is none */
	bool has_identity;
	uint64_t file_size, mtime_ns;
};

struct map_scan {
	struct arena strings;
	struct {
		struct map_object *items; /* in file order */
		size_t count, capacity;
	} objects;
	struct idmap by_path, mappings;
};

/* False: map_read() must look at it, as whatever was found is not all, or out of memory.
 */
bool map_scan(struct map_scan *scan, const void *bytes, size_t size);
void map_scan_release(struct map_scan *scan);

#endif
