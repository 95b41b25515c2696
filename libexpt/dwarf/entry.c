/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/dwarf/entry.h"

#include <dwarf.h>

#include "libexpt/dwarf/abbreviation.h"
#include "libexpt/dwarf/value.h"

/* Bytes of a long text that count as one attribute. */
#define TEXT_SIZE 64

void dwarf_entry_spend(const struct dwarf_unit *unit, uint64_t amount)
{
	struct dwarf_file *file = (struct dwarf_file *)(uintptr_t)unit->encoding.file;

	dwarf_spend(&file->entry_budget, amount);
}

bool dwarf_entries_begin(struct dwarf_entries *entries, const struct dwarf_unit *unit,
			 uint64_t offset)
{
	const struct elf_content *info = &unit->encoding.file->sections[DWARF_INFO];

	if (offset < unit->first || offset >= unit->end || unit->end > info->size)
		return false;
	entries->unit = unit;
	entries->abbreviations = dwarf_abbreviations(unit);
	entries->cursor = cursor_in(info->bytes, unit->end, offset,
				    unit->encoding.file->is_big_endian);
	return entries->abbreviations != NULL;
}

bool dwarf_entry_next(struct dwarf_entry *entry, struct dwarf_entries *entries)
{
	struct cursor *cursor = &entries->cursor;
	const struct dwarf_file *file = entries->unit->encoding.file;
	const struct dwarf_abbreviation *abbreviation;
	uint64_t code;

	if (cursor->failed || cursor->at >= cursor->end || file->entry_budget == 0)
		return false;
	dwarf_entry_spend(entries->unit, 1);
	*entry = (struct dwarf_entry){
		.unit = entries->unit,
		.offset = (uint64_t)(cursor->at - file->sections[DWARF_INFO].bytes),
		.is_read = true,
	};
	code = cursor_leb128(cursor);
	entry->values = *cursor;
	if (code == 0 || cursor->failed)
		return !cursor->failed;
	abbreviation = dwarf_abbreviation_find(entries->abbreviations, code);
	if (!abbreviation)
		return false;
	entry->tag = abbreviation->tag;
	entry->is_read = false;
	entry->has_children = abbreviation->has_children;
	entry->attributes =
		dwarf_cursor(file, DWARF_ABBREVIATIONS, abbreviation->attributes);
	return true;
}

bool dwarf_attribute_next(unsigned *name, struct dwarf_value *value,
			  struct dwarf_entry *entry)
{
	const unsigned char *start = entry->values.at;
	int64_t constant = 0;
	unsigned form;

	if (entry->is_read)
		return false;
	*name = (unsigned)cursor_leb128(&entry->attributes);
	form = (unsigned)cursor_leb128(&entry->attributes);
	entry->is_read = (*name == 0 && form == 0) || entry->attributes.failed;
	if (entry->is_read)
		return false;
	if (form == DW_FORM_implicit_const)
		constant = cursor_signed_leb128(&entry->attributes);
	dwarf_value_read(value, &entry->values, form, constant, &entry->unit->encoding);
	dwarf_entry_spend(entry->unit,
			  1 + (uint64_t)(entry->values.at - start) / TEXT_SIZE);
	entry->is_read = entry->values.failed;
	return !entry->is_read;
}

void dwarf_entry_finish(struct dwarf_entry *entry, struct dwarf_entries *entries)
{
	struct dwarf_value value;
	unsigned name;

	while (dwarf_attribute_next(&name, &value, entry))
		;
	entries->cursor = entry->values;
}
