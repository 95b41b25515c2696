/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/types/members.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/types/expression.h"
#include "libexpt/types/private.h"

/* Compilers nest variants twice; enumerations in enumerations are types of their own. */
#define LEVELS_MAX 8
/* Base classes of base classes: more is hostile. */
#define BASES_MAX 64
/* An aggregate with more has none, nor has another one after so many altogether. */
#define MEMBERS_MAX	100000
#define ALL_MEMBERS_MAX 1000000
/* Members further away are damaged. */
#define PLACE_MAX ((uint64_t)1 << 46)

struct reading {
	struct types *types;
	struct {
		struct type_member *items;
		size_t count, capacity;
	} members;
	bool has_moving;
};

/* Get the bytes of a base class that are those of its members. */
static void place_base(struct type_member *member, struct reading *reading)
{
	struct types *types = reading->types;
	const struct type_member *members;
	uint64_t reach;
	size_t count;

	if (!member->type || types->bases == BASES_MAX)
		return;
	types->bases++;
	count = type_members(types, member->type, &members);
	types->bases--;
	reading->has_moving |= type_has_moving(member->type);
	reach = count > 0 ? members[count - 1].reach : 0;
	if (reach < member->size)
		member->size = reach;
}

bool type_has_moving(const struct type *type)
{
	return ((const struct type_record *)type)->has_moving;
}

/* Get the bytes that a bit-field is in, of which a storage unit may hold several. */
static bool place_bits(struct type_member *member, const struct details *details)
{
	uint64_t bits, first, storage = member->type ? member->type->size : 0;

	if (!detail_number(&bits, &details->bit_size) || bits == 0)
		return false;
	if (detail_number(&first, &details->data_bit_offset)) {
		member->offset = 0;
	} else if (detail_number(&first, &details->bit_offset)) {
		/* Counted from the most significant bit of the storage unit. */
		detail_number(&storage, &details->size);
		first = storage * 8 - first - bits;
	} else {
		first = 0;
	}
	member->offset += first / 8;
	member->size = (first % 8 + bits + 7) / 8;
	return member->is_bit_field = true;
}

/* Other members without a place are damaged. */
static bool note_moving(struct reading *reading, const struct details *details)
{
	reading->has_moving |= details->tag == DW_TAG_inheritance;
	return true;
}

/* parent: the tag around it. A member of a variant part says which variant there is, if
 * that is not in one of them. */
static bool add_member(struct reading *reading, const struct details *details,
		       unsigned parent)
{
	struct type_member *member, new = { .name = details->name };

	if (details->is_static || details->has_const_value || details->is_declaration)
		return true;
	if (details->member_location.value.form &&
	    !detail_number(&new.offset, &details->member_location) &&
	    !expression_member_offset(&new.offset, &details->member_location))
		return note_moving(reading, details);
	new.type = type_of(reading->types, &details->type);
	new.size = new.type ? new.type->size : 0;
	if (!new.name || !*new.name)
		new.name = "-";
	place_bits(&new, details);
	if (details->tag == DW_TAG_inheritance)
		place_base(&new, reading);
	if (new.offset > PLACE_MAX || new.size > PLACE_MAX)
		return true;
	if (reading->members.count == MEMBERS_MAX)
		return false;
	new.order = (uint32_t)reading->members.count;
	new.is_variant = parent == DW_TAG_variant;
	new.is_selector = parent == DW_TAG_variant_part;
	if (new.is_selector)
		new.order |= UINT32_C(1) << 31;
	member = array_add(&reading->members);
	if (!member)
		return false;
	*member = new;
	return true;
}

static bool is_member(unsigned tag)
{
	return tag == DW_TAG_member || tag == DW_TAG_inheritance;
}

static bool is_group(unsigned tag)
{
	return tag == DW_TAG_variant_part || tag == DW_TAG_variant;
}

/* Read the entries inside one that was read to its last attribute. */
static bool read_children(struct reading *reading, struct dwarf_unit *unit,
			  struct dwarf_entries *entries, unsigned parent, unsigned level)
{
	struct dwarf_entry entry;
	unsigned skipped = 0; /* lists of children that are open and do not matter */

	while (dwarf_entry_next(&entry, entries)) {
		struct details details;

		if (entry.tag == 0 && skipped-- == 0)
			return true;
		if (entry.tag == 0)
			continue;
		details.tag = 0;
		if (skipped == 0 && is_member(entry.tag))
			details_take(&details, unit, &entry);
		dwarf_entry_finish(&entry, entries);
		if (details.tag && !add_member(reading, &details, parent))
			return false;
		if (!entry.has_children)
			continue;
		if (skipped > 0 || !is_group(entry.tag) || level == LEVELS_MAX)
			skipped++;
		else if (!read_children(reading, unit, entries, entry.tag, level + 1))
			return false;
	}
	return true;
}

static int compare_members(const void *one, const void *other)
{
	const struct type_member *a = one, *b = other;

	if (a->offset != b->offset)
		return a->offset > b->offset ? 1 : -1;
	return (a->order > b->order) - (a->order < b->order);
}

static void keep(struct type_record *record, struct reading *reading)
{
	size_t size = reading->members.count * sizeof(*record->members);
	uint64_t reach = 0;

	record->has_moving = reading->has_moving;
	if (reading->members.count > ALL_MEMBERS_MAX - reading->types->member_count)
		return;
	record->members = size ? arena_alloc(&reading->types->arena, size) : NULL;
	if (!record->members)
		return;
	memcpy(record->members, reading->members.items, size);
	record->count = reading->members.count;
	reading->types->member_count += record->count;
	qsort(record->members, record->count, sizeof(*record->members), compare_members);
	for (size_t i = 0; i < record->count; i++) {
		struct type_member *member = &record->members[i];

		if (member->offset + member->size > reach)
			reach = member->offset + member->size;
		member->reach = reach;
	}
}

static void read_members(struct types *types, struct type_record *record)
{
	struct reading reading = { .types = types };
	struct dwarf_entries entries;
	struct dwarf_entry entry;

	if (!record->unit ||
	    !dwarf_entries_begin(&entries, record->unit, record->offset) ||
	    !dwarf_entry_next(&entry, &entries))
		return;
	dwarf_entry_finish(&entry, &entries);
	if (entry.has_children &&
	    read_children(&reading, record->unit, &entries, entry.tag, 0))
		keep(record, &reading);
	array_release(&reading.members);
}

size_t type_members(struct types *types, const struct type *type,
		    const struct type_member **members)
{
	struct type_record *record = (struct type_record *)(uintptr_t)type;

	if (type->kind == TYPE_AGGREGATE && !record->has_members) {
		record->has_members = true;
		read_members(types, record);
	}
	*members = record->members;
	return record->count;
}
