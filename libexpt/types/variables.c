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
#define DEPTH_MAX  1000 /* of scopes; a function with deeper ones is not read */
#define LOOKS_MAX  20000
/* Places in memory that have bounds together: those of a variable follow each other. */
#define GROUP 32

/* An open list of children. */
struct scope {
	struct spans spans; /* of the code inside */
	size_t spans_of;    /* the scope with the code: this one, or one around it */
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
	const struct scope *scopes = reading->scopes.items;
	size_t count = reading->scopes.count;

	return count > 0 ? &scopes[scopes[count - 1].spans_of].spans : &none;
}

static bool take_everywhere(void *context, const struct place *place)
{
	struct reading *reading = context;
	const struct spans *spans = current_spans(reading);

	for (size_t i = 0; i < spans->count && reading->budget > 0; i++)
		if (!take_place(reading, spans->items[i].low, spans->items[i].high,
				place))
			return false;
	return true;
}

/* Whether a variable has a place in memory for its whole life. */
static bool is_plain(const struct reading *reading, const struct details *details)
{
	struct place place;

	if (details->is_declaration || details->is_static)
		return true;
	if (!expression_is(&details->location))
		return false;
	place = expression_place(details->location.value.bytes,
				 details->location.value.number, details->location.unit,
				 &reading->frame);
	return place.kind == PLACE_FRAME || place.kind == PLACE_MEMORY ||
	       place.kind == PLACE_STATIC || place.kind == PLACE_THREAD;
}

static bool take_variable(struct reading *reading, const struct details *details)
{
	struct variable *variable;

	reading->variables->is_plain &= is_plain(reading, details);
	if (!details->location.value.form || reading->budget == 0)
		return true;
	reading->budget--;
	variable = array_add(&reading->variables->list);
	if (!variable)
		return false;
	*variable = (struct variable){
		.name = details->name ? details->name : "-",
		.type = type_of(reading->types, &details->type),
		.is_parameter = details->tag == DW_TAG_formal_parameter,
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

	if (!dwarf_value_address(&back, &details->call_return.value, reading->unit) ||
	    !detail_entry(&unit, &offset, &details->call_origin) ||
	    !details_read(&called, unit, offset) || reading->budget == 0)
		return true;
	reading->budget--;
	call = array_add(&reading->variables->calls);
	if (!call)
		return false;
	*call = (struct variable_call){
		.back = back,
		.order = (uint32_t)reading->variables->calls.count,
		.is_noreturn = called.is_noreturn,
		.type = type_of(reading->types, &called.type),
	};
	return true;
}

/* ---- scopes ------------------------------------------------------------------------ */

static bool open_scope(struct reading *reading, const struct details *details)
{
	size_t number = reading->scopes.count;
	struct scope *scope = number < DEPTH_MAX ? array_add(&reading->scopes) : NULL;

	if (!scope)
		return false;
	if (dwarf_extent_add(&scope->spans, &details->extent, reading->unit, 0) < 0 ||
	    spans_finish(&scope->spans) < 0)
		return false;
	scope->spans_of = scope->spans.count > 0 || number == 0
				  ? number
				  : reading->scopes.items[number - 1].spans_of;
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
	reading->variables->has_debug_data = reading->variables->is_plain = true;
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
	case DW_TAG_GNU_formal_parameter_pack:
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
	else if (details.tag == DW_TAG_unspecified_parameters)
		reading->variables->is_variadic = true;
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

/* ---- finding ----------------------------------------------------------------------- */

static bool add_in_memory(struct variables *variables, size_t place)
{
	const struct variable_place *from = &variables->places.items[place];
	size_t count = variables->in_memory.count;
	struct variable_bounds *bounds;
	uint32_t *index;

	if (count % GROUP == 0) {
		bounds = array_add(&variables->bounds);
		if (!bounds)
			return false;
		bounds->low = UINT64_MAX;
	}
	index = array_add(&variables->in_memory);
	if (!index)
		return false;
	*index = (uint32_t)place;
	bounds = &variables->bounds.items[count / GROUP];
	if (from->low < bounds->low)
		bounds->low = from->low;
	if (from->high > bounds->high)
		bounds->high = from->high;
	return true;
}

static int compare_calls(const void *one, const void *other)
{
	const struct variable_call *a = one, *b = other;

	if (a->back != b->back)
		return a->back > b->back ? 1 : -1;
	return (a->order > b->order) - (a->order < b->order);
}

static bool finish(struct variables *variables)
{
	variables->is_plain &= variables->places.count > 0;
	for (size_t i = 0; i < variables->places.count; i++) {
		const struct variable_place *from = &variables->places.items[i];

		if ((from->place.kind == PLACE_FRAME ||
		     from->place.kind == PLACE_MEMORY) &&
		    variables->list.items[from->variable].type &&
		    !add_in_memory(variables, i))
			return false;
	}
	if (variables->calls.count > 0)
		qsort(variables->calls.items, variables->calls.count,
		      sizeof(*variables->calls.items), compare_calls);
	return true;
}

struct variable_search variables_search(const struct variables *variables,
					uint64_t address)
{
	return (struct variable_search){ .address = address,
					 .next = variables->in_memory.count };
}

const struct variable_place *variables_next(const struct variables *variables,
					    struct variable_search *search)
{
	uint64_t address = search->address;

	while (search->next > 0 && search->looks++ < LOOKS_MAX) {
		size_t group = (search->next - 1) / GROUP;
		const struct variable_bounds *bounds = &variables->bounds.items[group];
		const struct variable_place *place;

		if (address < bounds->low || address >= bounds->high) {
			search->next = group * GROUP;
			continue;
		}
		search->next--;
		place = &variables->places
				 .items[variables->in_memory.items[search->next]];
		if (address >= place->low && address < place->high)
			return place;
	}
	return NULL;
}

const struct variable_call *variables_call(const struct variables *variables,
					   uint64_t back)
{
	size_t low = 0, high = variables->calls.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (variables->calls.items[middle].back < back)
			low = middle + 1;
		else
			high = middle;
	}
	return low < variables->calls.count && variables->calls.items[low].back == back
		       ? &variables->calls.items[low]
		       : NULL;
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
	return !reading.unit || (read_function(&reading, entry) && finish(variables));
}

void variables_release(struct variables *variables)
{
	array_release(&variables->list);
	array_release(&variables->places);
	array_release(&variables->in_memory);
	array_release(&variables->bounds);
	array_release(&variables->calls);
}
