/* SPDX-License-Identifier: Apache-2.0 */
/* The debug data of an object as its readers share them. */
#ifndef LIBEXPT_DWARF_PRIVATE_H
#define LIBEXPT_DWARF_PRIVATE_H

#include "libexpt/base/arena.h"
#include "libexpt/base/idmap.h"
#include "libexpt/dwarf/dwarf.h"
#include "libexpt/dwarf/spans.h"
#include "libexpt/elf/content.h"
#include "libexpt/elf/cursor.h"

/* ---- files ---- */

enum dwarf_section {
	DWARF_INFO,
	DWARF_ABBREVIATIONS,
	DWARF_LINES,
	DWARF_STRINGS,
	DWARF_LINE_STRINGS,
	DWARF_ADDRESSES,
	DWARF_RANGES,
	DWARF_RANGE_LISTS,
	DWARF_STRING_OFFSETS,
	DWARF_LOCATIONS, /* this and the next: see has_locations */
	DWARF_LOCATION_LISTS,
	DWARF_SECTIONS,
};

struct dwarf_units {
	struct dwarf_unit **items; /* by offset */
	size_t count, capacity;
};

/* The object or its debug file, the common file, a split file or package. */
struct dwarf_file {
	struct dwarf *dwarf;
	struct elf *elf;
	struct elf_content sections[DWARF_SECTIONS];
	struct elf_content package_index; /* of a package of split units */
	bool is_big_endian, is_split;
	struct dwarf_units units;
	struct idmap abbreviations, tables; /* by offset: indexes in struct dwarf */
	/* Tables that overlap would be read again and again, so each file has a budget:
	 * bytes of abbreviations, and ranges, that may still be read. So would entries
	 * that overlap; of these, attributes are counted, and long texts. */
	uint64_t abbreviation_budget, range_budget, line_budget, entry_budget;
};

static inline void dwarf_spend(uint64_t *budget, uint64_t bytes)
{
	*budget -= bytes < *budget ? bytes : *budget;
}

/* ---- values ---- */

/* The sizes of things in a unit or line table, and where they point. */
struct dwarf_encoding {
	const struct dwarf_file *file;
	unsigned version, offset_size, address_size;
};

struct dwarf_value {
	unsigned form;		    /* 0: there is no such attribute */
	uint64_t number;	    /* or offset, index, address; the size of a block */
	const char *text;	    /* of DW_FORM_string */
	const unsigned char *bytes; /* of DW_FORM_data16, and of blocks */
};

/* The attributes with the addresses of a unit or function; unset ones are zeroed. */
struct dwarf_extent {
	struct dwarf_value low, high, ranges;
};

/* ---- abbreviations ---- */

struct dwarf_abbreviation {
	uint64_t code;
	unsigned tag;
	bool has_children;
	uint64_t attributes; /* where their names and forms are in the section */
};

struct dwarf_abbreviations {
	struct dwarf_abbreviation *items;
	size_t count, capacity;
	struct idmap by_code; /* empty if the codes are 1, 2, 3, ... */
};

/* ---- units ---- */

struct dwarf_unit {
	struct dwarf_encoding encoding;
	uint64_t offset, first, end; /* in the section: header, first entry */
	uint64_t abbreviations;	     /* where they are */
	unsigned type;		     /* DW_UT_* */
	uint64_t number;	     /* of a split unit and its skeleton */
	const char *directory, *split_name;
	uint64_t base_address;
	uint64_t address_base, string_base, list_base, range_base;
	uint64_t location_base; /* of lists of locations */
	bool has_lines;
	uint64_t lines; /* where its line table is */
	unsigned tag;	/* of its first entry */
	struct dwarf_extent extent;

	struct dwarf_unit *skeleton; /* of a split unit */
	struct dwarf_unit *split;    /* of a skeleton */
	bool has_split;		     /* split was looked for */
	struct dwarf_table *table;   /* of lines, or NULL */
	bool has_table;		     /* it was looked for */
	struct dwarf_code *code;     /* or NULL */
	bool has_code;		     /* it was looked for */
};

/* ---- all ---- */

struct dwarf {
	struct dwarf_sources sources;
	struct arena arena;
	struct dwarf_file debug, common;
	struct {
		struct dwarf_file **items; /* of split units */
		size_t count, capacity;
	} split;
	struct dwarf_file *package;
	bool has_package; /* it was looked for */
	struct {
		struct dwarf_abbreviations **items;
		size_t count, capacity;
	} abbreviations;
	struct {
		struct dwarf_table **items;
		size_t count, capacity;
	} tables;
	struct {
		struct dwarf_code **items;
		size_t count, capacity;
	} codes;
	struct spans spans; /* of the units with code, by index in debug.units */
	struct {
		struct dwarf_path **items;
		size_t count, capacity;
	} paths;
	struct idmap path_index;
	struct {
		struct dwarf_function **items;
		size_t count, capacity;
	} functions;
	struct idmap function_index;
	struct {
		struct dwarf_position *items; /* the answer to the last question */
		size_t count, capacity;
	} answer;
};

/* path.c */
/* Returns the file with this name, below these directories, the last of which come first
 * if the ones after them are relative; NULL: out of memory, or there is no name. md5 may
 * be NULL. */
const struct dwarf_path *dwarf_path(struct dwarf *dwarf, const char *base,
				    const char *directory, const char *name,
				    const unsigned char *md5);

#endif
