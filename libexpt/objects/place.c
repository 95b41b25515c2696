/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The function at an address and time. It is found by the mapping of the address that is
 * unloaded first after the time: that is the current mapping or, for events before their
 * segment was recorded, the next one. So the times of loading have no effect, and only
 * those of unloading divide an experiment into epochs. Code outside of all mappings may
 * have a name in files that the program wrote.
 */
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/number.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/experiment/damage.h"
#include "libexpt/experiment/map.h"
#include "libexpt/format.h"
#include "libexpt/objects/java.h"
#include "libexpt/objects/jit.h"
#include "libexpt/objects/place.h"
#include "libexpt/objects/private.h"

/* A named part of a dynamic function. */
struct part {
	const char *name;
	uint64_t address, size;
};

struct mapping {
	uint64_t address, last; /* inclusive: the address space may end here */
	uint64_t subtree_last;	/* the largest last in the subtree, see find_mapping() */
	uint64_t unloaded_ns;
	struct expt_object *object;
	uint64_t file_offset;
	const struct map_function *function; /* of dynamic code, or NULL */
	const struct dynamic_lines *text;    /* its lines, or NULL */
	size_t first_part, part_count;
	size_t order; /* of loading */
};

struct address_map {
	struct expt_map map;
	struct lined_code lined;
	struct {
		struct mapping *items; /* by address */
		size_t count, capacity;
	} mappings;
	struct {
		struct part *items; /* by address in each function */
		size_t count, capacity;
	} parts;
	struct jit_codes codes; /* named by files of the program */
	uint64_t *epochs;	/* distinct times of changes, in order */
	size_t epoch_count;
};

