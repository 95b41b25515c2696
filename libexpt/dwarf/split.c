/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/dwarf/split.h"

#include <dwarf.h>
#include <stdlib.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/path.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/dwarf/file.h"
#include "libexpt/dwarf/unit.h"
#include "libexpt/dwarf/value.h"

/* ---- files ------------------------------------------------------------------------- */

/* Takes over elf. Returns NULL if it is NULL or damaged, or out of memory. */
static struct dwarf_file *add_file(struct dwarf *dwarf, struct elf *elf)
{
	struct dwarf_file *file = elf ? calloc(1, sizeof(*file)) : NULL;
	struct dwarf_file **slot = file ? array_add(&dwarf->split) : NULL;

	if (!slot) {
		elf_close(elf);
		free(file);
		return NULL;
	}
	*slot = file;
	return dwarf_file_open(file, dwarf, elf, true, NULL) == 0 ? file : NULL;
}

static bool is_skeleton(const struct dwarf_unit *unit)
{
	return unit->split_name && !unit->skeleton;
}

/* Name the split unit of a skeleton. Returns false if that leads nowhere. */
static bool name_unit(struct split_unit *named, struct strbuf *path,
		      const struct dwarf_unit *unit)
{
	if (*unit->split_name != '/') {
		if (!unit->directory || *unit->directory != '/')
			return false;
		strbuf_printf(path, "%s/", unit->directory);
	}
	strbuf_add_text(path, unit->split_name);
	if (path->failed)
		return false;
	path_clean(path->text);
	*named = (struct split_unit){ path->text, unit->number };
	return true;
}

/* List the units, of which a package must have one. */
static void list_units(struct split_units *units, const struct dwarf *dwarf)
{
	for (size_t i = 0; i < dwarf->debug.units.count; i++) {
		const struct dwarf_unit *unit = dwarf->debug.units.items[i];
		struct split_unit *new = is_skeleton(unit) ? array_add(units) : NULL;

		if (new)
			*new = (struct split_unit){ .number = unit->number };
	}
}

static struct dwarf_file *find_package(struct dwarf *dwarf)
{
	const struct dwarf_sources *sources = &dwarf->sources;
	struct split_units units = { .items = NULL };

	if (dwarf->has_package || !sources->find_package)
		return dwarf->package;
	dwarf->has_package = true;
	list_units(&units, dwarf);
	dwarf->package = add_file(dwarf, sources->find_package(sources->context, &units));
	split_units_release(&units);
	return dwarf->package;
}

/* ---- units in a package ------------------------------------------------------------ */

/* The index of a package: numbers of units in a hash table, and for each the places of
 * its parts in the sections. */
struct index {
	struct cursor cursor; /* at the hash table */
	uint64_t columns, rows, slots;
};

static bool read_index(struct index *index, const struct dwarf_file *package)
{
	const struct elf_content *content = &package->package_index;

	index->cursor =
		cursor_in(content->bytes, content->size, 4, package->is_big_endian);
	index->columns = cursor_number(&index->cursor, 4);
	index->rows = cursor_number(&index->cursor, 4);
	index->slots = cursor_number(&index->cursor, 4);
	return !index->cursor.failed && index->slots > 0 &&
	       (index->slots & (index->slots - 1)) == 0;
}

/* Returns the number in the index at a place after the hash table's begin. */
static uint64_t number_at(const struct index *index, uint64_t place, unsigned size)
{
	struct cursor cursor = index->cursor;

	cursor_skip(&cursor, place);
	return cursor_number(&cursor, size);
}

/* Returns the row of a unit, from 1 on, or 0. */
static uint64_t find_row(const struct index *index, uint64_t number)
{
	uint64_t mask = index->slots - 1, slot = number & mask;
	uint64_t step = (number >> 32 & mask) | 1;

	for (uint64_t tries = 0; tries < index->slots; tries++) {
		uint64_t found = number_at(index, slot * 8, 8);

		if (found == number)
			return number_at(index, index->slots * 8 + slot * 4, 4);
		if (found == 0)
			return 0;
		slot = (slot + step) & mask;
	}
	return 0;
}

