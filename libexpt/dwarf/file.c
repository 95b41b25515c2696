/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/dwarf/file.h"

#include "libexpt/base/array.h"

#define SMALL_BUDGET ((uint64_t)1 << 20)
#define REPEATS	     2 /* compilers repeat nothing, but other tools may */
#define RANGE_SIZE   2 /* the least that a range takes, in bytes */
/* Entries are read for positions, functions, types, variables and scopes. Those of
 * compilers take two bytes for each attribute, so this is enough for each sixteen times.
 */
#define ENTRY_BUDGET ((uint64_t)1 << 24)
#define ENTRY_READS  8

static const char *const names[] = {
	[DWARF_INFO] = ".debug_info",
	[DWARF_ABBREVIATIONS] = ".debug_abbrev",
	[DWARF_LINES] = ".debug_line",
	[DWARF_STRINGS] = ".debug_str",
	[DWARF_LINE_STRINGS] = ".debug_line_str",
	[DWARF_ADDRESSES] = ".debug_addr",
	[DWARF_RANGES] = ".debug_ranges",
	[DWARF_RANGE_LISTS] = ".debug_rnglists",
	[DWARF_STRING_OFFSETS] = ".debug_str_offsets",
	[DWARF_LOCATIONS] = ".debug_loc",
	[DWARF_LOCATION_LISTS] = ".debug_loclists",
};

static uint64_t byte_budget(const struct dwarf_file *file, enum dwarf_section section)
{
	return SMALL_BUDGET + file->sections[section].size * REPEATS;
}

static uint64_t range_budget(const struct dwarf_file *file)
{
	return SMALL_BUDGET + (file->sections[DWARF_RANGES].size +
			       file->sections[DWARF_RANGE_LISTS].size) /
				      RANGE_SIZE;
}

int dwarf_file_open(struct dwarf_file *file, struct dwarf *dwarf, struct elf *elf,
		    bool is_split, struct expt_error *err)
{
	static const char *const index[] = { ".debug_cu_index" };
	int rc;

	*file = (struct dwarf_file){ .dwarf = dwarf, .elf = elf, .is_split = is_split };
	if (!elf)
		return 0;
	file->is_big_endian = elf_is_big_endian(elf);
	rc = elf_contents(file->sections, elf, names,
			  dwarf->sources.has_locations ? DWARF_SECTIONS : DWARF_LOCATIONS,
			  is_split ? ".dwo" : "", err);
	if (rc == 0 && is_split)
		rc = elf_contents(&file->package_index, elf, index, 1, "", err);
	elf_finish(elf);
	file->abbreviation_budget = byte_budget(file, DWARF_ABBREVIATIONS);
	file->line_budget = byte_budget(file, DWARF_LINES);
	file->range_budget = range_budget(file);
	file->entry_budget = ENTRY_BUDGET + file->sections[DWARF_INFO].size * ENTRY_READS;
	return rc;
}

void dwarf_file_close(struct dwarf_file *file)
{
	array_release(&file->units);
	idmap_release(&file->abbreviations);
	idmap_release(&file->tables);
	elf_close(file->elf);
}
