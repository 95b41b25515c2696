/* SPDX-License-Identifier: Apache-2.0 */
/* Values that are numbers. */
#ifndef LIBEXPT_ACCESSES_NUMBER_H
#define LIBEXPT_ACCESSES_NUMBER_H

#include "libexpt/accesses/value.h"

/* Linux maps nothing at addresses below. */
#define NUMBER_COUNT_MAX 65536

struct value number_exact(int64_t number);
struct value number_of_symbol(uint64_t symbol); /* an unknown number; not 0 */
/* A number from 0 up to a small one. */
struct value number_up_to(uint64_t multiple, uint8_t steps);
/* A number of which a multiple is known, and whether it is a count. */
struct value number_open(uint64_t multiple, bool is_count);
uint64_t number_divisor(uint64_t a, uint64_t b);
/* Every number is a multiple of the one that is returned. */
uint64_t number_multiple(const struct value *number);

/* Whether it is known what the number is at first. */
bool number_has_first(const struct value *number);
/* Let a number that is open grow from one on. */
void number_grow(struct value *number, int64_t first);
/* Whether nothing is at a value: it is null, or what Rust has for slices without
 * elements. */
bool number_is_nowhere(const struct value *value);
/* Whether nothing more is known of a number than that it is one. */
bool number_is_vague(const struct value *value);

struct value number_merge(const struct value *first, const struct value *next);
struct value number_add(const struct value *a, const struct value *b);
/* Let a number that a symbol names be the count that is known of it. */
void number_count(struct value *number, const struct value *count);
/* Forget that a number is a multiple of that symbol's. */
void number_forget(struct value *value, uint64_t symbol);

#endif
