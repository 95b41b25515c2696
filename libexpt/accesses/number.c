/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/accesses/number.h"

struct value number_exact(int64_t number)
{
	return (struct value){ .kind = VALUE_NUMBER,
			       .is_count = number > -NUMBER_COUNT_MAX &&
					   number < NUMBER_COUNT_MAX,
			       .offset = number };
}

struct value number_of_symbol(uint64_t symbol)
{
	return (struct value){
		.kind = VALUE_NUMBER, .is_open = true, .multiple = 1, .symbol = symbol
	};
}

uint64_t number_divisor(uint64_t a, uint64_t b)
{
	while (b != 0) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

uint64_t number_multiple(const struct value *number)
{
	if (number->is_open)
		return number->multiple;
	return number->offset < 0 ? 0 - (uint64_t)number->offset
				  : (uint64_t)number->offset;
}

struct value number_open(uint64_t multiple, bool is_count)
{
	if (multiple <= 1 && !is_count)
		return value_any();
	return (struct value){ .kind = VALUE_NUMBER,
			       .is_open = true,
			       .is_count = is_count,
			       .multiple = multiple > 1 ? multiple : 1 };
}

/* Returns a number that is a multiple of all that divides both. */
static struct value common_number(const struct value *a, const struct value *b)
{
	return number_open(number_divisor(number_multiple(a), number_multiple(b)),
			   a->is_count && b->is_count);
}

struct value number_up_to(uint64_t multiple, uint8_t steps)
{
	struct value number = number_open(multiple, true);

	number.steps = steps;
	return number;
}

bool number_has_first(const struct value *number)
{
	return number->is_count && (!number->is_open || number->is_growing);
}

void number_grow(struct value *number, int64_t first)
{
	number->is_growing = first > -OFFSET_MAX && first < OFFSET_MAX;
	number->offset = number->is_growing ? first : 0;
}

/* Loops lead back to where the number was first: it grows if it is not less then. */
struct value number_merge(const struct value *first, const struct value *next)
{
	struct value merged = common_number(first, next);

	if (merged.is_count && number_has_first(first) && number_has_first(next) &&
	    next->offset >= first->offset)
		number_grow(&merged, first->offset);
	return merged;
}

bool number_is_nowhere(const struct value *value)
{
	return value->kind == VALUE_NUMBER && !value->is_open && value->is_count;
}

bool number_is_vague(const struct value *value)
{
	return value->kind == VALUE_ANY ||
	       (value->kind == VALUE_NUMBER && value->is_open && value->multiple == 1 &&
		value->symbol == 0);
}

static bool is_zero(const struct value *number)
{
	return !number->is_open && number->offset == 0;
}

struct value number_add(const struct value *a, const struct value *b)
{
	struct value more = *a;
	int64_t sum;

	if (is_zero(b))
		return *a;
	if (is_zero(a))
		return *b;
	if (a->symbol && a->symbol == b->symbol &&
	    !__builtin_add_overflow(a->multiple, b->multiple, &more.multiple)) {
		if (a->is_growing && b->is_growing)
			number_grow(&more, a->offset + b->offset);
		else
			more.is_growing = false;
		more.steps = 0;
		more.is_flag = false;
		return more;
	}
	if (!a->is_open && !b->is_open &&
	    !__builtin_add_overflow(a->offset, b->offset, &sum))
		return number_exact(sum);
	more = common_number(a, b);
	if (more.is_count && number_has_first(a) && number_has_first(b))
		number_grow(&more, a->offset + b->offset);
	return more;
}

void number_count(struct value *number, const struct value *count)
{
	if (number->kind != VALUE_NUMBER)
		return;
	number->is_count = count->is_count;
	number->is_growing = count->is_growing;
	number->offset = count->offset;
	number->steps = count->steps;
}

void number_forget(struct value *value, uint64_t symbol)
{
	struct value number = number_open(value->multiple, value->is_count);

	if (value->symbol != symbol)
		return;
	if (value->is_growing)
		number_grow(&number, value->offset);
	number.steps = value->steps;
	*value = number;
}
