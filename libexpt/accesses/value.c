/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/accesses/value.h"

#include "libexpt/accesses/number.h"
#include "libexpt/types/members.h"

/* The last member of a structure may be an array of any length, written as one of no or
 * one element. */
static bool ends_openly(struct types *types, const struct type *type)
{
	const struct type_member *members;
	const struct type *last;
	size_t count = type_members(types, type, &members);

	if (count == 0)
		return false;
	last = members[count - 1].type;
	return last && last->kind == TYPE_ARRAY && last->target &&
	       last->size <= last->target->size;
}

struct value value_pointer(struct types *types, const struct type *type)
{
	bool is_array = false;

	while (type && type->kind == TYPE_ARRAY && type->target && !type->is_described) {
		type = type->target;
		is_array = true;
	}
	if (!type || type->kind == TYPE_CODE || type->kind == TYPE_UNKNOWN)
		return value_any();
	return (struct value){
		.kind = VALUE_POINTER,
		.type = type,
		.is_single = ends_openly(types, type),
		.is_walking = (is_array || type->kind < TYPE_ARRAY) && type->size > 0,
	};
}

struct value value_frame(int64_t offset)
{
	return (struct value){ .kind = VALUE_FRAME, .offset = offset };
}

struct value value_static(uint64_t address)
{
	return (struct value){ .kind = VALUE_STATIC, .offset = (int64_t)address };
}

bool value_offset(uint64_t *offset, const struct value *pointer)
{
	uint64_t size = pointer->type->size;

	*offset = (uint64_t)pointer->offset;
	if (pointer->type->is_described)
		return !pointer->is_open && pointer->offset == 0;
	return !pointer->is_open && pointer->offset >= 0 && size > 0 &&
	       (*offset < size || pointer->is_single);
}

bool value_equals(const struct value *a, const struct value *b)
{
	return a->kind == b->kind && a->type == b->type && a->offset == b->offset &&
	       a->is_open == b->is_open && a->is_part == b->is_part &&
	       a->is_slice == b->is_slice && a->is_walking == b->is_walking &&
	       a->is_count == b->is_count && a->is_growing == b->is_growing &&
	       a->steps == b->steps && a->is_flag == b->is_flag && a->array == b->array &&
	       a->multiple == b->multiple && a->symbol == b->symbol;
}

/* ---- pointers ---------------------------------------------------------------------- */

/* The offset of a pointer that steps from element to element, in one of them. */
static int64_t in_element(int64_t offset, uint64_t size)
{
	int64_t rest = offset % (int64_t)size;

	return rest < 0 ? rest + (int64_t)size : rest;
}

static struct value open_pointer(struct value pointer)
{
	pointer.is_open = true;
	pointer.offset = 0;
	pointer.steps = 0;
	pointer.multiple = 0;
	pointer.is_walking = false;
	pointer.array = NULL;
	return pointer;
}

static bool is_whole(const struct value *pointer, int64_t offset)
{
	uint64_t size = pointer->type->size;

	return (offset == 0 || !(pointer->is_single || pointer->is_part)) && size > 0 &&
	       size < (uint64_t)OFFSET_MAX && offset % (int64_t)size == 0;
}

static struct value merge_pointers(const struct value *a, const struct value *b)
{
	struct value merged = *a;

	merged.is_part |= b->is_part;
	merged.is_slice &= b->is_slice;
	if (a->is_open || b->is_open)
		return open_pointer(merged);
	if (a->array != b->array)
		merged.array = NULL;
	if (!is_whole(a, a->offset - b->offset))
		return open_pointer(merged);
	merged.is_walking |= b->is_walking || a->offset != b->offset;
	if (merged.is_walking)
		merged.offset = in_element(merged.offset, a->type->size);
	return merged;
}

/* One of a few places in the object. */
static struct value move_by_steps(struct value pointer, const struct value *by)
{
	struct value moved = open_pointer(pointer);

	if (pointer.is_single || by->multiple > NUMBER_COUNT_MAX)
		return moved;
	moved.offset = pointer.offset;
	moved.steps = by->steps;
	moved.multiple = by->multiple;
	return moved;
}

static bool is_near(int64_t offset)
{
	return offset <= OFFSET_MAX && offset >= -OFFSET_MAX;
}

static struct value move_pointer(struct value pointer, const struct value *by)
{
	uint64_t size = pointer.type->size;

	if (pointer.is_open && pointer.steps > 0 && by->kind == VALUE_NUMBER &&
	    !by->is_open && is_near(by->offset) && is_near(pointer.offset)) {
		pointer.offset += by->offset;
		return pointer;
	}
	if (pointer.is_open || (by->kind != VALUE_NUMBER && size != 1))
		return open_pointer(pointer);
	if (by->kind != VALUE_NUMBER || by->is_open) {
		uint64_t multiple = by->kind == VALUE_NUMBER ? by->multiple : 1;

		if (size == 0 || multiple % size != 0 || pointer.is_single ||
		    pointer.is_part)
			return by->steps > 0 ? move_by_steps(pointer, by)
					     : open_pointer(pointer);
		pointer.is_walking = true;
		pointer.offset = in_element(pointer.offset, size);
		return pointer;
	}
	if (!is_near(by->offset) || !is_near(pointer.offset))
		return open_pointer(pointer);
	pointer.offset += by->offset;
	if (pointer.is_walking)
		pointer.offset = in_element(pointer.offset, size);
	return pointer;
}

