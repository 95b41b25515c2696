/* SPDX-License-Identifier: Apache-2.0 */
/* Segments of files and dynamic functions become mappings, in the order of loading, which
 * numbers the load objects. */
#include "libexpt/places/address_map.h"

#include <stdlib.h>

#include "libexpt/base/array.h"
#include "libexpt/base/number.h"
#include "libexpt/experiment/damage.h"

static struct mapping *add_mapping(struct address_map *addresses, uint64_t address,
				   uint64_t size, uint64_t unloaded_ns)
{
	struct mapping *mapping = size > 0 ? array_add(&addresses->mappings) : NULL;

	if (!mapping)
		return NULL;
	mapping->order = addresses->mappings.count;
	mapping->address = address;
	if (__builtin_add_overflow(address, size - 1, &mapping->last))
		mapping->last = UINT64_MAX;
	mapping->unloaded_ns = unloaded_ns;
	return mapping;
}

/* A load object begins with a segment that is only readable and executable; other
 * segments of a file belong to the object if it is known by then. */
static void add_segment(struct address_map *addresses, struct object_table *table,
			struct expt_segment *segment)
{
	bool is_code = segment->modes == EXPT_MAP_LOAD_OBJECT;
	struct mapping *mapping;

	segment->object = object_of_segment(table, segment, is_code);
	if (!segment->object)
		return;
	mapping = add_mapping(addresses, segment->address, segment->size,
			      segment->unloaded_ns);
	if (!mapping)
		return;
	mapping->object = segment->object;
	mapping->file_offset = segment->file_offset;
}

static int compare_parts(const void *a, const void *b)
{
	const struct address_part *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

/* Add the function at index i, with the parts that precede it. */
static void add_function(struct address_map *addresses, struct object_table *table,
			 size_t i)
{
	const struct map_function *function = &addresses->map.functions.items[i];
	struct expt_object *object = object_dynamic(table);
	struct mapping *mapping = add_mapping(addresses, function->address,
					      function->size, function->unloaded_ns);

	if (!mapping || !object)
		return;
	mapping->object = object;
	mapping->function = function;
	mapping->first_part = addresses->parts.count;
	while (i > 0 && addresses->map.functions.items[i - 1].is_part) {
		const struct map_function *from = &addresses->map.functions.items[--i];
		struct address_part *part = array_add(&addresses->parts);

		if (!part)
			break;
		*part = (struct address_part){ from->name, from->address, from->size };
	}
	mapping->part_count = addresses->parts.count - mapping->first_part;
	if (mapping->part_count > 0)
		qsort(addresses->parts.items + mapping->first_part, mapping->part_count,
		      sizeof(*addresses->parts.items), compare_parts);
}

/* Add segments and functions in the order of loading, which numbers the objects. */
static void add_all(struct address_map *addresses, struct object_table *table)
{
	const struct expt_map *map = &addresses->map;
	size_t segment = 0;

	for (size_t i = 0; i < map->functions.count; i++) {
		if (map->functions.items[i].is_part)
			continue;
		while (segment < map->segments.count &&
		       map->segments.items[segment].loaded_ns <=
			       map->functions.items[i].loaded_ns)
			add_segment(addresses, table, &map->segments.items[segment++]);
		add_function(addresses, table, i);
	}
	while (segment < map->segments.count)
		add_segment(addresses, table, &map->segments.items[segment++]);
}

static int compare_mappings(const void *a, const void *b)
{
	const struct mapping *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

/* The sorted mappings are also a tree: the middle one is its root, the halves its
 * subtrees. */
static uint64_t measure_subtrees(struct mapping *mappings, size_t low, size_t high)
{
	size_t middle = low + (high - low) / 2;
	uint64_t last, below;

	if (low >= high)
		return 0;
	last = mappings[middle].last;
	below = measure_subtrees(mappings, low, middle);
	if (below > last)
		last = below;
	below = measure_subtrees(mappings, middle + 1, high);
	if (below > last)
		last = below;
	return mappings[middle].subtree_last = last;
}

static void find_epochs(struct address_map *addresses)
{
	size_t count = jit_codes_changes(&addresses->codes, NULL);

	addresses->epochs =
		calloc(addresses->mappings.count + count + 1, sizeof(uint64_t));
	if (!addresses->epochs)
		return;
	jit_codes_changes(&addresses->codes, addresses->epochs);
	for (size_t i = 0; i < addresses->mappings.count; i++)
		if (addresses->mappings.items[i].unloaded_ns != UINT64_MAX)
			addresses->epochs[count++] =
				addresses->mappings.items[i].unloaded_ns;
	qsort(addresses->epochs, count, sizeof(*addresses->epochs), number_compare);
	for (size_t i = 0; i < count; i++)
		if (i == 0 || addresses->epochs[i] != addresses->epochs[i - 1])
			addresses->epochs[addresses->epoch_count++] =
				addresses->epochs[i];
}

static void close_map(struct address_map *addresses)
{
	array_release(&addresses->mappings);
	array_release(&addresses->parts);
	jit_codes_release(&addresses->codes);
	free(addresses->epochs);
	lined_code_release(&addresses->lined);
	map_release(&addresses->map);
	free(addresses);
}

void address_map_read(struct expt *expt)
{
	struct address_map *addresses;
	struct expt_error err;

	if (expt->addresses)
		return;
	addresses = calloc(1, sizeof(*addresses));
	if (!addresses)
		return;
	if (map_read(&addresses->map, &expt->folder, &err) < 0) {
		expt_add_damage(expt, "%s", err.message);
		map_release(&addresses->map); /* an incomplete map would be wrong */
	}
	expt_add_damage_of(expt, &addresses->map.damage);
	expt->addresses = addresses;
	expt->close_addresses = close_map;
}

static void make_map(struct address_map *addresses, struct expt *expt,
		     struct object_table *table)
{
	addresses->is_made = true;
	add_all(addresses, table);
	if (addresses->mappings.count > 0) {
		qsort(addresses->mappings.items, addresses->mappings.count,
		      sizeof(*addresses->mappings.items), compare_mappings);
		measure_subtrees(addresses->mappings.items, 0, addresses->mappings.count);
	}
	jit_read(&addresses->codes, expt);
	find_epochs(addresses);
}

struct address_map *address_map_get(struct expt *expt)
{
	struct object_table *table;

	if (expt->addresses && expt->addresses->is_made)
		return expt->addresses;
	table = object_table_get(expt);
	if (table)
		address_map_read(expt);
	if (!table || !expt->addresses)
		return NULL;
	make_map(expt->addresses, expt, table);
	return expt->addresses;
}

const struct dynamic_lines *address_map_lines(struct expt *expt,
					      const struct map_function *function)
{
	struct address_map *addresses = address_map_get(expt);

	if (!addresses->has_lined)
		lined_code_read(&addresses->lined, &expt->folder,
				&object_table_get(expt)->strings);
	addresses->has_lined = true;
	return lined_code_find(&addresses->lined, function);
}
