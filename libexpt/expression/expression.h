/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Expressions of filters and index objects, as text:
 *
 *	operators	those of C with C's precedence, without assignments and sizeof
 *	A IN B		B contains all of A; SOME IN: B contains at least one of A;
 *			ORDERED IN: all of A are next to each other in B, in this order,
 *			which in a stack goes from the root to the leaf; all bind like <
 *	lists		values with commas between them, or a stack
 *	numbers		decimal, octal after 0, hexadecimal after 0x
 *	words		those of words.h, in capitals or not
 *	FNAME("re")	the functions whose whole name matches this extended regular
 *			expression; DNAME("re"): the data objects
 *	other names	an expression in parentheses, which the caller defines
 */
#ifndef LIBEXPT_EXPRESSION_EXPRESSION_H
#define LIBEXPT_EXPRESSION_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "libexpt/expression/evaluate.h"
#include "libexpt/expression/words.h"
#include "libexpt/expt.h"

/* Finds labels and index objects. Returns the text of the expression that has this name,
 * or NULL. The text must stay valid during the call of expression_parse(). */
struct expression_definitions {
	void *context;
	const char *(*find)(void *context, const char *name);
};

/* definitions may be NULL. -EINVAL: the message begins with the column in the text, from
 * 1 on. A text without tokens is a constant 1. */
int expression_parse(struct expression **out, const char *text,
		     const struct expression_definitions *definitions,
		     struct expt_error *err);
void expression_free(struct expression *expression);
void expression_freep(struct expression **expression);

const char *expression_text(const struct expression *expression); /* as it was given */
/* enum expression_dependence, combined; 0: the result is constant */
unsigned int expression_depends(const struct expression *expression);
bool expression_uses(const struct expression *expression, enum expression_word word);

/* The regular expressions of FNAME and DNAME. For each, the caller makes a set of the
 * functions, or data objects, whose names match. */
size_t expression_name_count(const struct expression *expression);
bool expression_name_is_data(const struct expression *expression, size_t i);
const char *expression_name(const struct expression *expression, size_t i);
bool expression_name_matches(const struct expression *expression, size_t i,
			     const char *name);

#endif
