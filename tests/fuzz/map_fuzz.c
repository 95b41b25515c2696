/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz map.xml: whatever it contains, lives at one place do not overlap. */
#include <stdint.h>
#include <stdlib.h>

#include "libexpt/experiment/map.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* A large map has too many pairs. A few segments are enough to break the rule. */
static void check_lives(const struct expt_map *map)
{
	size_t count = map->segments.count < 200 ? map->segments.count : 200;

	for (size_t i = 0; i < count; i++)
		for (size_t j = i + 1; j < count; j++) {
			const struct expt_segment *a = &map->segments.items[i];
			const struct expt_segment *b = &map->segments.items[j];

			if (a->address < b->address + b->size &&
			    b->address < a->address + a->size &&
			    a->unloaded_ns == UINT64_MAX && b->unloaded_ns == UINT64_MAX)
				abort();
		}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct expt_map map = { 0 };

	if (map_parse(&map, bytes, size, NULL) == 0)
		check_lives(&map);
	map_release(&map);
	return 0;
}
