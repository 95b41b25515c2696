/* SPDX-License-Identifier: Apache-2.0 */
/* The value of a register at a place in the code, as far as it is known. */
#ifndef LIBEXPT_ACCESSES_VALUE_H
#define LIBEXPT_ACCESSES_VALUE_H

#include "libexpt/types/variables.h"

enum value_kind {
	VALUE_UNSEEN, /* no way there has been followed yet */
	VALUE_ANY,
	VALUE_NUMBER,
	VALUE_POINTER, /* to an object of a type */
	VALUE_FRAME,   /* to the function's frame: offset from the frame address */
	VALUE_STATIC,  /* an address in the object's file */
};

/* No object is larger; sums of offsets in them do not overflow. */
#define OFFSET_MAX ((int64_t)1 << 48)

struct value {
	enum value_kind kind;
	bool is_open;
	bool is_single; /* its object may be longer than its type, so it is in no array */
	bool is_part;  /* its object may be the beginning of another, so it is in no array
			*/
	bool is_slice; /* all that it points to are elements of its type, bytes too */
	/* A pointer that steps from element to element of an array: its offset is counted
	 * in one of them. */
	bool is_walking;
	/* A number that small constants made: that of an element, not an address. */
	bool is_count;
	/* A number that is open, but was the offset at first, and is never less; a static
	 * address that was the offset at first, and a multiple away from it later. */
	bool is_growing;
	const struct type *type; /* of the object that a pointer points to */
	/* In the object, or as the kind says; of numbers, the number itself. Not known if
	 * it is open, unless it grows. */
	int64_t offset;
	/* A number that is open is 0, or up to so many times the multiple; a pointer that
	 * is open is that far past the offset. 0: not known. */
	uint8_t steps;
	bool is_flag; /* a number of which the lowest byte is 0 or 1 */
	/* The array that it is in, if that is a variable. */
	const struct variable *array;
	/* A number that is open is a multiple of this one, and, if a symbol says which,
	 * that many times an unknown number. An address in the frame that is open is an
	 * unknown number of multiples away from a known one; 0: not known. */
	uint64_t multiple, symbol;
};

static inline struct value value_any(void)
{
	return (struct value){ .kind = VALUE_ANY };
}

/* To the beginning of one. */
struct value value_pointer(struct types *types, const struct type *type);
struct value value_frame(int64_t offset);
struct value value_static(uint64_t address);

/* Get the offset of a pointer in one object of its type; false: it is outside. */
bool value_offset(uint64_t *offset, const struct value *pointer);
bool value_equals(const struct value *a, const struct value *b);
/* Returns what is known of a value that is one or the other. */
struct value value_merge(const struct value *a, const struct value *b);
/* Returns the static address that is the first one at first, and the other one later, or
 * what is not known. */
struct value value_later(const struct value *first, const struct value *other);
struct value value_add(const struct value *a, const struct value *b);
struct value value_subtract(const struct value *a, const struct value *b);
struct value value_times(const struct value *value, int64_t number);
/* Returns what is known of it if only half of it was computed. */
struct value value_narrow(const struct value *value);

#endif
