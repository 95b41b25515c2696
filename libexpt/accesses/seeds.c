/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/accesses/seeds.h"

#include <stdlib.h>
#include <string.h>

#include "libexpt/accesses/memory.h"
#include "libexpt/base/array.h"
#include "libexpt/types/members.h"
#include "libexpt/types/walk.h"

/* Seeds times steps that are filled in: more is hostile. */
#define FILLED_MAX 20000000
/* Steps that take as long as comparing two of them. */
#define COMPARED 100

enum { RANK_BYTES = 1, RANK_SCALARS, RANK_OBJECTS };

/* A pointer to characters may point to anything. */
static unsigned rank_of(const struct type *type)
{
	if (type->kind == TYPE_AGGREGATE || type->kind == TYPE_ARRAY)
		return RANK_OBJECTS;
	return type->size == 1 ? RANK_BYTES : RANK_SCALARS;
}

/* A slice of Rust that is a parameter: all that is reached from its pointer are its
 * elements. In a function that is inlined, it may be something around them. */
static bool is_slice(const struct function *function, const struct variable *variable)
{
	static const char start[] = "structure:&";
	const struct type_member *members;

	return variable->level == 1 && variable->is_parameter &&
	       strncmp(variable->type->name, start, strlen(start)) == 0 &&
	       type_members(function->types, variable->type, &members) == 2 &&
	       strcmp(members[0].name, "data_ptr") == 0 &&
	       strcmp(members[1].name, "length") == 0;
}

/* Returns what a register is that has a variable, a part of it, or its address. */
static struct value value_in(const struct function *function,
			     const struct variable *variable, const struct place *place)
{
	const struct type *type = variable->type;
	struct value value;

	if (place->kind == PLACE_MEMORY)
		value = place->part_size ? value_any()
					 : value_pointer(function->types, type);
	else
		value = memory_word(function, type, place->part);
	if (value.kind == VALUE_POINTER && place->kind != PLACE_REGISTER)
		value.offset = -place->offset;
	else if (value.kind == VALUE_POINTER && value.type->size > 0 &&
		 is_slice(function, variable))
		value.is_walking = value.is_slice = true;
	return value;
}

static bool add_seed(struct seeds *seeds, const struct value *value,
		     const struct place *place)
{
	struct seed *seed;

	if (value->kind != VALUE_POINTER || place->offset > OFFSET_MAX ||
	    place->offset < -OFFSET_MAX)
		return true;
	seed = array_add(&seeds->list);
	if (!seed)
		return false;
	*seed = (struct seed){ *value, (uint8_t)place->number, rank_of(value->type) };
	return true;
}

/* A pointer to an object, or to the class with which it begins: inlined functions of the
 * base class have the same register. */
static bool is_better(const struct function *function, const struct seed *old,
		      const struct seed *new)
{
	if (old->rank != new->rank)
		return new->rank > old->rank;
	if (old->value.is_slice && old->value.type == new->value.type &&
	    old->value.offset == new->value.offset)
		return false;
	return old->rank != RANK_OBJECTS || old->value.type == new->value.type ||
	       old->value.offset != new->value.offset ||
	       walk_common(function->types, old->value.type, new->value.type) !=
		       new->value.type;
}

/* Let the newest seed count at the steps of a place, but where a better one does. */
static void fill(struct seeds *seeds, const struct function *function,
		 const struct variable_place *from, uint64_t *budget)
{
	const struct seed *seed = &seeds->list.items[seeds->list.count - 1];
	uint32_t number = (uint32_t)seeds->list.count, last = 0;
	bool is_new = true;

	for (size_t i = steps_before(function, from->low);
	     i < function->steps.count &&
	     function->steps.items[i].address<from->high && * budget> 0;
	     i++, --*budget) {
		uint32_t *slot = &seeds->by_step[i * REGISTERS + seed->number];

		if (*slot != 0 && *slot != last) {
			is_new = is_better(function, &seeds->list.items[*slot - 1], seed);
			*budget -= *budget > COMPARED ? COMPARED : *budget - 1;
		}
		last = *slot;
		if (*slot == 0 || is_new)
			*slot = number;
	}
}

static bool is_of_register(const struct place *place)
{
	return place->number < REGISTERS &&
	       (place->kind == PLACE_REGISTER || place->kind == PLACE_VALUE ||
		place->kind == PLACE_MEMORY);
}

bool seeds_make(struct seeds *seeds, const struct function *function)
{
	const struct variables *variables = &function->variables;
	uint64_t budget = FILLED_MAX;

	seeds->by_step = calloc(function->steps.count * REGISTERS, sizeof(uint32_t));
	if (!seeds->by_step)
		return false;
	for (size_t i = 0; i < variables->places.count; i++) {
		const struct variable_place *from = &variables->places.items[i];
		const struct variable *variable = &variables->list.items[from->variable];
		size_t count = seeds->list.count;

		struct value value;

		if (!variable->type || from->place.is_indirect ||
		    !is_of_register(&from->place))
			continue;
		value = value_in(function, variable, &from->place);
		if (!add_seed(seeds, &value, &from->place))
			return false;
		if (seeds->list.count > count)
			fill(seeds, function, from, &budget);
	}
	return true;
}

/* The code may know more: that a pointer walks through an array. */
static bool knows_more(const struct value *value, const struct value *seed)
{
	return value->kind == VALUE_POINTER && value->type == seed->type &&
	       !value->is_open && value->offset == seed->offset;
}

void seeds_apply(const struct seeds *seeds, const struct function *function, size_t step,
		 struct state *state)
{
	const uint32_t *slots = &seeds->by_step[step * REGISTERS];

	for (int i = 0; i < REGISTERS; i++) {
		const struct value *seed;

		if (slots[i] == 0)
			continue;
		seed = &seeds->list.items[slots[i] - 1].value;
		if (state->registers[i].kind == VALUE_FRAME &&
		    !state->registers[i].is_open)
			continue;
		if (state->registers[i].is_count)
			continue;
		facts_note(function->facts, function->types, &state->registers[i], seed);
		if (!knows_more(&state->registers[i], seed))
			state->registers[i] = *seed;
	}
}

void seeds_release(struct seeds *seeds)
{
	array_release(&seeds->list);
	free(seeds->by_step);
}
