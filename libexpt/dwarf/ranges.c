/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/dwarf/ranges.h"

#include <dwarf.h>
#include <errno.h>

#include "libexpt/dwarf/value.h"

/* A list while it is read. */
struct list {
	const struct dwarf_unit *unit;
	struct dwarf_file *file;
	struct cursor cursor;
	uint64_t base; /* of relative addresses */
	struct spans *spans;
	uint32_t value;
};

void dwarf_extent_take(struct dwarf_extent *extent, unsigned name,
		       const struct dwarf_value *value)
{
	if (name == DW_AT_low_pc)
		extent->low = *value;
	else if (name == DW_AT_high_pc)
		extent->high = *value;
	else if (name == DW_AT_ranges)
		extent->ranges = *value;
}

static uint64_t largest(unsigned size)
{
	return size < 8 ? (UINT64_C(1) << size * 8) - 1 : UINT64_MAX;
}

static int add(const struct list *list, uint64_t low, uint64_t high)
{
	/* Relative addresses of dropped code follow a base that says so. */
	if (list->base >= largest(list->unit->encoding.address_size) - 1)
		return 0;
	return spans_add(list->spans, low, high, list->value);
}

/* ---- lists before version 5 -------------------------------------------------------- */

/* Returns 1 if the list goes on, 0 at its end, or -ENOMEM. */
static int read_pair(struct list *list)
{
	unsigned size = list->unit->encoding.address_size;
	uint64_t low = cursor_number(&list->cursor, size);
	uint64_t high = cursor_number(&list->cursor, size);
	int rc = 0;

	if (list->cursor.failed || (low == 0 && high == 0))
		return 0;
	if (low == largest(size))
		list->base = high;
	else if (high > low)
		rc = add(list, list->base + low, list->base + high);
	return rc < 0 ? rc : 1;
}

/* ---- lists of version 5 ------------------------------------------------------------ */

static uint64_t read_index(struct list *list)
{
	uint64_t index = cursor_leb128(&list->cursor), address;

	if (list->cursor.failed || !dwarf_indexed_address(&address, index, list->unit)) {
		list->cursor.failed = true;
		return 0;
	}
	return address;
}

static uint64_t read_address(struct list *list)
{
	return cursor_number(&list->cursor, list->unit->encoding.address_size);
}

static uint64_t read_number(struct list *list)
{
	return cursor_leb128(&list->cursor);
}

/* The kinds of entries: how their two numbers are read, and what the second one is. */
enum second { SECOND_NONE, SECOND_END, SECOND_LENGTH, SECOND_OFFSETS };

static const struct kind {
	uint64_t (*first)(struct list *list), (*other)(struct list *list);
	enum second second;
} kinds[] = {
	[DW_RLE_base_addressx] = { read_index, NULL, SECOND_NONE },
	[DW_RLE_startx_endx] = { read_index, read_index, SECOND_END },
	[DW_RLE_startx_length] = { read_index, read_number, SECOND_LENGTH },
	[DW_RLE_offset_pair] = { read_number, read_number, SECOND_OFFSETS },
	[DW_RLE_base_address] = { read_address, NULL, SECOND_NONE },
	[DW_RLE_start_end] = { read_address, read_address, SECOND_END },
	[DW_RLE_start_length] = { read_address, read_number, SECOND_LENGTH },
};

static int add_entry(struct list *list, enum second second, uint64_t first,
		     uint64_t other)
{
	switch (second) {
	case SECOND_NONE:
		list->base = first;
		return 0;
	case SECOND_END:
		return spans_add(list->spans, first, other, list->value);
	case SECOND_LENGTH:
		return spans_add(list->spans, first, first + other, list->value);
	default:
		return add(list, list->base + first, list->base + other);
	}
}

/* As read_pair(). */
static int read_entry(struct list *list)
{
	uint64_t code = cursor_number(&list->cursor, 1), first, other = 0;
	int rc;

	if (list->cursor.failed || code == DW_RLE_end_of_list ||
	    code >= sizeof(kinds) / sizeof(*kinds))
		return 0;
	first = kinds[code].first(list);
	if (kinds[code].other)
		other = kinds[code].other(list);
	if (list->cursor.failed)
		return 0;
	rc = add_entry(list, kinds[code].second, first, other);
	return rc < 0 ? rc : 1;
}

/* ---- where lists are --------------------------------------------------------------- */

/* Get the offset of a list by its index in a table of offsets, to which they are
 * relative. */
static bool find_indexed(uint64_t *offset, const struct dwarf_value *ranges,
			 const struct dwarf_unit *unit)
{
	const struct dwarf_encoding *encoding = &unit->encoding;
	uint64_t place;
	struct cursor cursor;

	if (__builtin_mul_overflow(ranges->number, encoding->offset_size, &place) ||
	    __builtin_add_overflow(place, unit->list_base, &place))
		return false;
	cursor = dwarf_cursor(encoding->file, DWARF_RANGE_LISTS, place);
	*offset = cursor_number(&cursor, encoding->offset_size);
	return !cursor.failed &&
	       !__builtin_add_overflow(*offset, unit->list_base, offset);
}

/* Before version 5, the lists of split units are in the object. */
static bool find_list(struct list *list, const struct dwarf_value *ranges)
{
	const struct dwarf_unit *unit = list->unit, *owner = unit;
	bool is_new = unit->encoding.version >= 5;
	uint64_t offset = ranges->number;

	if (ranges->form == DW_FORM_rnglistx && !find_indexed(&offset, ranges, unit))
		return false;
	if (!is_new && unit->skeleton) {
		owner = unit->skeleton;
		offset += owner->range_base;
	}
	/* A list is read once, but counted where it is. */
	list->file = (struct dwarf_file *)(uintptr_t)owner->encoding.file;
	list->cursor = dwarf_cursor(list->file, is_new ? DWARF_RANGE_LISTS : DWARF_RANGES,
				    offset);
	return !list->cursor.failed;
}

static int add_list(struct spans *spans, const struct dwarf_value *ranges,
		    const struct dwarf_unit *unit, uint32_t value)
{
	const struct dwarf_unit *owner = unit->skeleton ? unit->skeleton : unit;
	struct list list = {
		.unit = unit, .base = owner->base_address, .spans = spans, .value = value
	};
	int rc = 1;

	if (!find_list(&list, ranges))
		return 0;
	while (rc > 0 && list.file->range_budget > 0) {
		rc = unit->encoding.version >= 5 ? read_entry(&list) : read_pair(&list);
		list.file->range_budget--;
	}
	return rc < 0 ? rc : 0;
}

/* ---- extents ----------------------------------------------------------------------- */

bool dwarf_extent_low(uint64_t *low, const struct dwarf_extent *extent,
		      const struct dwarf_unit *unit)
{
	return dwarf_value_address(low, &extent->low, unit);
}

int dwarf_extent_add(struct spans *spans, const struct dwarf_extent *extent,
		     const struct dwarf_unit *unit, uint32_t value)
{
	uint64_t low, high;

	if (extent->ranges.form)
		return add_list(spans, &extent->ranges, unit, value);
	if (!extent->high.form || !dwarf_extent_low(&low, extent, unit))
		return 0;
	if (!dwarf_value_address(&high, &extent->high, unit) &&
	    __builtin_add_overflow(low, extent->high.number, &high))
		return 0;
	return spans_add(spans, low, high, value);
}