/* ---- making the map ---------------------------------------------------------------- */

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
	const struct part *x = a, *y = b;

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
	mapping->text = lined_code_find(&addresses->lined, function);
	mapping->first_part = addresses->parts.count;
	while (i > 0 && addresses->map.functions.items[i - 1].is_part) {
		const struct map_function *from = &addresses->map.functions.items[--i];
		struct part *part = array_add(&addresses->parts);

		if (!part)
			break;
		*part = (struct part){ from->name, from->address, from->size };
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

static struct address_map *make_map(struct expt *expt)
{
	struct object_table *table = object_table_get(expt);
	struct address_map *addresses = table ? calloc(1, sizeof(*addresses)) : NULL;
	struct expt_error err;

	if (!addresses)
		return NULL;
	if (map_read(&addresses->map, &expt->folder, &err) < 0) {
		expt_add_damage(expt, "%s", err.message);
		map_release(&addresses->map); /* an incomplete map would be wrong */
	}
	expt_add_damage_of(expt, &addresses->map.damage);
	if (addresses->map.functions.count > 0)
		lined_code_read(&addresses->lined, &expt->folder, &table->strings);
	add_all(addresses, table);
	if (addresses->mappings.count > 0) {
		qsort(addresses->mappings.items, addresses->mappings.count,
		      sizeof(*addresses->mappings.items), compare_mappings);
		measure_subtrees(addresses->mappings.items, 0, addresses->mappings.count);
	}
	jit_read(&addresses->codes, expt);
	find_epochs(addresses);
	return addresses;
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

static struct address_map *get_map(struct expt *expt)
{
	if (!expt->addresses) {
		expt->addresses = make_map(expt);
		expt->close_addresses = close_map;
	}
	return expt->addresses;
}

/* ---- lookup ------------------------------------------------------------------------ */

/* If two mappings end at the same time, the later one counts, but code announced as a
 * function always wins. */
static bool is_better(const struct mapping *mapping, const struct mapping *best)
{
	if (!best || mapping->unloaded_ns != best->unloaded_ns)
		return !best || mapping->unloaded_ns < best->unloaded_ns;
	if (!mapping->function != !best->function)
		return mapping->function;
	return mapping->order > best->order;
}

static void find_mapping(const struct mapping *mappings, size_t low, size_t high,
			 uint64_t address, uint64_t time_ns, const struct mapping **best)
{
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct mapping *mapping = &mappings[middle];

		if (mapping->subtree_last < address)
			return;
		find_mapping(mappings, low, middle, address, time_ns, best);
		if (mapping->address > address)
			return;
		if (mapping->last >= address && mapping->unloaded_ns > time_ns &&
		    is_better(mapping, *best))
			*best = mapping;
		low = middle + 1;
	}
}

/* Returns the number of parts that begin at the address or before it. */
static size_t count_parts(const struct part *parts, size_t count, uint64_t address)
{
	size_t low = 0;

	while (low < count) {
		size_t middle = low + (count - low) / 2;

		if (parts[middle].address <= address)
			low = middle + 1;
		else
			count = middle;
	}
	return low;
}

/* Fill *wanted with a part, or the gap between two, and return the key of its row: a part
 * is the same wherever its owner is loaded, while a gap's name contains its address. */
static uint64_t find_part(struct expt_function *wanted, const struct mapping *mapping,
			  const struct part *parts, uint64_t address)
{
	size_t next = count_parts(parts, mapping->part_count, address);
	uint64_t end = mapping->last + 1; /* 0: the end of the address space */

	if (next < mapping->part_count && parts[next].address <= mapping->last)
		end = parts[next].address;
	wanted->owner = mapping->function->name;
	if (next > 0 && parts[next - 1].address >= mapping->address) {
		const struct part *part = &parts[next - 1];

		wanted->start = part->address;
		wanted->size = end - part->address;
		if (part->size > 0 && part->size < wanted->size)
			wanted->size = part->size;
		if (address - part->address < wanted->size) {
			wanted->symbol = part->name;
			return part->address - mapping->address;
		}
		wanted->start += wanted->size;
	}
	wanted->size = end - wanted->start;
	return wanted->start;
}

/* Note where the code of a new row was recorded. */
static void note_origin(struct expt *expt, const struct mapping *mapping,
			struct expt_function *function)
{
	struct arena *arena = &object_table_get(expt)->strings;
	struct dynamic_origin *origin = arena_alloc(arena, sizeof(*origin));
	struct strbuf name = STRBUF_INIT;

	if (expt != expt->founder)
		strbuf_printf(&name, "%s" EXPERIMENT_SUFFIX, expt->lineage);
	if (origin) {
		origin->key = (struct dyntext_key){ mapping->address,
						    mapping->function->loaded_ns,
						    mapping->unloaded_ns };
		origin->experiment = arena_text(arena, strbuf_text(&name), name.length);
	}
	if (origin && origin->experiment)
		function->origin = origin;
	strbuf_release(&name);
}

static void dynamic_at(struct expt *expt, const struct address_map *addresses,
		       const struct mapping *mapping, uint64_t address,
		       struct expt_place *place)
{
	struct expt_function wanted = { .start = mapping->address };
	uint64_t key = mapping->address;

	if (mapping->part_count == 0) {
		wanted.size = mapping->function->size;
		wanted.symbol = mapping->function->name;
		wanted.alias = mapping->function->alias;
	} else {
		key = find_part(&wanted, mapping,
				addresses->parts.items + mapping->first_part, address);
	}
	wanted.line_base = wanted.start - mapping->address;
	function_set_lines(&wanted, mapping->function->source, mapping->text);
	place->function = function_dynamic(mapping->object, &wanted, key);
	place->offset = address - wanted.start;
	if (place->function != &unknown_function && !place->function->origin)
		note_origin(expt, mapping,
			    (struct expt_function *)(uintptr_t)place->function);
}

static const struct mapping *mapping_at(const struct address_map *addresses,
					uint64_t address, uint64_t time_ns)
{
	const struct mapping *mapping = NULL;

	if (addresses)
		find_mapping(addresses->mappings.items, 0, addresses->mappings.count,
			     address, time_ns, &mapping);
	return mapping;
}

static bool image_offset(const struct mapping *mapping, uint64_t address,
			 uint64_t *offset)
{
	return !__builtin_add_overflow(address - mapping->address, mapping->file_offset,
				       offset);
}

struct expt_object *place_object(struct expt *expt, uint64_t address, uint64_t time_ns,
				 uint64_t *offset)
{
	const struct mapping *mapping = mapping_at(get_map(expt), address, time_ns);

	if (!mapping || mapping->function || !image_offset(mapping, address, offset))
		return NULL;
	return mapping->object;
}

void expt_place(struct expt *expt, uint64_t address, uint64_t time_ns,
		struct expt_place *place)
{
	const struct address_map *addresses = get_map(expt);
	const struct mapping *mapping = mapping_at(addresses, address, time_ns);
	uint64_t offset;

	*place = (struct expt_place){ .function = &unknown_function, .offset = address };
	if (!mapping) {
		if (addresses)
			jit_place(&addresses->codes, object_table_get(expt), address,
				  time_ns, place);
		return;
	}
	if (mapping->function && mapping->function->is_java) {
		java_compiled(expt, mapping->function->method, address - mapping->address,
			      time_ns, place);
		return;
	}
	if (mapping->function) {
		dynamic_at(expt, addresses, mapping, address, place);
		return;
	}
	if (!image_offset(mapping, address, &offset))
		return;
	place->function = function_at(mapping->object, offset);
	place->offset = offset - place->function->start;
	place->is_plt = place->function->is_plt;
}

uint32_t expt_epoch(struct expt *expt, uint64_t time_ns)
{
	const struct address_map *addresses = get_map(expt);
	size_t low = 0, high = addresses ? addresses->epoch_count : 0;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (addresses->epochs[middle] <= time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return (uint32_t)low;
}

/* ---- segments ---------------------------------------------------------------------- */

size_t expt_segment_count(struct expt *expt)
{
	const struct address_map *addresses = get_map(expt);

	return addresses ? addresses->map.segments.count : 0;
}

const struct expt_segment *expt_segment(struct expt *expt, size_t i)
{
	return &get_map(expt)->map.segments.items[i];
}
