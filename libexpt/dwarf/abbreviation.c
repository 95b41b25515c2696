/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/dwarf/abbreviation.h"

#include <dwarf.h>
#include <stdlib.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/dwarf/value.h"

/* A hostile abbreviation has a million attributes without any bytes. Compilers give an
 * entry some twenty. */
#define ATTRIBUTES_MAX 200

static bool skip_attributes(struct cursor *cursor)
{
	for (unsigned count = 0; count <= ATTRIBUTES_MAX; count++) {
		uint64_t name = cursor_leb128(cursor);
		uint64_t form = cursor_leb128(cursor);

		if (form == DW_FORM_implicit_const)
			cursor_signed_leb128(cursor);
		if (cursor->failed)
			return false;
		if (name == 0 && form == 0)
			return true;
	}
	return false;
}

static bool read_one(struct dwarf_abbreviation *out, struct cursor *cursor,
		     const unsigned char *section)
{
	out->tag = (unsigned)cursor_leb128(cursor);
	out->has_children = cursor_number(cursor, 1) != 0;
	out->attributes = (uint64_t)(cursor->at - section);
	return skip_attributes(cursor);
}

static bool add(struct dwarf_abbreviations *table, const struct dwarf_abbreviation *new)
{
	struct dwarf_abbreviation *item = array_add(table);
	uint32_t *slot;

	if (!item)
		return false;
	*item = *new;
	if (table->by_code.count == 0 && item->code == table->count)
		return true;
	slot = idmap_add(&table->by_code, new->code);
	if (slot && *slot == IDMAP_NONE)
		*slot = (uint32_t)(table->count - 1);
	return slot != NULL;
}

/* A damaged table ends where the damage begins. */
static bool read_table(struct dwarf_abbreviations *table, struct cursor *cursor,
		       const unsigned char *section)
{
	struct dwarf_abbreviation new;

	while ((new.code = cursor_leb128(cursor)) != 0 && !cursor->failed &&
	       read_one(&new, cursor, section))
		if (!add(table, &new))
			return false;
	return true;
}

void dwarf_abbreviations_free(struct dwarf_abbreviations *table)
{
	array_release(table);
	idmap_release(&table->by_code);
	free(table);
}

static void freep(struct dwarf_abbreviations **table)
{
	if (*table)
		dwarf_abbreviations_free(*table);
}

static struct dwarf_abbreviations *read_at(struct dwarf_file *file, uint64_t offset)
{
	cleanup(freep) struct dwarf_abbreviations *table = calloc(1, sizeof(*table));
	struct cursor cursor = dwarf_cursor(file, DWARF_ABBREVIATIONS, offset);
	const unsigned char *start = cursor.at;
	struct dwarf_abbreviations **slot;

	if (!table || cursor.failed || file->abbreviation_budget == 0 ||
	    !read_table(table, &cursor, file->sections[DWARF_ABBREVIATIONS].bytes))
		return NULL;
	dwarf_spend(&file->abbreviation_budget, (uint64_t)(cursor.at - start));
	slot = array_add(&file->dwarf->abbreviations);
	return slot ? *slot = steal(&table) : NULL;
}

const struct dwarf_abbreviations *dwarf_abbreviations(const struct dwarf_unit *unit)
{
	/* The unit only sees its file, but a table is added to it as a cache. */
	struct dwarf_file *file = (struct dwarf_file *)(uintptr_t)unit->encoding.file;
	uint32_t *slot = idmap_add(&file->abbreviations, unit->abbreviations);
	struct dwarf_abbreviations *table;

	if (!slot)
		return NULL;
	if (*slot != IDMAP_NONE)
		return file->dwarf->abbreviations.items[*slot];
	table = read_at(file, unit->abbreviations);
	if (table)
		*slot = (uint32_t)(file->dwarf->abbreviations.count - 1);
	return table;
}

const struct dwarf_abbreviation *
dwarf_abbreviation_find(const struct dwarf_abbreviations *table, uint64_t code)
{
	uint32_t found;

	if (code - 1 < table->count && table->items[code - 1].code == code)
		return &table->items[code - 1];
	found = idmap_find(&table->by_code, code);
	return found != IDMAP_NONE ? &table->items[found] : NULL;
}
