/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/dwarf/dwarf.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/common/error.h"
#include "libexpt/dwarf/abbreviation.h"
#include "libexpt/dwarf/code.h"
#include "libexpt/dwarf/file.h"
#include "libexpt/dwarf/lines.h"
#include "libexpt/dwarf/private.h"
#include "libexpt/dwarf/ranges.h"
#include "libexpt/dwarf/unit.h"

/* ---- opening ----------------------------------------------------------------------- */

/* Units with a line table, but without addresses, and tables without units, as in
 * descriptions, have those of their lines. */
static int add_table_spans(struct dwarf *dwarf, const struct dwarf_table *table,
			   uint32_t value)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < table->spans.count; i++)
		rc = spans_add(&dwarf->spans, table->spans.items[i].low,
			       table->spans.items[i].high, value);
	return rc;
}

static int add_unit_spans(struct dwarf *dwarf, size_t i)
{
	struct dwarf_unit *unit = dwarf->debug.units.items[i];
	size_t count = dwarf->spans.count;
	struct dwarf_table *table;
	int rc;

	if (unit->tag != DW_TAG_compile_unit && unit->tag != DW_TAG_skeleton_unit)
		return 0;
	rc = dwarf_extent_add(&dwarf->spans, &unit->extent, unit, (uint32_t)i);
	if (rc < 0 || dwarf->spans.count > count || unit->extent.high.form ||
	    unit->extent.ranges.form || !(table = dwarf_unit_table(unit)))
		return rc;
	rc = dwarf_lines_read(table);
	return rc < 0 ? rc : add_table_spans(dwarf, table, (uint32_t)i);
}

/* Add a unit without entries for a table that has no unit. */
static int add_bare_table(struct dwarf *dwarf, struct dwarf_table *table)
{
	struct dwarf_unit *unit = arena_alloc(&dwarf->arena, sizeof(*unit));
	struct dwarf_unit **slot = unit ? array_add(&dwarf->debug.units) : NULL;
	int rc;

	if (!slot)
		return -ENOMEM;
	*slot = unit;
	unit->encoding = table->encoding;
	unit->table = table;
	unit->has_table = unit->has_code = true;
	rc = dwarf_lines_read(table);
	return rc < 0 ? rc
		      : add_table_spans(dwarf, table,
					(uint32_t)(dwarf->debug.units.count - 1));
}

static int add_bare_tables(struct dwarf *dwarf)
{
	uint64_t offset = 0;
	int rc = 0;

	while (rc == 0 && offset < dwarf->debug.sections[DWARF_LINES].size) {
		struct dwarf_table *table = dwarf_table_at(&dwarf->debug, offset, NULL);

		if (!table)
			break;
		rc = add_bare_table(dwarf, table);
		offset = table->end;
	}
	return rc;
}

static int read_units(struct dwarf *dwarf, struct expt_error *err)
{
	size_t count;
	int rc = dwarf_units_read(&dwarf->debug);

	if (rc == 0)
		rc = dwarf_units_read(&dwarf->common);
	count = dwarf->debug.units.count;
	for (size_t i = 0; rc == 0 && i < count; i++)
		rc = add_unit_spans(dwarf, i);
	if (rc == 0 && count == 0)
		rc = add_bare_tables(dwarf);
	if (rc == 0)
		rc = spans_finish(&dwarf->spans);
	return rc < 0 ? expt_fail(err, rc, "cannot read debug data") : 0;
}

static void closep(struct dwarf **dwarf)
{
	dwarf_close(*dwarf);
}

int dwarf_open(struct dwarf **out, const struct dwarf_sources *sources,
	       struct expt_error *err)
{
	cleanup(closep) struct dwarf *dwarf = calloc(1, sizeof(*dwarf));
	int rc;

	if (!dwarf) {
		elf_close(sources->debug);
		elf_close(sources->common);
		return expt_fail(err, -ENOMEM, "cannot read debug data");
	}
	dwarf->sources = *sources;
	rc = dwarf_file_open(&dwarf->common, dwarf, sources->common, false, err);
	if (rc < 0) /* do without it */
		dwarf->common.sections[DWARF_INFO].size = 0;
	rc = dwarf_file_open(&dwarf->debug, dwarf, sources->debug, false, err);
	if (rc == 0)
		rc = read_units(dwarf, err);
	if (rc < 0)
		return rc;
	*out = steal(&dwarf);
	return 0;
}

