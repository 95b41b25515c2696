/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The function at an address and time. It is found by the mapping of the address that is
 * unloaded first after the time: that is the current mapping or, for events before their
 * segment was recorded, the next one. So the times of loading have no effect, and only
 * those of unloading divide an experiment into epochs. Code outside of all mappings may
 * have a name in files that the program wrote.
 */
#include "libexpt/places/place.h"

#include "libexpt/base/strbuf.h"
#include "libexpt/format.h"
#include "libexpt/objects/function.h"
#include "libexpt/objects/java.h"
#include "libexpt/places/address_map.h"

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
static size_t count_parts(const struct address_part *parts, size_t count,
			  uint64_t address)
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
			  const struct address_part *parts, uint64_t address)
{
	size_t next = count_parts(parts, mapping->part_count, address);
	uint64_t end = mapping->last + 1; /* 0: the end of the address space */

	if (next < mapping->part_count && parts[next].address <= mapping->last)
		end = parts[next].address;
	wanted->owner = mapping->function->name;
	if (next > 0 && parts[next - 1].address >= mapping->address) {
		const struct address_part *part = &parts[next - 1];

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

/* Note where the code of a row was recorded, once. */
static void note_origin(struct expt *expt, const struct mapping *mapping,
			const struct expt_function *function)
{
	struct arena *arena = &object_table_get(expt)->strings;
	struct dynamic_origin *origin;
	struct strbuf name = STRBUF_INIT;

	if (function == &unknown_function || function->origin)
		return;
	origin = arena_alloc(arena, sizeof(*origin));
	if (expt != expt->founder)
		strbuf_printf(&name, "%s" EXPERIMENT_SUFFIX, expt->lineage);
	if (origin) {
		origin->key = (struct dyntext_key){ mapping->address,
						    mapping->function->loaded_ns,
						    mapping->unloaded_ns };
		origin->experiment = arena_text(arena, strbuf_text(&name), name.length);
	}
	if (origin && origin->experiment)
		((struct expt_function *)(uintptr_t)function)->origin = origin;
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
	function_set_lines(&wanted, mapping->function->source,
			   address_map_lines(expt, mapping->function));
	place->function = function_dynamic(mapping->object, &wanted, key);
	place->offset = address - wanted.start;
	note_origin(expt, mapping, place->function);
}

static const struct dynamic_lines *lines_of(struct expt *expt, const void *function)
{
	return address_map_lines(expt, function);
}

static void compiled_at(struct expt *expt, const struct mapping *mapping,
			uint64_t address, uint64_t time_ns, struct expt_place *place)
{
	const struct map_function *function = mapping->function;
	const struct java_code code = {
		.method = function->method,
		.address = function->address,
		.size = function->size,
		.loaded_ns = function->loaded_ns,
		.find_lines = lines_of,
		.data = function,
	};

	java_compiled(expt, &code, address - function->address, time_ns, place);
	note_origin(expt, mapping, place->function);
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
	const struct mapping *mapping =
		mapping_at(address_map_get(expt), address, time_ns);

	if (!mapping || mapping->function || !image_offset(mapping, address, offset))
		return NULL;
	return mapping->object;
}

void expt_place(struct expt *expt, uint64_t address, uint64_t time_ns,
		struct expt_place *place)
{
	const struct address_map *addresses = address_map_get(expt);
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
		compiled_at(expt, mapping, address, time_ns, place);
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
	const struct address_map *addresses = address_map_get(expt);
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
	const struct address_map *addresses = address_map_get(expt);

	return addresses ? addresses->map.segments.count : 0;
}

const struct expt_segment *expt_segment(struct expt *expt, size_t i)
{
	return &address_map_get(expt)->map.segments.items[i];
}
