/* SPDX-License-Identifier: Apache-2.0 */
/* Source positions of code, from the debug data of load objects and the line tables of
 * dynamic functions. */
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/dwarf/rows.h"
#include "libexpt/objects/lined_code.h"
#include "libexpt/objects/private.h"

/* Answers only fill a cache, so callers see no change. */
static struct expt_function *writable(const struct expt_function *function)
{
	return (struct expt_function *)(uintptr_t)function;
}

/* ---- positions in load objects ----------------------------------------------------- */

/* Returns the row of an inlined function; the unknown function if out of memory. */
static const struct expt_function *inlined(struct object_debug *debug,
					   const struct dwarf_function *function)
{
	const struct expt_function **row;

	while (debug->inlined.count <= function->index)
		if (!array_add(&debug->inlined))
			return &unknown_function;
	row = &debug->inlined.items[function->index];
	if (!*row)
		*row = function_inlined(debug->object, function->name,
					function->path ? function->path->path : NULL);
	return *row ? *row : &unknown_function;
}

static void set_position(struct expt_position *out, struct object_debug *debug,
			 const struct dwarf_position *from)
{
	*out = (struct expt_position){
		.path = from->path ? from->path->path : NULL,
		.line = from->line,
		.column = from->column,
		.function = from->function ? inlined(debug, from->function)
					   : &unknown_function,
	};
}

/* The last function is that of the place, which the symbol table names. */
static struct position_answer read_answer(struct object_debug *debug, uint64_t offset,
					  const struct expt_function *function)
{
	const struct dwarf_position *found;
	size_t count = dwarf_positions(debug->dwarf, offset, &found);
	struct expt_position *items;

	if (count == 0)
		return (struct position_answer){ .count = 0 };
	items = arena_alloc(&debug->object->table->strings, count * sizeof(*items));
	if (!items)
		return (struct position_answer){ .count = 0 };
	for (size_t i = 0; i + 1 < count; i++)
		set_position(&items[i], debug, &found[i]);
	items[count - 1] = (struct expt_position){
		.path = found[count - 1].path ? found[count - 1].path->path : NULL,
		.line = found[count - 1].line,
		.column = found[count - 1].column,
		.function = function,
	};
	return (struct position_answer){ items, count };
}

static size_t positions_at(const struct expt_function *function, uint64_t offset,
			   const struct expt_position **positions)
{
	struct object_debug *debug = object_debug(function->object);
	uint32_t *slot = debug ? idmap_add(&debug->by_offset, offset) : NULL;
	struct position_answer *answer;

	if (!slot)
		return 0;
	if (*slot == IDMAP_NONE) {
		answer = array_add(&debug->answers);
		if (!answer)
			return 0;
		*answer = read_answer(debug, offset, function);
		*slot = (uint32_t)(debug->answers.count - 1);
	}
	answer = &debug->answers.items[*slot];
	*positions = answer->items;
	return answer->count;
}

/* ---- rows of functions ------------------------------------------------------------- */

static struct expt_code_row *make_rows(const struct dwarf_rows *from)
{
	struct expt_code_row *rows = calloc(from->count + 1, sizeof(*rows));

	for (size_t i = 0; rows && i < from->count; i++)
		rows[i] = (struct expt_code_row){
			.offset = from->items[i].offset,
			.path = from->items[i].path ? from->items[i].path->path : NULL,
			.line = from->items[i].line,
			.column = from->items[i].column,
			.is_statement = from->items[i].is_statement,
		};
	return rows;
}

static void read_rows(struct expt_function *function)
{
	struct object_debug *debug = object_debug(function->object);
	struct dwarf_rows rows = { .items = NULL };

	if (debug && dwarf_read_rows(&rows, debug->dwarf, function->start,
				     function->start + function->size) == 0)
		function->rows = make_rows(&rows);
	if (function->rows)
		function->row_count = rows.count;
	array_release(&rows);
}

/* ---- dynamic code ------------------------------------------------------------------ */