static void close_files(struct dwarf *dwarf)
{
	dwarf_file_close(&dwarf->debug);
	dwarf_file_close(&dwarf->common);
	for (size_t i = 0; i < dwarf->split.count; i++) {
		dwarf_file_close(dwarf->split.items[i]);
		free(dwarf->split.items[i]);
	}
	array_release(&dwarf->split);
}

void dwarf_close(struct dwarf *dwarf)
{
	if (!dwarf)
		return;
	close_files(dwarf);
	for (size_t i = 0; i < dwarf->abbreviations.count; i++)
		dwarf_abbreviations_free(dwarf->abbreviations.items[i]);
	for (size_t i = 0; i < dwarf->tables.count; i++)
		dwarf_table_free(dwarf->tables.items[i]);
	for (size_t i = 0; i < dwarf->codes.count; i++)
		dwarf_code_free(dwarf->codes.items[i]);
	array_release(&dwarf->abbreviations);
	array_release(&dwarf->tables);
	array_release(&dwarf->codes);
	array_release(&dwarf->spans);
	array_release(&dwarf->paths);
	array_release(&dwarf->functions);
	array_release(&dwarf->answer);
	idmap_release(&dwarf->path_index);
	idmap_release(&dwarf->function_index);
	arena_release(&dwarf->arena);
	free(dwarf);
}

/* ---- positions --------------------------------------------------------------------- */

static bool add_position(struct dwarf *dwarf, const struct dwarf_position *position)
{
	struct dwarf_position *new = array_add(&dwarf->answer);

	if (!new)
		return false;
	*new = *position;
	return true;
}

/* Returns the table of the unit with its lines, or NULL. */
static struct dwarf_table *table_of(struct dwarf_unit *unit)
{
	struct dwarf_table *table = dwarf_unit_table(unit);

	return table && dwarf_lines_read(table) == 0 ? table : NULL;
}

/* Get the position by the line table, in no function yet. */
static void find_line(struct dwarf_position *position, struct dwarf_table *table,
		      uint64_t address)
{
	const struct dwarf_line *line = table ? dwarf_line_at(table, address) : NULL;

	*position = (struct dwarf_position){ .path = NULL };
	if (!line)
		return;
	position->path = dwarf_table_path(table, line->file);
	position->line = line->line;
	position->column = line->column;
}

/* A hostile unit nests a million functions. Compilers stop at some twenty. */
#define LEVELS_MAX 200

/* Add the position in each function, from the innermost one out. */
static void add_functions(struct dwarf *dwarf, struct dwarf_position *position,
			  struct dwarf_code *code, struct dwarf_table *table,
			  uint32_t innermost)
{
	for (uint32_t i = innermost;
	     i != SPAN_NONE && dwarf->answer.count < LEVELS_MAX;) {
		struct dwarf_instance *instance = &code->instances.items[i];

		position->function = dwarf_instance_function(code, instance);
		if (!add_position(dwarf, position) || !instance->is_inlined)
			return;
		*position = (struct dwarf_position){
			.path = table ? dwarf_table_path(table, instance->call_file)
				      : NULL,
			.line = instance->call_line,
			.column = instance->call_column,
		};
		i = instance->parent;
	}
}

static void find_positions(struct dwarf *dwarf, struct dwarf_unit *unit, uint64_t address)
{
	struct dwarf_table *table = table_of(unit);
	struct dwarf_code *code = dwarf_unit_code(unit);
	uint32_t innermost = code ? spans_find(&code->spans, address) : SPAN_NONE;
	struct dwarf_position position;

	find_line(&position, table, address);
	if (innermost != SPAN_NONE)
		add_functions(dwarf, &position, code, table, innermost);
	else if (position.path)
		add_position(dwarf, &position);
}

size_t dwarf_positions(struct dwarf *dwarf, uint64_t offset,
		       const struct dwarf_position **positions)
{
	uint64_t address;
	uint32_t unit;

	dwarf->answer.count = 0;
	if (elf_image_address(dwarf->sources.object, offset, &address)) {
		unit = spans_find(&dwarf->spans, address);
		if (unit != SPAN_NONE)
			find_positions(dwarf, dwarf->debug.units.items[unit], address);
	}
	*positions = dwarf->answer.items;
	return dwarf->answer.count;
}

const struct dwarf_path *dwarf_find_path(const struct dwarf *dwarf, const char *path)
{
	uint64_t key = idmap_text_key(IDMAP_KEY, path);
	uint32_t found;

	for (; (found = idmap_find(&dwarf->path_index, key)) != IDMAP_NONE; key++)
		if (strcmp(dwarf->paths.items[found]->path, path) == 0)
			return dwarf->paths.items[found];
	return NULL;
}
