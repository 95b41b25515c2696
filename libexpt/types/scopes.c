/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/types/scopes.h"

#include <dwarf.h>

#include "libexpt/base/array.h"
#include "libexpt/dwarf/value.h"
#include "libexpt/types/private.h"

/* Scopes in scopes that are named: more is hostile. */
#define DEPTH_MAX 16
#define STEPS_MAX 64 /* with those that are not */
#define TEXT_MAX  16384
/* The least that an entry of a scope takes, in bytes: a hostile one takes one, and what
 * is kept of it twenty times as much. */
#define SCOPE_SIZE 4
#define SMALL	   1024
/* Entries around an entry. */
#define OPEN_MAX 100000

/* ---- reading ----------------------------------------------------------------------- */

struct reading {
	struct unit_scopes *scopes;
	struct {
		size_t *items; /* around each open list of children, as in around */
		size_t count, capacity;
	} open;
};

static bool has_scopes(struct dwarf_unit *unit)
{
	struct details whole;
	uint64_t language;

	if (!details_read(&whole, unit, unit->first) ||
	    !detail_number(&language, &whole.language))
		return false;
	switch (language) {
	case DW_LANG_C:
	case DW_LANG_C89:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_Fortran77:
	case DW_LANG_Fortran90:
	case DW_LANG_Fortran95:
	case DW_LANG_Fortran03:
	case DW_LANG_Fortran08:
		return false;
	default:
		return true;
	}
}

static bool is_scope(unsigned tag)
{
	switch (tag) {
	case DW_TAG_namespace:
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		return true;
	default:
		return false;
	}
}

static const char *name_of(struct dwarf_unit *unit, struct dwarf_entry *entry)
{
	const char *text = NULL;
	struct dwarf_value value;
	unsigned name;

	while (dwarf_attribute_next(&name, &value, entry))
		if (name == DW_AT_name)
			text = dwarf_value_text(&value, &unit->encoding, unit);
	return text;
}

static bool has_room(const struct unit_scopes *scopes, const struct dwarf_unit *unit)
{
	return scopes->count < SMALL + (unit->end - unit->first) / SCOPE_SIZE;
}

static bool visit(struct reading *reading, struct dwarf_unit *unit,
		  struct dwarf_entry *entry)
{
	size_t around = reading->open.count > 0
				? reading->open.items[reading->open.count - 1]
				: 0;
	struct scope_entry *new;
	size_t *open;

	if (entry->tag == 0) {
		reading->open.count -= reading->open.count > 0;
		return true;
	}
	if (is_scope(entry->tag) && has_room(reading->scopes, unit)) {
		new = array_add(reading->scopes);
		if (!new)
			return false;
		*new = (struct scope_entry){
			.offset = entry->offset,
			.name = name_of(unit, entry),
			.around = around,
		};
		around = reading->scopes->count;
	}
	if (!entry->has_children)
		return true;
	open = reading->open.count < OPEN_MAX ? array_add(&reading->open) : NULL;
	if (open)
		*open = around;
	return open;
}

static void read_unit(struct unit_scopes *scopes, struct dwarf_unit *unit)
{
	struct reading reading = { .scopes = scopes };
	struct dwarf_entries entries;
	struct dwarf_entry entry;
	bool is_good = true;

	if (!has_scopes(unit) || !dwarf_entries_begin(&entries, unit, unit->first))
		return;
	while (is_good && dwarf_entry_next(&entry, &entries)) {
		is_good = visit(&reading, unit, &entry);
		dwarf_entry_finish(&entry, &entries);
	}
	array_release(&reading.open);
}

/* Returns the scopes of a unit; NULL: out of memory. */
static struct unit_scopes *scopes_of(struct types *types, struct dwarf_unit *unit)
{
	uint32_t *slot = idmap_add(&types->by_unit, (uintptr_t)unit);
	struct unit_scopes *scopes;

	if (!slot)
		return NULL;
	if (*slot != IDMAP_NONE)
		return &types->scopes.items[*slot];
	scopes = array_add(&types->scopes);
	if (!scopes)
		return NULL;
	*slot = (uint32_t)types->scopes.count - 1;
	scopes->unit = unit;
	read_unit(scopes, unit);
	return scopes;
}

/* ---- names ------------------------------------------------------------------------- */

/* Returns the index of an entry + 1; 0: it is none of them. */
static size_t find_entry(const struct unit_scopes *scopes, uint64_t offset)
{
	size_t low = 0, high = scopes->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (scopes->items[middle].offset < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low < scopes->count && scopes->items[low].offset == offset ? low + 1 : 0;
}

void scopes_write(struct strbuf *text, struct types *types, struct dwarf_unit *unit,
		  uint64_t offset)
{
	const struct unit_scopes *scopes = scopes_of(types, unit);
	const char *names[DEPTH_MAX];
	size_t count = 0, at = scopes ? find_entry(scopes, offset) : 0;

	for (unsigned i = 0; at > 0 && count < DEPTH_MAX && i < STEPS_MAX; i++) {
		at = scopes->items[at - 1].around;
		if (at > 0 && scopes->items[at - 1].name)
			names[count++] = scopes->items[at - 1].name;
	}
	while (count > 0 && text->length < TEXT_MAX) {
		strbuf_add_text(text, names[--count]);
		strbuf_add_text(text, "::");
	}
}

void scopes_release(struct types *types)
{
	for (size_t i = 0; i < types->scopes.count; i++)
		array_release(&types->scopes.items[i]);
	array_release(&types->scopes);
	idmap_release(&types->by_unit);
}
