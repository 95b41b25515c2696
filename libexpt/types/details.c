/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/types/details.h"

#include <dwarf.h>
#include <string.h>

#include "libexpt/dwarf/ranges.h"
#include "libexpt/dwarf/unit.h"
#include "libexpt/dwarf/value.h"

/* An instance refers to a definition, that to a declaration; LTO adds one more. */
#define STEPS_MAX 16
/* Longer names are none: those of templates have some thousand characters. */
#define NAME_MAX_LENGTH 16384
/* Characters that count as one attribute. */
#define TEXT_SIZE 64

/* ---- attributes -------------------------------------------------------------------- */

/* Attributes that are kept as they are. The first entry that has one counts. */
static struct detail *slot_of(struct details *details, unsigned name)
{
	switch (name) {
	case DW_AT_type:
		return &details->type;
	case DW_AT_location:
		return &details->location;
	case DW_AT_frame_base:
		return &details->frame_base;
	case DW_AT_byte_size:
		return &details->size;
	case DW_AT_data_member_location:
		return &details->member_location;
	case DW_AT_bit_size:
		return &details->bit_size;
	case DW_AT_bit_offset:
		return &details->bit_offset;
	case DW_AT_data_bit_offset:
		return &details->data_bit_offset;
	case DW_AT_count:
		return &details->count;
	case DW_AT_lower_bound:
		return &details->lower_bound;
	case DW_AT_upper_bound:
		return &details->upper_bound;
	case DW_AT_data_location:
		return &details->data_location;
	case DW_AT_encoding:
		return &details->encoding;
	case DW_AT_language:
		return &details->language;
	case DW_AT_call_return_pc:
		return &details->call_return;
	case DW_AT_call_origin:
		return &details->call_origin;
	default:
		return NULL;
	}
}

static const char *text_of(const struct dwarf_value *value, const struct dwarf_unit *unit)
{
	const char *text = dwarf_value_text(value, &unit->encoding, unit);
	size_t length = text ? strnlen(text, NAME_MAX_LENGTH + 1) : 0;

	dwarf_entry_spend(unit, length / TEXT_SIZE);
	return length <= NAME_MAX_LENGTH ? text : NULL;
}

static void take_other(struct details *details, struct dwarf_unit *unit, unsigned name,
		       const struct dwarf_value *value)
{
	switch (name) {
	case DW_AT_name:
		if (!details->name)
			details->name = text_of(value, unit);
		break;
	case DW_AT_linkage_name:
	case DW_AT_MIPS_linkage_name:
		if (!details->linkage_name)
			details->linkage_name = text_of(value, unit);
		break;
	case DW_AT_decl_line:
		if (details->line == 0)
			details->line = dwarf_value_small(value);
		break;
	case DW_AT_external:
		details->is_static = true;
		break;
	case DW_AT_noreturn:
		details->is_noreturn = true;
		break;
	case DW_AT_const_value:
		details->has_const_value = true;
		break;
	case DW_AT_abstract_origin:
	case DW_AT_specification:
		if (details->tag == DW_TAG_GNU_call_site)
			details->call_origin = (struct detail){ *value, unit };
		else
			details->next = *value;
		break;
	case DW_AT_low_pc:
		if (details->tag == DW_TAG_GNU_call_site)
			details->call_return = (struct detail){ *value, unit };
		break;
	default:
		break;
	}
}

static void take_attributes(struct details *details, struct dwarf_unit *unit,
			    struct dwarf_entry *entry, bool is_first)
{
	struct dwarf_value value;
	struct detail *slot;
	unsigned name;

	details->next.form = 0;
	while (dwarf_attribute_next(&name, &value, entry)) {
		slot = slot_of(details, name);
		if (slot && !slot->value.form)
			*slot = (struct detail){ value, unit };
		else if (!slot)
			take_other(details, unit, name, &value);
		if (!is_first)
			continue;
		dwarf_extent_take(&details->extent, name, &value);
		details->is_declaration |= name == DW_AT_declaration;
	}
}

/* ---- entries ----------------------------------------------------------------------- */

static bool follow(struct dwarf_unit **unit, uint64_t *offset,
		   const struct dwarf_value *value)
{
	const struct dwarf_file *file = dwarf_value_entry(offset, value, *unit);

	if (!file)
		return false;
	if (file != (*unit)->encoding.file || *offset < (*unit)->first ||
	    *offset >= (*unit)->end)
		*unit = dwarf_unit_find(file, *offset);
	return *unit != NULL;
}

void details_take(struct details *details, struct dwarf_unit *unit,
		  struct dwarf_entry *entry)
{
	struct dwarf_unit *other = unit;
	uint64_t offset;

	*details = (struct details){
		.tag = entry->tag,
		.has_children = entry->has_children,
		.unit = unit,
	};
	take_attributes(details, unit, entry, true);
	for (int step = 0; step < STEPS_MAX && details->next.form; step++) {
		struct dwarf_entries entries;
		struct dwarf_entry next;

		if (!follow(&other, &offset, &details->next) ||
		    !dwarf_entries_begin(&entries, other, offset) ||
		    !dwarf_entry_next(&next, &entries))
			return;
		take_attributes(details, other, &next, false);
	}
}

bool details_read(struct details *details, struct dwarf_unit *unit, uint64_t offset)
{
	struct dwarf_entries entries;
	struct dwarf_entry entry;

	if (!dwarf_entries_begin(&entries, unit, offset) ||
	    !dwarf_entry_next(&entry, &entries) || entry.tag == 0)
		return false;
	details_take(details, unit, &entry);
	return true;
}

bool detail_number(uint64_t *number, const struct detail *detail)
{
	*number = detail->value.number;
	switch (detail->value.form) {
	case DW_FORM_data1:
	case DW_FORM_data2:
	case DW_FORM_data4:
	case DW_FORM_data8:
	case DW_FORM_sdata:
	case DW_FORM_udata:
	case DW_FORM_implicit_const:
		return true;
	default:
		return false;
	}
}

bool detail_entry(struct dwarf_unit **unit, uint64_t *offset, const struct detail *detail)
{
	*unit = detail->unit;
	return detail->value.form && follow(unit, offset, &detail->value);
}
