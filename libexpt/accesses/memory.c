/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/accesses/memory.h"

#include "libexpt/accesses/frame.h"
#include "libexpt/accesses/number.h"
#include "libexpt/accesses/slots.h"
#include "libexpt/types/open.h"
#include "libexpt/types/walk.h"

/* Returns the pointer to an element of an array that is a variable, a whole number of
 * elements after an offset in it. */
static struct value in_array(const struct function *function,
			     const struct variable *variable, uint64_t offset,
			     const struct value *index, bool is_certain)
{
	const struct type *element = variable ? variable->type : NULL;
	uint64_t multiple = index->kind == VALUE_NUMBER ? index->multiple : 1;
	struct value value;

	while (element && element->kind == TYPE_ARRAY && element->target &&
	       !element->is_described)
		element = element->target;
	if (!element || element == variable->type || element->size == 0 ||
	    index->kind != VALUE_NUMBER || multiple % element->size != 0)
		return value_any();
	/* Optimised code adds constants of an index to the address, so that it may be in
	 * what is before the array. */
	if (!index->is_growing && !is_certain &&
	    (!function->variables.is_plain || offset >= element->size))
		return value_any();
	value = value_pointer(function->types, element);
	if (value.kind != VALUE_POINTER || value.is_single)
		return value_any();
	value.offset = (int64_t)(offset % element->size);
	value.is_walking = true;
	value.array = variable;
	return value;
}

/* Whether data are in a variable, whatever the index: where it is from 0 up to a small
 * number, the data's address itself tells. */
static bool is_inside(const struct step *step, const struct variable *variable,
		      uint64_t offset, const struct value *index)
{
	return step->is_access && index->kind == VALUE_NUMBER && index->steps > 0 &&
	       index->multiple < NUMBER_COUNT_MAX && variable->type &&
	       offset + index->steps * index->multiple < variable->type->size;
}

/* Whether an index is one of what variables have in the frame: nothing else has room for
 * two elements. */
static bool is_in_variables(const struct function *function, const struct state *state,
			    const struct step *step, uint64_t multiple)
{
	return multiple > 0 && frame_is_full(function, state, step, multiple);
}

struct value memory_add(const struct function *function, const struct state *state,
			const struct step *step, const struct value *a,
			const struct value *b)
{
	const struct variable *variable = NULL;
	struct value sum = value_add(a, b), element;
	struct frame_variable found;
	uint64_t start = 0;
	int64_t first = a->offset;
	bool is_certain = false;

	if (!sum.is_open || sum.is_growing ||
	    (sum.kind != VALUE_STATIC && sum.kind != VALUE_FRAME))
		return sum;
	if (a->kind < VALUE_POINTER)
		return memory_add(function, state, step, b, a);
	if (a->is_open)
		return sum;
	if (b->kind == VALUE_NUMBER && b->is_growing &&
	    __builtin_add_overflow(first, b->offset, &first))
		return sum;
	if (a->kind == VALUE_STATIC) {
		variable = statics_find(function->statics, function->types,
					(uint64_t)first, &start);
	} else {
		sum.multiple = b->kind == VALUE_NUMBER ? b->multiple : 0;
		if (frame_find(&found, function, state, step->address, first) &&
		    !found.is_indirect) {
			variable = found.variable;
			start = (uint64_t)found.start;
			is_certain = variable == function->contents.only &&
				     is_in_variables(function, state, step, sum.multiple);
		}
	}
	if (!variable)
		return sum;
	is_certain |= is_inside(step, variable, (uint64_t)first - start, b);
	element = in_array(function, variable, (uint64_t)first - start, b, is_certain);
	return element.kind == VALUE_POINTER ? element : sum;
}

struct value memory_place(const struct function *function, const struct value *address)
{
	struct value element, distance = { .kind = VALUE_NUMBER, .is_open = true };
	const struct variable *variable;
	uint64_t start;

	if (address->kind != VALUE_STATIC || !address->is_growing)
		return *address;
	variable = statics_find(function->statics, function->types,
				(uint64_t)address->offset, &start);
	if (!variable || !variable->type)
		return *address;
	distance.multiple = address->multiple;
	distance.is_growing = true;
	element = in_array(function, variable, (uint64_t)address->offset - start,
			   &distance, false);
	return element.kind == VALUE_POINTER ? element : *address;
}

