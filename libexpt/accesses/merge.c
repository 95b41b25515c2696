/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/accesses/merge.h"

#include "libexpt/accesses/memory.h"
#include "libexpt/accesses/slots.h"
#include "libexpt/types/walk.h"

/* ---- values ------------------------------------------------------------------------ */

/* Returns the pointer that is stored at a place, as the object that it is. */
static struct value narrowed(const struct function *function, const struct value *value)
{
	const struct type *type;

	if (value->is_open ||
	    (value->kind != VALUE_POINTER && value->kind != VALUE_STATIC))
		return value_any();
	type = memory_type(function, value);
	return type && type->kind == TYPE_POINTER ? value_pointer(function->types, type)
						  : value_any();
}

/* Returns the pointer to the class with which the objects of two begin, or what is not
 * known. */
static struct value common(const struct function *function, const struct value *a,
			   const struct value *b)
{
	const struct type *type;
	struct value value;

	if (a->kind != VALUE_POINTER || b->kind != VALUE_POINTER || a->is_open ||
	    b->is_open || a->offset != b->offset || a->type == b->type)
		return value_any();
	type = walk_common(function->types, a->type, b->type);
	value = value_pointer(function->types, type);
	value.offset = a->offset;
	value.is_part = true;
	return value;
}

/* Returns the address that was the first one, and is another one in the same variable
 * later, or what is not known. */
static struct value later(const struct function *function, const struct value *a,
			  const struct value *b)
{
	uint64_t one, other;
	struct value later = value_later(a, b);

	if (later.kind != VALUE_STATIC ||
	    !statics_find(function->statics, function->types, (uint64_t)a->offset,
			  &one) ||
	    !statics_find(function->statics, function->types, (uint64_t)b->offset,
			  &other) ||
	    one != other)
		return value_any();
	return later;
}

/* The address of one pointer or of another is that of a pointer. */
struct value merge_values(const struct function *function, const struct value *a,
			  const struct value *b)
{
	struct value merged = value_merge(a, b), one, other;

	if (merged.kind != VALUE_ANY && !merged.is_open)
		return merged;
	one = later(function, a, b);
	if (one.kind == VALUE_STATIC)
		return one;
	if (merged.kind != VALUE_ANY && (merged.kind != VALUE_POINTER || !merged.is_open))
		return merged;
	one = common(function, a, b);
	if (one.kind == VALUE_POINTER)
		return one;
	one = narrowed(function, a);
	other = narrowed(function, b);
	return one.kind == VALUE_POINTER && value_equals(&one, &other) ? one : merged;
}

/* ---- states ------------------------------------------------------------------------ */

static bool merge_into(const struct function *function, struct value *into,
		       const struct value *from)
{
	struct value merged = merge_values(function, into, from);
	bool is_same = value_equals(&merged, into);

	*into = merged;
	return !is_same;
}

/* A slot is known only if both states know it. */
static bool merge_slots(const struct function *function, struct state *into,
			const struct state *from)
{
	bool is_changed = false;

	for (size_t i = 0; i < SLOTS; i++) {
		struct slot *slot = &into->slots[i];
		struct value other;

		if (slot->value.kind == VALUE_UNSEEN)
			continue;
		other = slots_get(from, slot->offset);
		is_changed |= merge_into(function, &slot->value, &other);
		if (slot->value.kind == VALUE_ANY)
			*slot = (struct slot){ .value.kind = VALUE_UNSEEN };
	}
	return is_changed;
}

bool merge_states(struct state *into, const struct function *function,
		  const struct state *from)
{
	bool is_changed = false;

	for (size_t i = 0; i < REGISTERS; i++)
		is_changed |=
			merge_into(function, &into->registers[i], &from->registers[i]);
	return merge_slots(function, into, from) || is_changed;
}
