/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/types/statics.h"

#include <dwarf.h>
#include <stdlib.h>

#include "libexpt/base/array.h"
#include "libexpt/dwarf/split.h"
#include "libexpt/dwarf/value.h"
#include "libexpt/types/private.h"

/* Variables without a known size reach no further than this. */
#define SIZE_UNKNOWN 1
#define STATICS_MAX  1000000 /* more are not read */

/* ---- reading ----------------------------------------------------------------------- */

static bool is_static(uint64_t *address, const struct dwarf_unit *unit,
		      const struct dwarf_value *location)
{
	struct detail detail = { *location, NULL };
	struct place place;

	if (!expression_is(&detail) || location->number == 0 ||
	    (location->bytes[0] != DW_OP_addr && location->bytes[0] != DW_OP_addrx &&
	     location->bytes[0] != 0xfb))
		return false;
	place = expression_place(location->bytes, location->number, unit, NULL);
	*address = place.address;
	return place.kind == PLACE_STATIC && place.address != 0;
}

static bool visit(struct statics *statics, struct dwarf_unit *unit,
		  struct dwarf_entry *entry)
{
	struct static_variable *new;
	struct dwarf_value value;
	uint64_t address;
	unsigned name;

	if (entry->tag != DW_TAG_variable)
		return true;
	while (dwarf_attribute_next(&name, &value, entry)) {
		if (name != DW_AT_location || !is_static(&address, unit, &value))
			continue;
		if (statics->list.count == STATICS_MAX)
			return false;
		new = array_add(&statics->list);
		if (!new)
			return false;
		*new = (struct static_variable){
			.address = address,
			.end = address + SIZE_UNKNOWN,
			.unit = unit,
			.offset = entry->offset,
		};
		break;
	}
	return true;
}

static bool read_unit(struct statics *statics, struct dwarf_unit *unit)
{
	struct dwarf_unit *whole = dwarf_split(unit);
	struct dwarf_entries entries;
	struct dwarf_entry entry;
	bool is_good = true;

	if (!whole || !dwarf_entries_begin(&entries, whole, whole->first))
		return true;
	while (is_good && dwarf_entry_next(&entry, &entries)) {
		is_good = visit(statics, whole, &entry);
		dwarf_entry_finish(&entry, &entries);
	}
	return is_good;
}

static int compare(const void *one, const void *other)
{
	const struct static_variable *a = one, *b = other;

	if (a->address != b->address)
		return a->address > b->address ? 1 : -1;
	return (a->offset > b->offset) - (a->offset < b->offset);
}

static void read_all(struct statics *statics, const struct types *types)
{
	const struct dwarf_units *units = &types->dwarf->debug.units;

	statics->has_all = true;
	for (size_t i = 0; i < units->count; i++)
		if (!read_unit(statics, units->items[i]))
			break;
	if (statics->list.count > 0)
		qsort(statics->list.items, statics->list.count,
		      sizeof(*statics->list.items), compare);
}

/* ---- finding ----------------------------------------------------------------------- */

static void read_variable(struct static_variable *found, struct types *types)
{
	struct details details;

	found->is_read = true;
	found->variable.name = "-";
	if (!details_read(&details, found->unit, found->offset))
		return;
	if (details.name)
		found->variable.name = details.name;
	found->variable.type = type_of(types, &details.type);
	if (found->variable.type && found->variable.type->size > 0)
		found->end = found->address + found->variable.type->size;
}

const struct variable *statics_find(struct statics *statics, struct types *types,
				    uint64_t address, uint64_t *start)
{
	size_t low = 0, high;

	if (!statics->has_all)
		read_all(statics, types);
	high = statics->list.count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (statics->list.items[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return NULL;
	if (!statics->list.items[low - 1].is_read)
		read_variable(&statics->list.items[low - 1], types);
	if (address >= statics->list.items[low - 1].end)
		return NULL;
	*start = statics->list.items[low - 1].address;
	return &statics->list.items[low - 1].variable;
}

void statics_release(struct statics *statics)
{
	array_release(&statics->list);
}
