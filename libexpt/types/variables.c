/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/types/variables.h"

#include <dwarf.h>

#include "libexpt/base/array.h"
#include "libexpt/dwarf/ranges.h"
#include "libexpt/dwarf/value.h"
#include "libexpt/types/callee.h"
#include "libexpt/types/place_list.h"
#include "libexpt/types/private.h"

/* A hostile function has places without end; those of compilers some thousands. */
#define PLACES_MAX 200000

/* An open list of children. */
struct scope {
	struct spans spans; /* of the code inside */
	bool has_spans;	    /* else that of the scope around it */
};

struct reading {
	struct variables *variables;
	struct types *types;
	struct dwarf_unit *unit;
	struct place frame;
	uint64_t budget;
	struct {
		struct scope *items;
		size_t count, capacity;
	} scopes;
	size_t hidden; /* scopes of other functions around the present one */
};

/* ---- places ------------------------------------------------------------------------ */

static bool take_place(void *context, uint64_t low, uint64_t high,
		       const struct place *place)
{
	struct reading *reading = context;
	struct variables *variables = reading->variables;
	struct variable_place *new;

	if (reading->budget == 0)
		return true;
	reading->budget--;
	new = array_add(&variables->places);
	if (!new)
		return false;
	*new = (struct variable_place){ low, high, variables->list.count - 1, *place };
	return true;
}

/* Returns the code in which a variable of the innermost scope is known. */
static const struct spans *current_spans(const struct reading *reading)
{
	static const struct spans none;

	for (size_t i = reading->scopes.count; i-- > 0;)
		if (reading->scopes.items[i].has_spans)
			return &reading->scopes.items[i].spans;
	return &none;
}

static bool take_everywhere(void *context, const struct place *place)
{
	struct reading *reading = context;
	const struct spans *spans = current_spans(reading);

	for (size_t i = 0; i < spans->count; i++)
		if (!take_place(reading, spans->items[i].low, spans->items[i].high,
				place))
			return false;
	return true;
}

static bool take_variable(struct reading *reading, const struct details *details)
{
	struct variable *variable;

	if (!details->location.value.form)
		return true;
	variable = array_add(&reading->variables->list);
	if (!variable)
		return false;
	*variable = (struct variable){
		.name = details->name ? details->name : "-",
		.type = type_of(reading->types, &details->type),
		.level = (unsigned)reading->scopes.count,
	};
	if (!expression_is(&details->location))
		return place_list_read(&details->location, &reading->frame,
				       &reading->budget, take_place, reading);
	return expression_parts(details->location.value.bytes,
				details->location.value.number, details->location.unit,
				&reading->frame, take_everywhere, reading);
}

/* The entry of the called function has the type. */
static bool take_call(struct reading *reading, const struct details *details)
{
	struct variable_call *call;
	struct details called;
	struct dwarf_unit *unit;
	uint64_t offset, back;
	const struct type *type;

	if (!dwarf_value_address(&back, &details->call_return.value, reading->unit) ||
	    !detail_entry(&unit, &offset, &details->call_origin) ||
	    !details_read(&called, unit, offset) ||
	    !(type = type_of(reading->types, &called.type)) || reading->budget == 0)
		return true;
	reading->budget--;
	call = array_add(&reading->variables->calls);
	if (!call)
		return false;
	*call = (struct variable_call){ back, type };
	return true;
}

/* ---- scopes ------------------------------------------------------------------------ */

static bool open_scope(struct reading *reading, const struct details *details)
{
	struct scope *scope = array_add(&reading->scopes);

	if (!scope)
		return false;
	if (dwarf_extent_add(&scope->spans, &details->extent, reading->unit, 0) < 0 ||
	    spans_finish(&scope->spans) < 0)
		return false;
	scope->has_spans = scope->spans.count > 0;
	return true;
}

static void close_scope(struct reading *reading)
{
	struct scope *scope = &reading->scopes.items[--reading->scopes.count];

	array_release(&scope->spans);
	if (reading->hidden > reading->scopes.count)
		reading->hidden = 0;
}

static void set_function(struct reading *reading, const struct details *details)
{
	reading->variables->has_debug_data = true;
	if (expression_is(&details->frame_base))
		reading->frame = expression_place(details->frame_base.value.bytes,
						  details->frame_base.value.number,
						  details->frame_base.unit, NULL);
}

/* Nested functions, and types and their functions, have no variables here. */
static bool is_other(const struct reading *reading, unsigned tag)
{
	switch (tag) {
	case DW_TAG_lexical_block:
	case DW_TAG_inlined_subroutine:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_common_block:
	case DW_TAG_call_site:
	case DW_TAG_GNU_call_site:
		return false;
	default:
		return reading->scopes.count > 0;
	}
}

/* Read an entry and its attributes. */
static bool visit(struct reading *reading, struct dwarf_entry *entry)
{
	bool is_first = reading->scopes.count == 0, is_good = true;
	struct details details;

	if (reading->hidden == 0 || is_first)
		details_take(&details, reading->unit, entry);
	else
		details = (struct details){ .tag = 0 };
	if (is_first)
		set_function(reading, &details);
	else if (details.tag == DW_TAG_variable || details.tag == DW_TAG_formal_parameter)
		is_good = take_variable(reading, &details);
	else if (details.tag == DW_TAG_call_site || details.tag == DW_TAG_GNU_call_site)
		is_good = take_call(reading, &details);
	if (!entry->has_children)
		return is_good;
	if (is_other(reading, entry->tag) && reading->hidden == 0)
		reading->hidden = reading->scopes.count + 1;
	return is_good && open_scope(reading, &details);
}

static bool read_function(struct reading *reading, uint64_t offset)
{
	struct dwarf_entries entries;
	struct dwarf_entry entry;
	bool is_good = true;

	if (!dwarf_entries_begin(&entries, reading->unit, offset))
		return true;
	do {
		if (!dwarf_entry_next(&entry, &entries))
			break;
		if (entry.tag == 0)
			close_scope(reading);
		else
			is_good = visit(reading, &entry);
		dwarf_entry_finish(&entry, &entries);
	} while (is_good && reading->scopes.count > 0);
	while (reading->scopes.count > 0)
		close_scope(reading);
	array_release(&reading->scopes);
	return is_good;
}

/* ---- the function ------------------------------------------------------------------ */

bool variables_read(struct variables *variables, struct types *types, uint64_t offset)
{
	struct reading reading = {
		.variables = variables,
		.types = types,
		.budget = PLACES_MAX,
	};
	uint64_t address, entry;

	if (!elf_image_address(types->dwarf->sources.object, offset, &address))
		return true;
	reading.unit = callee_entry(types, address, &entry);
	return !reading.unit || read_function(&reading, entry);
}

void variables_release(struct variables *variables)
{
	array_release(&variables->list);
	array_release(&variables->places);
	array_release(&variables->calls);
}
