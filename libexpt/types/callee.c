/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/types/callee.h"

#include <dwarf.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/dwarf/code.h"
#include "libexpt/types/place_list.h"
#include "libexpt/types/private.h"

/* Entries of one list of places. */
#define LIST_MAX 1000
/* Functions inlined into each other: more is hostile. */
#define INLINED_MAX 1000
#define CALLEES_MAX 500000 /* later ones are not known */

struct dwarf_unit *callee_entry(struct types *types, uint64_t address, uint64_t *entry)
{
	uint32_t number = spans_find(&types->dwarf->spans, address), instance;
	struct dwarf_code *code;
	unsigned depth = 0;

	if (number == SPAN_NONE)
		return NULL;
	code = dwarf_unit_code(types->dwarf->debug.units.items[number]);
	instance = code ? spans_find(&code->spans, address) : SPAN_NONE;
	if (instance == SPAN_NONE)
		return NULL;
	while (code->instances.items[instance].is_inlined &&
	       code->instances.items[instance].parent != SPAN_NONE) {
		if (++depth == INLINED_MAX)
			return NULL;
		instance = code->instances.items[instance].parent;
	}
	*entry = code->instances.items[instance].entry;
	return code->unit;
}

/* ---- reading ----------------------------------------------------------------------- */

/* Where a parameter is when the function begins. */
struct beginning {
	uint64_t address;
	int number;
};

static bool take_place(void *context, uint64_t low, uint64_t high,
		       const struct place *place)
{
	struct beginning *beginning = context;

	if (beginning->address < low || beginning->address >= high)
		return true;
	if (place->kind == PLACE_REGISTER && place->part_size == 0)
		beginning->number = (int)place->number;
	return false;
}

static int number_of(const struct details *details, uint64_t address)
{
	struct beginning beginning = { address, PARAMETER_ELSEWHERE };
	static const struct place frame = { .kind = PLACE_FRAME };
	uint64_t budget = LIST_MAX;
	struct place place;

	if (!details->location.value.form)
		return PARAMETER_ELSEWHERE;
	if (!expression_is(&details->location)) {
		place_list_read(&details->location, NULL, &budget, take_place,
				&beginning);
		return beginning.number;
	}
	place = expression_place(details->location.value.bytes,
				 details->location.value.number, details->location.unit,
				 &frame);
	if (place.kind == PLACE_FRAME && !place.is_indirect)
		return PARAMETER_IN_ORDER;
	return place.kind == PLACE_REGISTER ? (int)place.number : PARAMETER_ELSEWHERE;
}

/* false: the parameters after it are not read. */
static bool add_parameter(struct callee *callee, const struct type *type,
			  const struct details *details, uint64_t address)
{
	if (type && type->is_floating)
		return true;
	if (callee->count == CALLEE_PARAMETERS || (type && type->kind == TYPE_AGGREGATE))
		return false;
	callee->parameters[callee->count++] =
		(struct parameter){ type, number_of(details, address) };
	return true;
}

static void read_parameters(struct callee *callee, struct types *types,
			    struct dwarf_unit *unit, struct dwarf_entries *entries,
			    uint64_t address)
{
	struct dwarf_entry entry;
	struct details details;

	while (dwarf_entry_next(&entry, entries) &&
	       entry.tag == DW_TAG_formal_parameter) {
		details_take(&details, unit, &entry);
		dwarf_entry_finish(&entry, entries);
		if (!add_parameter(callee, type_of(types, &details.type), &details,
				   address) ||
		    entry.has_children)
			return;
	}
}

/* The standard says of operator new(size_t, void *) that it returns the place that it is
 * given. Classes may have others of the name. */
static bool is_placement(const struct callee *callee, const char *linkage_name)
{
	return linkage_name && callee->count == 2 &&
	       (strcmp(linkage_name, "_ZnwmPv") == 0 ||
		strcmp(linkage_name, "_ZnamPv") == 0);
}

static void read_callee(struct callee *callee, struct types *types, uint64_t address)
{
	struct dwarf_entries entries;
	struct dwarf_entry entry;
	struct details details;
	uint64_t offset;
	struct dwarf_unit *unit = callee_entry(types, address, &offset);

	if (!unit || !dwarf_entries_begin(&entries, unit, offset) ||
	    !dwarf_entry_next(&entry, &entries) || entry.tag == 0)
		return;
	details_take(&details, unit, &entry);
	dwarf_entry_finish(&entry, &entries);
	callee->returned = type_of(types, &details.type);
	callee->is_noreturn = details.is_noreturn;
	/* Results that are large have their address as the first parameter. */
	if (callee->returned && callee->returned->kind == TYPE_AGGREGATE &&
	    callee->returned->size > 16)
		return;
	if (entry.has_children)
		read_parameters(callee, types, unit, &entries, address);
	if (is_placement(callee, details.linkage_name))
		callee->result = &callee->parameters[1];
}

const struct callee *callee_at(struct types *types, uint64_t address)
{
	uint32_t *slot = idmap_add(&types->by_function, address);
	struct callee *callee, **place;

	if (!slot)
		return NULL;
	if (*slot != IDMAP_NONE)
		return types->callees.items[*slot];
	if (types->callees.count == CALLEES_MAX)
		return NULL;
	callee = arena_alloc(&types->arena, sizeof(*callee));
	place = callee ? array_add(&types->callees) : NULL;
	if (!place)
		return NULL;
	*place = callee;
	*slot = (uint32_t)types->callees.count - 1;
	read_callee(callee, types, address);
	return callee;
}

const struct callee *callee_through(struct types *types, uint64_t slot)
{
	uint64_t address;

	if (!types->has_got) {
		types->has_got = true;
		elf_read_got(&types->got, types->dwarf->sources.object, NULL);
	}
	return elf_got_find(&address, &types->got, slot) ? callee_at(types, address)
							 : NULL;
}

void callees_release(struct types *types)
{
	elf_got_release(&types->got);
	array_release(&types->callees);
	idmap_release(&types->by_function);
}
