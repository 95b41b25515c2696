/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The load objects named in a map.xml, found without an XML parser: thousands of
 * descendants have maps of thousands of similar lines. Only the exact form that recorders
 * write is understood. A map with anything else, or anything that map_read() would report
 * as damage, is left to map_read().
 */
#ifndef LIBEXPT_EXPERIMENT_MAP_SCAN_H
#define LIBEXPT_EXPERIMENT_MAP_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/base/arena.h"
#include "libexpt/base/idmap.h"
#include "libexpt/expt.h"

/* A load object as the map describes it, each listed once. */
struct map_object {
	const char *path;
	struct expt_identity identity;
};

struct map_scan {
	struct arena strings;
	struct {
		struct map_object *items; /* in file order */
		size_t count, capacity;
	} objects;
	struct idmap by_path, mappings;
};

/* False if map_read() must read the map instead, because the result is incomplete, or out
 * of memory. */
bool map_scan(struct map_scan *scan, const void *bytes, size_t size);
void map_scan_release(struct map_scan *scan);

#endif
