/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Skeletons are read through libdw, which must open nothing but the object: names in
 * there may lead anywhere. libdw can neither tell the units of an .o file from the
 * skeletons next to them nor read packages, so numbers of units are read here.
 */
#include "libexpt/elf/split.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/number.h"
#include "libexpt/base/path.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/common/error.h"
#include "libexpt/elf/cursor.h"
#include "libexpt/elf/dwarf.h"
#include "libexpt/elf/private.h"

/* ---- skeletons --------------------------------------------------------------------- */

/* libdw returns a string at the end of a section unchanged, perhaps without a NUL. */
static bool has_end(const struct elf *elf, const char *text)
{
	static const char *const names[] = { ".debug_str", ".debug_line_str",
					     ".debug_info" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		Elf_Scn *section = elf_find_section(elf, names[i]);
		const Elf_Data *data = section ? elf_rawdata(section, NULL) : NULL;
		uintptr_t offset = data ? (uintptr_t)text - (uintptr_t)data->d_buf
					: UINTPTR_MAX;

		if (data && data->d_buf && offset < data->d_size)
			return memchr(text, '\0', data->d_size - offset);
	}
	return false;
}

static const char *text_of(const struct elf *elf, Dwarf_Die *die, unsigned name,
			   unsigned old_name)
{
	const char *text;

	Dwarf_Attribute attribute;

	if (!dwarf_attr(die, name, &attribute) &&
	    (!old_name || !dwarf_attr(die, old_name, &attribute)))
		return NULL;
	text = dwarf_formstring(&attribute);
	return text && has_end(elf, text) ? text : NULL;
}

static int add_unit(struct split_units *units, const struct elf *elf, Dwarf_Die *die,
		    uint64_t number)
{
	const char *name = text_of(elf, die, DW_AT_dwo_name, DW_AT_GNU_dwo_name);
	const char *directory = text_of(elf, die, DW_AT_comp_dir, 0);
	cleanup_strbuf struct strbuf path = STRBUF_INIT;
	struct split_unit *unit;

	/* A relative name without a directory leads nowhere. */
	if (!name || !*name || (*name != '/' && (!directory || *directory != '/')))
		return 0;
	if (*name != '/')
		strbuf_printf(&path, "%s/", directory);
	strbuf_add_text(&path, name);
	unit = path.failed ? NULL : array_add(units);
	if (!unit)
		return -ENOMEM;
	unit->number = number;
	unit->path = arena_text(&units->strings, path.text, path.length);
	if (!unit->path)
		return -ENOMEM;
	path_clean(unit->path);
	return 0;
}

static int add_units(struct split_units *units, const struct elf *elf, Dwarf *dwarf,
		     struct expt_error *err)
{
	Dwarf_CU *unit = NULL;
	uint8_t type;
	Dwarf_Die die;
	int found;

	while ((found = dwarf_get_units(dwarf, unit, &unit, NULL, &type, &die, NULL)) ==
	       0) {
		uint64_t number;

		if (type != DW_UT_skeleton ||
		    dwarf_cu_info(unit, NULL, NULL, NULL, NULL, &number, NULL, NULL) != 0)
			continue;
		if (add_unit(units, elf, &die, number) < 0)
			return expt_fail(err, -ENOMEM, "cannot list split units");
	}
	return found < 0 ? expt_refuse(err, -EBADMSG, "damaged debug data: %s",
				       dwarf_errmsg(dwarf_errno()))
			 : 0;
}

int elf_split_units(struct split_units *units, const struct elf *elf,
		    struct expt_error *err)
{
	cleanup_elf_dwarf struct elf_dwarf opened = { .dwarf = NULL };
	int rc;

	/* Split units share their addresses in .debug_addr: most objects need not be
	 * read. */
	if (!elf_find_section(elf, ".debug_addr") ||
	    !elf_find_section(elf, ".debug_info"))
		return 0;
	rc = elf_dwarf_open(&opened, elf, NULL, err);
	return rc < 0 ? rc : add_units(units, elf, opened.dwarf, err);
}

void split_units_release(struct split_units *units)
{
	arena_release(&units->strings);
	array_release(units);
}

/* ---- numbers ----------------------------------------------------------------------- */

static int add_number(struct split_numbers *numbers, uint64_t number)
{
	uint64_t *new = array_add(numbers);

	if (!new)
		return -ENOMEM;
	*new = number;
	return 0;
}

bool split_numbers_have(const struct split_numbers *numbers, uint64_t number)
{
	return numbers->count > 0 && bsearch(&number, numbers->items, numbers->count,
					     sizeof(number), number_compare);
}

