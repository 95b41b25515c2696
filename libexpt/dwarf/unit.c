/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/dwarf/unit.h"

#include <dwarf.h>
#include <errno.h>

#include "libexpt/base/array.h"
#include "libexpt/dwarf/entry.h"
#include "libexpt/dwarf/ranges.h"
#include "libexpt/dwarf/value.h"

/* ---- the header -------------------------------------------------------------------- */

/* Read what follows the version, which is ordered otherwise since 5. */
static void read_header(struct dwarf_unit *unit, struct cursor *cursor)
{
	struct dwarf_encoding *encoding = &unit->encoding;

	unit->type = DW_UT_compile;
	if (encoding->version >= 5) {
		unit->type = (unsigned)cursor_number(cursor, 1);
		encoding->address_size = (unsigned)cursor_number(cursor, 1);
	}
	unit->abbreviations += cursor_number(cursor, encoding->offset_size);
	if (encoding->version < 5)
		encoding->address_size = (unsigned)cursor_number(cursor, 1);
	if (unit->type == DW_UT_skeleton || unit->type == DW_UT_split_compile)
		unit->number = cursor_number(cursor, 8);
	if (unit->type == DW_UT_type || unit->type == DW_UT_split_type)
		cursor_skip(cursor, 8 + encoding->offset_size);
}

static bool is_known(const struct dwarf_encoding *encoding)
{
	return encoding->version >= 2 && encoding->version <= 5 &&
	       (encoding->address_size == 4 || encoding->address_size == 8);
}

/* Returns false if not even the end of the unit is known. */
static bool find_end(struct dwarf_unit *unit, struct cursor *cursor)
{
	const unsigned char *start = unit->encoding.file->sections[DWARF_INFO].bytes;
	uint64_t length = cursor_length(cursor, &unit->encoding.offset_size);
	struct cursor end = *cursor;

	if (length == 0 || !cursor_skip(&end, length))
		return false;
	unit->end = (uint64_t)(end.at - start);
	cursor->end = end.at;
	unit->encoding.version = (unsigned)cursor_number(cursor, 2);
	unit->first = unit->end;
	if (unit->encoding.version < 2 || unit->encoding.version > 5)
		return true;
	read_header(unit, cursor);
	if (!cursor->failed && is_known(&unit->encoding))
		unit->first = (uint64_t)(cursor->at - start);
	return true;
}

/* ---- the first entry --------------------------------------------------------------- */

/* Attributes of the first entry that are needed once all of them are known. */
struct head {
	struct dwarf_value directory, split_name;
};

static void take_number(uint64_t *number, const struct dwarf_value *value)
{
	*number = value->number;
}

static void take_attribute(struct dwarf_unit *unit, struct head *head, unsigned name,
			   const struct dwarf_value *value)
{
	dwarf_extent_take(&unit->extent, name, value);
	switch (name) {
	case DW_AT_comp_dir:
		head->directory = *value;
		break;
	case DW_AT_dwo_name:
	case DW_AT_GNU_dwo_name:
		head->split_name = *value;
		break;
	case DW_AT_GNU_dwo_id:
		take_number(&unit->number, value);
		break;
	case DW_AT_stmt_list:
		unit->has_lines = true;
		unit->lines += value->number;
		break;
	case DW_AT_str_offsets_base:
		take_number(&unit->string_base, value);
		break;
	case DW_AT_addr_base:
	case DW_AT_GNU_addr_base:
		take_number(&unit->address_base, value);
		break;
	case DW_AT_rnglists_base:
		take_number(&unit->list_base, value);
		break;
	case DW_AT_loclists_base:
		take_number(&unit->location_base, value);
		break;
	case DW_AT_GNU_ranges_base:
		take_number(&unit->range_base, value);
		break;
	default:
		break;
	}
}

static void read_first(struct dwarf_unit *unit)
{
	struct dwarf_entries entries;
	struct dwarf_entry entry;
	struct head head = { .directory.form = 0 };
	struct dwarf_value value;
	unsigned name;

	if (!dwarf_entries_begin(&entries, unit, unit->first) ||
	    !dwarf_entry_next(&entry, &entries))
		return;
	while (dwarf_attribute_next(&name, &value, &entry))
		take_attribute(unit, &head, name, &value);
	unit->tag = entry.tag;
	unit->directory = dwarf_value_text(&head.directory, &unit->encoding, unit);
	unit->split_name = dwarf_value_text(&head.split_name, &unit->encoding, unit);
	if (!dwarf_extent_low(&unit->base_address, &unit->extent, unit))
		unit->base_address = 0;
}

/* Tables of split units have no attribute that says where they begin: after their header,
 * which only exists since version 5. */
static void set_bases(struct dwarf_unit *unit,
		      const struct dwarf_contributions *contributions)
{
	unsigned length = unit->encoding.offset_size == 8 ? 12 : 4;
	bool has_headers = unit->encoding.version >= 5;

	unit->string_base = contributions->string_offsets;
	unit->list_base = contributions->range_lists;
	unit->location_base = contributions->locations;
	if (!has_headers || !unit->encoding.file->is_split)
		return;
	unit->string_base += length + 4;
	unit->list_base += length + 8;
	unit->location_base += length + 8;
}

/* ---- all of them ------------------------------------------------------------------- */

struct dwarf_unit *dwarf_unit_read(struct dwarf_file *file, uint64_t offset,
				   const struct dwarf_contributions *contributions)
{
	struct cursor cursor = dwarf_cursor(file, DWARF_INFO, offset);
	struct dwarf_unit *unit = arena_alloc(&file->dwarf->arena, sizeof(*unit));

	if (!unit || cursor.failed)
		return NULL;
	unit->encoding.file = file;
	unit->offset = offset;
	unit->abbreviations = contributions->abbreviations;
	unit->lines = contributions->lines;
	if (!find_end(unit, &cursor))
		return NULL;
	set_bases(unit, contributions);
	if (unit->type != DW_UT_type && unit->type != DW_UT_split_type)
		read_first(unit);
	return unit;
}

int dwarf_units_read(struct dwarf_file *file)
{
	static const struct dwarf_contributions whole;
	uint64_t offset = 0;

	while (offset < file->sections[DWARF_INFO].size) {
		struct dwarf_unit *unit = dwarf_unit_read(file, offset, &whole), **slot;

		if (!unit)
			return 0;
		slot = array_add(&file->units);
		if (!slot)
			return -ENOMEM;
		*slot = unit;
		offset = unit->end;
	}
	return 0;
}

struct dwarf_unit *dwarf_unit_find(const struct dwarf_file *file, uint64_t offset)
{
	size_t low = 0, high = file->units.count;
	struct dwarf_unit *unit;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (file->units.items[middle]->offset <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	unit = low > 0 ? file->units.items[low - 1] : NULL;
	return unit && offset >= unit->first && offset < unit->end ? unit : NULL;
}
