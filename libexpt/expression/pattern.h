/* SPDX-License-Identifier: Apache-2.0 */
/* A simpler form and the cost of a regular expression, before it is compiled. */
#ifndef LIBEXPT_EXPRESSION_PATTERN_H
#define LIBEXPT_EXPRESSION_PATTERN_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

#include "libexpt/expt.h"

/* The largest cost that is distinguished from larger ones. regcomp(3) takes less than
 * 100 MB for it. */
#define PATTERN_COST_MAX 200000

struct pattern {
	/* The length with repeats written out, as regcomp(3) does: "+" repeats twice. An
	 * operator counts as 100 characters, because parts that may be empty take memory
	 * in pairs. */
	size_t cost;
	/* A ")" closes no group: regcomp(3) takes it for a character, unless another
	 * expression is around it. */
	bool is_unmatched;
};

/* Compile an extended regular expression, which must not be too costly; flags are those
 * of regcomp(3) besides. Returns 0, -EINVAL or -ENOMEM. */
int pattern_compile(regex_t *regex, const char *text, int flags, struct expt_error *err);
/* Simplify an extended regular expression, which then matches the same. */
struct pattern pattern_simplify(char *text);

#endif
