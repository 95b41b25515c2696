/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/types/place_list.h"

#include <dwarf.h>

#include "libexpt/dwarf/value.h"

struct list {
	const struct dwarf_unit *unit;
	const struct place *frame;
	struct cursor cursor;
	uint64_t base; /* of relative addresses */
	uint64_t *budget;
	place_taker *take;
	void *context;
	uint64_t low, high; /* of the present entry */
};

/* ---- one entry --------------------------------------------------------------------- */

static bool take_part(void *context, const struct place *place)
{
	const struct list *list = context;

	return list->take(list->context, list->low, list->high, place);
}

static bool take_entry(struct list *list, uint64_t low, uint64_t high, uint64_t size)
{
	const unsigned char *bytes = cursor_skip(&list->cursor, size);

	if (!bytes || low >= high)
		return true;
	list->low = low;
	list->high = high;
	return expression_parts(bytes, size, list->unit, list->frame, take_part, list);
}

static uint64_t largest(unsigned size)
{
	return size < 8 ? (UINT64_C(1) << size * 8) - 1 : UINT64_MAX;
}

/* Before version 5; sets *is_end at the last one. */
static bool read_pair(struct list *list, bool *is_end)
{
	unsigned size = list->unit->encoding.address_size;
	uint64_t low = cursor_number(&list->cursor, size);
	uint64_t high = cursor_number(&list->cursor, size);

	*is_end = list->cursor.failed || (low == 0 && high == 0);
	if (*is_end)
		return true;
	if (low == largest(size)) {
		list->base = high;
		return true;
	}
	return take_entry(list, list->base + low, list->base + high,
			  cursor_number(&list->cursor, 2));
}

static uint64_t read_index(struct list *list)
{
	uint64_t index = cursor_leb128(&list->cursor), address = 0;

	if (!dwarf_indexed_address(&address, index, list->unit))
		list->cursor.failed = true;
	return address;
}

static uint64_t read_address(struct list *list)
{
	return cursor_number(&list->cursor, list->unit->encoding.address_size);
}

/* The addresses of an entry. */
struct span_of_code {
	uint64_t low, high;
	bool has_place;
};

static struct span_of_code relative(struct list *list)
{
	uint64_t low = cursor_leb128(&list->cursor), high = cursor_leb128(&list->cursor);

	return (struct span_of_code){ list->base + low, list->base + high, true };
}

static struct span_of_code with_length(struct list *list, uint64_t low)
{
	return (struct span_of_code){ low, low + cursor_leb128(&list->cursor), true };
}

static struct span_of_code read_span(struct list *list, uint64_t kind)
{
	uint64_t low;

	switch (kind) {
	case DW_LLE_base_addressx:
		list->base = read_index(list);
		break;
	case DW_LLE_base_address:
		list->base = read_address(list);
		break;
	case DW_LLE_startx_endx:
		low = read_index(list);
		return (struct span_of_code){ low, read_index(list), true };
	case DW_LLE_startx_length:
		return with_length(list, read_index(list));
	case DW_LLE_offset_pair:
		return relative(list);
	case DW_LLE_default_location:
		return (struct span_of_code){ 0, UINT64_MAX, true };
	case DW_LLE_start_end:
		low = read_address(list);
		return (struct span_of_code){ low, read_address(list), true };
	case DW_LLE_start_length:
		return with_length(list, read_address(list));
	case DW_LLE_GNU_view_pair:
		cursor_leb128(&list->cursor);
		cursor_leb128(&list->cursor);
		break;
	default:
		list->cursor.failed = true;
		break;
	}
	return (struct span_of_code){ .has_place = false };
}

/* As read_pair(), of version 5. */
static bool read_entry(struct list *list, bool *is_end)
{
	uint64_t kind = cursor_number(&list->cursor, 1);
	struct span_of_code span;

	*is_end = list->cursor.failed || kind == DW_LLE_end_of_list;
	if (*is_end)
		return true;
	span = read_span(list, kind);
	return !span.has_place ||
	       take_entry(list, span.low, span.high, cursor_leb128(&list->cursor));
}

/* ---- where lists are --------------------------------------------------------------- */

static bool find_indexed(uint64_t *offset, const struct detail *detail)
{
	const struct dwarf_encoding *encoding = &detail->unit->encoding;
	uint64_t place;
	struct cursor cursor;

	if (__builtin_mul_overflow(detail->value.number, encoding->offset_size, &place) ||
	    __builtin_add_overflow(place, detail->unit->location_base, &place))
		return false;
	cursor = dwarf_cursor(encoding->file, DWARF_LOCATION_LISTS, place);
	*offset = cursor_number(&cursor, encoding->offset_size);
	return !cursor.failed &&
	       !__builtin_add_overflow(*offset, detail->unit->location_base, offset);
}

/* Split units before version 5 had lists of a form of their own, which is not read. */
static bool find_list(struct list *list, const struct detail *detail)
{
	bool is_new = list->unit->encoding.version >= 5;
	uint64_t offset = detail->value.number;

	switch (detail->value.form) {
	case DW_FORM_loclistx:
		if (!find_indexed(&offset, detail))
			return false;
		break;
	case DW_FORM_sec_offset:
	case DW_FORM_data4:
	case DW_FORM_data8:
		break;
	default:
		return false;
	}
	if (!is_new && list->unit->skeleton)
		return false;
	list->cursor = dwarf_cursor(list->unit->encoding.file,
				    is_new ? DWARF_LOCATION_LISTS : DWARF_LOCATIONS,
				    offset);
	return !list->cursor.failed;
}

bool place_list_read(const struct detail *detail, const struct place *frame,
		     uint64_t *budget, place_taker *take, void *context)
{
	const struct dwarf_unit *owner = detail->unit->skeleton ? detail->unit->skeleton
								: detail->unit;
	struct list list = {
		.unit = detail->unit,
		.frame = frame,
		.base = owner->base_address,
		.take = take,
		.context = context,
	};
	bool is_new = detail->unit->encoding.version >= 5, is_end = false;

	if (!find_list(&list, detail))
		return true;
	while (!is_end && !list.cursor.failed && *budget > 0) {
		--*budget; /* before the entry is taken, which may spend the rest */
		if (!(is_new ? read_entry : read_pair)(&list, &is_end))
			return false;
	}
	return true;
}