/* Returns a section, uncompressed; NULL: it is missing or damaged. */
static const Elf_Data *read_section(const struct elf *elf, const char *name)
{
	Elf_Scn *section = elf_find_section(elf, name);
	GElf_Shdr header;
	Elf_Data *data;

	if (!section || !gelf_getshdr(section, &header))
		return NULL;
	if (header.sh_flags & SHF_COMPRESSED &&
	    (elf_check_unpacked(elf, NULL) < 0 || elf_compress(section, 0, 0) < 0))
		return NULL;
	data = elf_rawdata(section, NULL);
	return data && data->d_buf ? data : NULL;
}

/* Read the index of a package, a hash table: four numbers, then its slots. Empty ones are
 * 0. */
static int read_index(struct split_numbers *numbers, const struct elf *elf,
		      const Elf_Data *index)
{
	struct cursor cursor = cursor_at(elf, index, 12);
	int rc = 0;

	for (uint64_t left = cursor_number(&cursor, 4); rc == 0 && left > 0; left--) {
		uint64_t number = cursor_number(&cursor, 8);

		if (cursor.failed)
			break;
		if (number != 0)
			rc = add_number(numbers, number);
	}
	return rc;
}

/* Get the next attribute of an abbreviation; false: there are no more. */
static bool next_attribute(struct cursor *abbreviation, uint64_t *name, uint64_t *form)
{
	*name = cursor_leb128(abbreviation);
	*form = cursor_leb128(abbreviation);
	return !abbreviation->failed && (*name != 0 || *form != 0);
}

/* Move to the attributes of the abbreviation with this code, in a table of them. */
static bool find_abbreviation(struct cursor *table, uint64_t wanted)
{
	uint64_t code, name, form;

	while ((code = cursor_leb128(table)) != 0) {
		cursor_leb128(table); /* the tag */
		cursor_skip(table, 1);
		if (code == wanted)
			return true;
		while (next_attribute(table, &name, &form))
			;
	}
	return false;
}

/* Move to the value of an attribute of the die. */
static bool find_attribute(struct cursor *die, struct cursor *abbreviation,
			   uint64_t wanted, unsigned offset_size)
{
	uint64_t code = cursor_leb128(die), name, form;

	if (code == 0 || !find_abbreviation(abbreviation, code))
		return false;
	while (next_attribute(abbreviation, &name, &form)) {
		if (name == wanted)
			return form == DW_FORM_data8;
		cursor_skip_value(die, form, offset_size);
	}
	return false;
}

/* The number is in the header since version 5, and in the first die before that. */
static bool read_number(uint64_t *number, struct cursor *unit, const struct elf *elf,
			const Elf_Data *abbreviations, unsigned offset_size)
{
	unsigned version = (unsigned)cursor_number(unit, 2);
	struct cursor abbreviation;

	if (version == 5) {
		if (cursor_number(unit, 1) != DW_UT_split_compile)
			return false;
		cursor_skip(unit, 1 + offset_size);
	} else {
		abbreviation =
			cursor_at(elf, abbreviations, cursor_number(unit, offset_size));
		cursor_skip(unit, 1);
		if (!find_attribute(unit, &abbreviation, DW_AT_GNU_dwo_id, offset_size))
			return false;
	}
	*number = cursor_number(unit, 8);
	return !unit->failed;
}

static int read_units(struct split_numbers *numbers, const struct elf *elf,
		      const Elf_Data *info, const Elf_Data *abbreviations)
{
	struct cursor cursor = cursor_at(elf, info, 0);
	int rc = 0;

	while (rc == 0 && cursor.at < cursor.end) {
		unsigned offset_size;
		uint64_t length = cursor_length(&cursor, &offset_size), number;
		struct cursor unit = cursor;

		if (!cursor_skip(&cursor, length) || length == 0)
			break;
		unit.end = cursor.at;
		if (read_number(&number, &unit, elf, abbreviations, offset_size))
			rc = add_number(numbers, number);
	}
	return rc;
}

int elf_split_numbers(struct split_numbers *numbers, const struct elf *elf)
{
	const Elf_Data *index = read_section(elf, ".debug_cu_index");
	const Elf_Data *info, *abbreviations;
	int rc = 0;

	if (index)
		rc = read_index(numbers, elf, index);
	else if ((info = read_section(elf, ".debug_info.dwo")) != NULL &&
		 (abbreviations = read_section(elf, ".debug_abbrev.dwo")) != NULL)
		rc = read_units(numbers, elf, info, abbreviations);
	if (numbers->count > 0)
		qsort(numbers->items, numbers->count, sizeof(*numbers->items),
		      number_compare);
	return rc;
}