/* ---- all --------------------------------------------------------------------------- */

static struct value open_place(struct value place)
{
	place.is_open = true;
	place.is_growing = false;
	place.offset = 0;
	place.multiple = 0;
	return place;
}

struct value value_merge(const struct value *a, const struct value *b)
{
	if (a->kind == VALUE_UNSEEN || value_equals(a, b))
		return *b;
	if (b->kind == VALUE_UNSEEN)
		return *a;
	if (a->kind == VALUE_NUMBER && b->kind == VALUE_NUMBER)
		return number_merge(a, b);
	if (a->kind == VALUE_POINTER && number_is_nowhere(b))
		return *a;
	if (b->kind == VALUE_POINTER && number_is_nowhere(a))
		return *b;
	if (a->kind != b->kind || a->type != b->type)
		return value_any();
	if (a->kind == VALUE_POINTER)
		return merge_pointers(a, b);
	return a->kind == VALUE_ANY ? *a : open_place(*a);
}

static bool is_static(const struct value *value)
{
	return value->kind == VALUE_STATIC && (!value->is_open || value->is_growing);
}

struct value value_later(const struct value *first, const struct value *other)
{
	struct value later = *first;
	uint64_t distance = (uint64_t)first->offset - (uint64_t)other->offset;

	if (!is_static(first) || !is_static(other))
		return value_any();
	if (other->offset > first->offset)
		distance = 0 - distance;
	later.multiple = number_divisor(number_divisor(first->multiple, other->multiple),
					distance);
	later.is_open = later.is_growing = true;
	return later;
}

static struct value move_static(struct value place, const struct value *by)
{
	if (!is_static(&place) || by->kind != VALUE_NUMBER ||
	    (by->is_open && !number_has_first(by)) ||
	    __builtin_add_overflow(place.offset, by->offset, &place.offset))
		return open_place(place);
	if (!by->is_open)
		return place;
	place.is_open = place.is_growing = true;
	place.multiple = number_divisor(place.multiple, by->multiple);
	return place;
}

struct value value_add(const struct value *a, const struct value *b)
{
	struct value sum;

	if (a->kind == VALUE_UNSEEN || b->kind == VALUE_UNSEEN)
		return (struct value){ .kind = VALUE_UNSEEN };
	if (a->kind == VALUE_NUMBER && b->kind == VALUE_NUMBER)
		return number_add(a, b);
	if (a->kind < VALUE_POINTER && b->kind >= VALUE_POINTER)
		return value_add(b, a);
	if (a->kind < VALUE_POINTER || b->kind >= VALUE_POINTER)
		return value_any();
	if (a->kind == VALUE_POINTER)
		return move_pointer(*a, b);
	if (a->kind == VALUE_STATIC)
		return move_static(*a, b);
	sum = *a;
	if (a->is_open || b->kind != VALUE_NUMBER || b->is_open ||
	    __builtin_add_overflow(a->offset, b->offset, &sum.offset))
		return open_place(*a);
	return sum;
}

struct value value_subtract(const struct value *a, const struct value *b)
{
	struct value minus = value_times(b, -1), rest = *a;

	if (a->kind == VALUE_NUMBER && a->symbol && b->kind == VALUE_NUMBER &&
	    a->symbol == b->symbol && a->multiple > b->multiple) {
		rest.multiple -= b->multiple;
		rest.is_growing = false;
		rest.steps = 0;
		rest.is_flag = false;
		return rest;
	}
	return b->kind >= VALUE_POINTER ? value_any() : value_add(a, &minus);
}

struct value value_times(const struct value *value, int64_t number)
{
	uint64_t factor = number < 0 ? 0 - (uint64_t)number : (uint64_t)number, product;
	struct value more;
	int64_t exact;

	if (value->kind == VALUE_UNSEEN)
		return *value;
	if (value->kind == VALUE_NUMBER && !value->is_open &&
	    !__builtin_mul_overflow(value->offset, number, &exact))
		return number_exact(exact);
	if (value->kind != VALUE_NUMBER)
		return number_open(factor, false);
	if (__builtin_mul_overflow(number_multiple(value), factor, &product))
		return value_any();
	more = number_open(product, value->is_count);
	if (more.is_count && value->is_growing && number > 0 &&
	    !__builtin_mul_overflow(value->offset, number, &exact))
		number_grow(&more, exact);
	if (more.is_count && number > 0)
		more.steps = value->steps;
	if (number > 0 && more.kind == VALUE_NUMBER)
		more.symbol = value->symbol;
	return more;
}

struct value value_narrow(const struct value *value)
{
	struct value narrow = *value;

	if (value->kind == VALUE_UNSEEN || value->kind == VALUE_NUMBER) {
		narrow.is_growing &= value->offset >= 0;
		narrow.is_flag = false;
		return narrow;
	}
	return value_any();
}
