/* SPDX-License-Identifier: Apache-2.0 */
/* The cost of a regular expression before it is compiled. */
#ifndef LIBEXPT_EXPRESSION_PATTERN_H
#define LIBEXPT_EXPRESSION_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

/* The largest cost that is distinguished from larger ones. regcomp(3) takes less than
 * 100 MB for it. */
#define PATTERN_COST_MAX 200000

/* Returns the length of an extended regular expression with its repeats written out, as
 * regcomp(3) does: "+" repeats twice. An operator counts as 100 characters, because parts
 * that may be empty take memory in pairs. */
size_t pattern_cost(const char *text);
/* Check whether a ")" closes no group: regcomp(3) takes it for a character, unless
 * another expression is around it. */
bool pattern_is_unmatched(const char *text);

#endif