/* Kinds of sections; those of version 2, which preceded version 5, have the same numbers
 * where they matter. */
enum {
	KIND_INFO = 1,
	KIND_ABBREVIATIONS = 3,
	KIND_LINES = 4,
	KIND_LOCATIONS = 5,
	KIND_STRINGS = 6,
	KIND_RANGES = 8,
	KINDS,
};

/* Get the offsets of a row by the kind of their sections. */
static void read_row(uint64_t offsets[KINDS], const struct index *index, uint64_t row)
{
	uint64_t kinds = index->slots * 12, cells = kinds + index->columns * 4;

	for (uint64_t i = 0; i < index->columns && i < KINDS; i++) {
		uint64_t kind = number_at(index, kinds + i * 4, 4);
		uint64_t cell = (row - 1) * index->columns + i;

		if (kind < KINDS)
			offsets[kind] = number_at(index, cells + cell * 4, 4);
	}
}

static struct dwarf_unit *read_packed(struct dwarf_file *package, uint64_t number)
{
	uint64_t offsets[KINDS] = { 0 };
	struct dwarf_contributions contributions;
	struct index index;
	uint64_t row;

	if (!read_index(&index, package) || !(row = find_row(&index, number)) ||
	    row > index.rows)
		return NULL;
	read_row(offsets, &index, row);
	contributions = (struct dwarf_contributions){
		.abbreviations = offsets[KIND_ABBREVIATIONS],
		.lines = offsets[KIND_LINES],
		.string_offsets = offsets[KIND_STRINGS],
		.range_lists = offsets[KIND_RANGES],
		.locations = offsets[KIND_LOCATIONS],
	};
	return dwarf_unit_read(package, offsets[KIND_INFO], &contributions);
}

/* Units of a package refer to nothing outside themselves, but are looked up by offset. */
static struct dwarf_unit *add_unit(struct dwarf_file *package, struct dwarf_unit *unit)
{
	struct dwarf_unit **slot = unit ? array_add(&package->units) : NULL;

	if (!slot)
		return NULL;
	for (; slot > package->units.items && slot[-1]->offset > unit->offset; slot--)
		*slot = slot[-1];
	return *slot = unit;
}

/* ---- units in a file --------------------------------------------------------------- */

static struct dwarf_unit *read_split(struct dwarf *dwarf, const struct dwarf_unit *unit)
{
	const struct dwarf_sources *sources = &dwarf->sources;
	cleanup_strbuf struct strbuf path = STRBUF_INIT;
	struct split_unit named;
	struct dwarf_file *file;

	if (!sources->find_unit || !name_unit(&named, &path, unit))
		return NULL;
	file = add_file(dwarf, sources->find_unit(sources->context, &named));
	if (!file || dwarf_units_read(file) < 0)
		return NULL;
	for (size_t i = 0; i < file->units.count; i++)
		if (file->units.items[i]->number == unit->number &&
		    file->units.items[i]->type != DW_UT_split_type)
			return file->units.items[i];
	return NULL;
}

static struct dwarf_unit *find_split(struct dwarf_unit *unit)
{
	struct dwarf *dwarf = unit->encoding.file->dwarf;
	struct dwarf_file *package = find_package(dwarf);
	struct dwarf_unit *split = NULL;

	if (package)
		split = add_unit(package, read_packed(package, unit->number));
	if (!split)
		split = read_split(dwarf, unit);
	if (split)
		split->skeleton = unit;
	return split;
}

struct dwarf_unit *dwarf_split(struct dwarf_unit *unit)
{
	if (!is_skeleton(unit))
		return unit;
	if (!unit->has_split)
		unit->split = find_split(unit);
	unit->has_split = true;
	return unit->split;
}