struct value memory_operand(const struct function *function, const struct state *state,
			    const struct step *step)
{
	const struct operand *operand = &step->operand;
	struct value sum = number_exact(operand->displacement), part;

	if (operand->base == REGISTER_OTHER || operand->index == REGISTER_OTHER ||
	    operand->is_thread || operand->is_moving)
		return value_any();
	if (operand->is_relative)
		return value_static((uint64_t)operand->displacement);
	if (operand->base != REGISTER_NONE)
		sum = memory_add(function, state, step, &state->registers[operand->base],
				 &sum);
	if (operand->index != REGISTER_NONE) {
		part = state->registers[operand->index];
		if (operand->scale != 1)
			part = value_times(&part, operand->scale);
		sum = memory_add(function, state, step, &sum, &part);
	}
	return sum;
}

const struct type *memory_type(const struct function *function, const struct value *value)
{
	const struct variable *variable;
	uint64_t offset, start;

	if (value->kind == VALUE_POINTER)
		return value_offset(&offset, value)
			       ? walk_pointer(function->types, value->type, offset)
			       : NULL;
	variable = statics_find(function->statics, function->types,
				(uint64_t)value->offset, &start);
	return variable && variable->type ? walk_pointer(function->types, variable->type,
							 (uint64_t)value->offset - start)
					  : NULL;
}

static struct value loaded_of(struct types *types, const struct type *type)
{
	struct value value;

	if (type && type->kind == TYPE_POINTER)
		return value_pointer(types, type->target);
	if (!type || type->kind != TYPE_ARRAY || !type->is_described)
		return value_any();
	value = value_pointer(types, type->target);
	value.is_walking = value.kind == VALUE_POINTER && value.type->size > 0;
	return value;
}

struct value memory_word(const struct function *function, const struct type *type,
			 uint64_t offset)
{
	return loaded_of(function->types, walk_pointer(function->types, type, offset));
}

/* Returns what is at one of a few places in an object, if that is the same. */
static struct value load_of_some(const struct function *function,
				 const struct value *from)
{
	struct value at = *from, loaded = { .kind = VALUE_UNSEEN };

	at.is_open = false;
	for (unsigned i = 0; i <= from->steps; i++) {
		const struct type *type = memory_type(function, &at);
		struct value one = loaded_of(function->types, type);

		if (one.kind != VALUE_POINTER || (i > 0 && !value_equals(&one, &loaded)))
			return value_any();
		loaded = one;
		at.offset += (int64_t)from->multiple;
	}
	types_spend(function->types, from->steps);
	return loaded;
}

/* Returns what is at an index in the frame, if all variables there have the same. */
static struct value load_of_frame(const struct function *function,
				  const struct state *state, const struct step *step,
				  const struct value *from)
{
	const struct type *type = function->contents.pointer;

	if (!type || from->multiple % WORD_SIZE != 0 ||
	    !is_in_variables(function, state, step, from->multiple))
		return value_any();
	return loaded_of(function->types, type);
}

struct value memory_load(const struct function *function, const struct state *state,
			 const struct step *step)
{
	struct value address = memory_operand(function, state, step),
		     from = memory_place(function, &address);
	struct frame_variable found;
	const struct type *type;

	if (number_is_nowhere(&from))
		return (struct value){ .kind = VALUE_UNSEEN };
	if (from.kind == VALUE_POINTER && from.is_open && from.steps > 0)
		return load_of_some(function, &from);
	if (from.kind == VALUE_FRAME && from.is_open)
		return load_of_frame(function, state, step, &from);
	if (from.kind < VALUE_POINTER || from.is_open)
		return value_any();
	if (from.kind == VALUE_FRAME) {
		if (!frame_find(&found, function, state, step->address, from.offset))
			return slots_get(state, from.offset);
		if (found.is_indirect)
			return value_pointer(function->types, found.variable->type);
		type = walk_pointer(function->types, found.variable->type,
				    (uint64_t)from.offset - (uint64_t)found.start);
	} else {
		type = memory_type(function, &from);
	}
	return loaded_of(function->types, type);
}
