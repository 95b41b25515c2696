/* SPDX-License-Identifier: Apache-2.0 */
/* The mappings of a process by address and time, from its map.xml. */
#ifndef LIBEXPT_PLACES_ADDRESS_MAP_H
#define LIBEXPT_PLACES_ADDRESS_MAP_H

#include "libexpt/experiment/map.h"
#include "libexpt/objects/lined_code.h"
#include "libexpt/places/jit.h"

/* A named part of a dynamic function. */
struct address_part {
	const char *name;
	uint64_t address, size;
};

struct mapping {
	uint64_t address, last; /* inclusive: the address space may end here */
	uint64_t subtree_last;	/* the largest last in the subtree: see place.c */
	uint64_t unloaded_ns;
	struct expt_object *object;
	uint64_t file_offset;
	const struct map_function *function; /* of dynamic code, or NULL */
	size_t first_part, part_count;
	size_t order; /* of loading */
};

struct address_map {
	struct expt_map map;
	struct lined_code lined; /* read at the first use */
	bool has_lined;
	struct {
		struct mapping *items; /* by address */
		size_t count, capacity;
	} mappings;
	struct {
		struct address_part *items; /* by address in each function */
		size_t count, capacity;
	} parts;
	struct jit_codes codes; /* named by files of the program */
	uint64_t *epochs;	/* distinct times of changes, in order */
	size_t epoch_count;
	bool is_made; /* false: only the map has been read */
};

/* Returns the map of the experiment, made at the first call; NULL: out of memory. */
struct address_map *address_map_get(struct expt *expt);
/* Returns the lines of a dynamic function, or NULL. */
const struct dynamic_lines *address_map_lines(struct expt *expt,
					      const struct map_function *function);
/* Read map.xml ahead, so that less is left for address_map_get(). Calls for different
 * experiments may be made at the same time, unless these are in a bundle. */
void address_map_read(struct expt *expt);

#endif