/* Returns the number of lines that begin at the offset or before it. */
static size_t count_lines_to(const struct expt_function *function, uint64_t offset)
{
	return lined_code_count_to(function->lines, function->line_count, offset);
}

static void make_dynamic_rows(struct expt_function *function)
{
	size_t first = count_lines_to(function, function->line_base), count;
	struct expt_code_row *rows;

	first -= first > 0;
	count = count_lines_to(function, function->line_base + function->size - 1);
	rows = count > first ? calloc(count - first, sizeof(*rows)) : NULL;
	for (size_t i = first; rows && i < count; i++) {
		uint64_t offset = function->lines[i].offset;

		if (offset < function->line_base)
			offset = function->line_base;
		rows[i - first] = (struct expt_code_row){
			.offset = function->start + (offset - function->line_base),
			.path = function->source,
			.line = function->lines[i].line,
			.is_statement = true,
		};
	}
	function->rows = rows;
	function->row_count = rows ? count - first : 0;
}

static void make_line_positions(struct expt_function *function)
{
	struct expt_position *positions =
		calloc(function->line_count + 1, sizeof(*positions));

	for (size_t i = 0; positions && i < function->line_count; i++)
		positions[i] = (struct expt_position){
			.path = function->source,
			.line = function->lines[i].line,
			.function = function,
		};
	function->line_positions = positions;
}

static size_t dynamic_positions(const struct expt_place *place,
				const struct expt_position **positions)
{
	const struct expt_function *function = place->function;
	size_t count = count_lines_to(function, function->line_base + place->offset);

	if (count == 0 || !function->source)
		return 0;
	if (!function->line_positions)
		make_line_positions(writable(function));
	if (!function->line_positions)
		return 0;
	*positions = &function->line_positions[count - 1];
	return 1;
}

/* ---- public ------------------------------------------------------------------------ */

size_t expt_place_positions(const struct expt_place *place,
			    const struct expt_position **positions)
{
	const struct expt_function *function = place->function;
	uint64_t offset;

	if (function->object->is_file)
		return __builtin_add_overflow(function->start, place->offset, &offset)
			       ? 0
			       : positions_at(function, offset, positions);
	return function->lines ? dynamic_positions(place, positions) : 0;
}

const struct expt_position *expt_function_position(const struct expt_function *function,
						   uint64_t offset)
{
	const struct expt_place place = { .function = function, .offset = offset };
	const struct expt_position *positions;

	if (expt_place_positions(&place, &positions) == 0 || !positions[0].path ||
	    positions[0].line == 0)
		return NULL;
	return &positions[0];
}

size_t expt_function_positions(const struct expt_function *function,
			       const struct expt_code_row **rows)
{
	struct expt_function *cache = writable(function);

	if (!function->has_rows && function->size > 0) {
		cache->has_rows = true;
		if (function->object->is_file)
			read_rows(cache);
		else if (function->lines)
			make_dynamic_rows(cache);
	}
	*rows = function->rows;
	return function->row_count;
}

/* Returns the file that defines a function, by its debug data, else that of its first
 * line. */
static const char *find_source(const struct expt_function *function)
{
	struct object_debug *debug = object_debug(function->object);
	const struct dwarf_position *found;
	size_t count = debug ? dwarf_positions(debug->dwarf, function->start, &found) : 0;

	if (count == 0)
		return NULL;
	if (found[count - 1].function && found[count - 1].function->path)
		return found[count - 1].function->path->path;
	return found[count - 1].path ? found[count - 1].path->path : NULL;
}

const char *expt_function_source(const struct expt_function *function)
{
	if (!function->has_source && function->object->is_file) {
		writable(function)->source = find_source(function);
		writable(function)->has_source = true;
	}
	return function->source;
}

uint32_t expt_function_line(const struct expt_function *function)
{
	struct object_debug *debug =
		function->object->is_file ? object_debug(function->object) : NULL;
	const struct dwarf_position *found;
	size_t count = debug ? dwarf_positions(debug->dwarf, function->start, &found) : 0;

	return count > 0 && found[count - 1].function ? found[count - 1].function->line
						      : 0;
}
