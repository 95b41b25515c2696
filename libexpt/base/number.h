/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one checked parser of numbers from files, environments and command lines. The whole
 * text must be the number: no blanks, no sign for unsigned types, nothing after it.
 */
#ifndef LIBEXPT_BASE_NUMBER_H
#define LIBEXPT_BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

bool number_u64(uint64_t *value, const char *text); /* decimal, or hex with 0x */
bool number_i64(int64_t *value, const char *text);  /* decimal, '-' allowed */
/* "<seconds>.<fraction>" to nanoseconds; ".5" is half a second. */
bool number_seconds(uint64_t *ns, const char *text);
/* A time span in seconds: N followed by s, m, h, d or w; days without a letter. */
bool number_age(uint64_t *seconds, const char *text);
/* N with a binary suffix: "64", "10k", "2M", "1G", "1T". */
bool number_size(uint64_t *bytes, const char *text);

/* Add without overflow: damaged values could exceed the range. */
static inline void add_saturated(int64_t *sum, int64_t value)
{
	if (__builtin_add_overflow(*sum, value, sum))
		*sum = value < 0 ? INT64_MIN : INT64_MAX;
}

/* Returns a number of a file as a value; the largest one for those out of range. */
static inline int64_t value_saturated(uint64_t number)
{
	return number > INT64_MAX ? INT64_MAX : (int64_t)number;
}

/* Compare two uint64_t, for qsort(3) and bsearch(3). */
int number_compare(const void *a, const void *b);

#endif
