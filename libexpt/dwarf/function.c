/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/dwarf/function.h"

#include <dwarf.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/dwarf/entry.h"
#include "libexpt/dwarf/table.h"
#include "libexpt/dwarf/unit.h"
#include "libexpt/dwarf/value.h"

/* An instance refers to a definition, that to a declaration; LTO adds one more. */
#define STEPS_MAX 16

/* The attributes of a function, of which each may be in another entry. */
struct found {
	const char *name, *linkage_name;
	const struct dwarf_path *path;
	uint32_t line;
	struct dwarf_value next; /* reference to the next entry */
};

static void take_attribute(struct found *found, struct dwarf_unit *unit, unsigned name,
			   const struct dwarf_value *value)
{
	const struct dwarf_encoding *encoding = &unit->encoding;
	struct dwarf_table *table;

	switch (name) {
	case DW_AT_name:
		if (!found->name)
			found->name = dwarf_value_text(value, encoding, unit);
		break;
	case DW_AT_linkage_name:
	case DW_AT_MIPS_linkage_name:
		if (!found->linkage_name)
			found->linkage_name = dwarf_value_text(value, encoding, unit);
		break;
	case DW_AT_decl_file:
		table = found->path ? NULL : dwarf_unit_table(unit);
		if (table)
			found->path = dwarf_table_path(table, value->number);
		break;
	case DW_AT_decl_line:
		if (found->line == 0)
			found->line = dwarf_value_small(value);
		break;
	case DW_AT_abstract_origin:
	case DW_AT_specification:
		found->next = *value;
		break;
	default:
		break;
	}
}

static bool read_entry(struct found *found, struct dwarf_unit *unit, uint64_t offset)
{
	struct dwarf_entries entries;
	struct dwarf_entry entry;
	struct dwarf_value value;
	unsigned name;

	if (!dwarf_entries_begin(&entries, unit, offset) ||
	    !dwarf_entry_next(&entry, &entries))
		return false;
	while (dwarf_attribute_next(&name, &value, &entry))
		take_attribute(found, unit, name, &value);
	return true;
}

static void follow(struct found *found, struct dwarf_unit *unit, uint64_t offset)
{
	for (int step = 0; unit && step < STEPS_MAX; step++) {
		const struct dwarf_file *file;

		found->next.form = 0;
		if (!read_entry(found, unit, offset) || !found->next.form)
			return;
		file = dwarf_value_entry(&offset, &found->next, unit);
		if (file != unit->encoding.file || offset < unit->first ||
		    offset >= unit->end)
			unit = file ? dwarf_unit_find(file, offset) : NULL;
	}
}

/* ---- interning --------------------------------------------------------------------- */

static bool is_same(const struct dwarf_function *function, const char *name,
		    const struct found *found)
{
	return function->path == found->path && function->line == found->line &&
	       strcmp(function->name, name) == 0;
}

static struct dwarf_function *add(struct dwarf *dwarf, const char *name,
				  const struct found *found)
{
	struct dwarf_function *function = arena_alloc(&dwarf->arena, sizeof(*function));
	struct dwarf_function **slot = function ? array_add(&dwarf->functions) : NULL;

	if (!slot)
		return NULL;
	*function = (struct dwarf_function){
		.name = name,
		.path = found->path,
		.line = found->line,
		.index = dwarf->functions.count - 1,
	};
	return *slot = function;
}

static const struct dwarf_function *intern(struct dwarf *dwarf, const char *name,
					   const struct found *found)
{
	uint64_t key = idmap_text_key(IDMAP_KEY, name);
	struct dwarf_function *function;
	uint32_t *slot;

	key = idmap_key(key, &found->line, sizeof(found->line));
	for (;; key++) {
		slot = idmap_add(&dwarf->function_index, key);
		if (!slot)
			return NULL;
		if (*slot == IDMAP_NONE)
			break;
		function = dwarf->functions.items[*slot];
		if (is_same(function, name, found))
			return function;
	}
	function = add(dwarf, name, found);
	if (function)
		*slot = (uint32_t)function->index;
	return function;
}

const struct dwarf_function *dwarf_function(struct dwarf_unit *unit, uint64_t entry)
{
	struct found found = { .name = NULL };
	const char *name;

	follow(&found, unit, entry);
	name = found.linkage_name ? found.linkage_name : found.name;
	return name && *name ? intern(unit->encoding.file->dwarf, name, &found) : NULL;
}
