/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Expressions evaluated for one event. Nothing is allocated or written: threads may share
 * an expression.
 *
 * Values are 64 bits without a sign, as comparisons, >>, / and % show; a division by 0 is
 * 0, and a shift uses the last 6 bits of its distance. A property that the event does not
 * have is unknown, and so are the results that depend on it.
 */
#ifndef LIBEXPT_EXPRESSION_EVALUATE_H
#define LIBEXPT_EXPRESSION_EVALUATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/expression/words.h"

struct expression;

struct expression_stack {
	const uint32_t *functions; /* ids, leaf first */
	size_t count;
};

/* The functions, or data objects, with a name that FNAME or DNAME describes. */
struct expression_set {
	const bool *has; /* by id */
	size_t limit;	 /* of ids: those above are not in the set */
};

/* The callbacks return false for what the event does not have. */
struct expression_facts {
	void *context;
	bool (*value)(void *context, enum expression_word word, int64_t *value);
	bool (*stack)(void *context, enum expression_word word,
		      struct expression_stack *stack);
	const struct expression_set *sets; /* one for each expression_name() */
};

/* Returns false if the value is unknown. */
bool expression_evaluate(const struct expression *expression,
			 const struct expression_facts *facts, int64_t *value);
/* Returns whether a filter keeps the event: its result is not 0, or unknown. */
bool expression_keeps(const struct expression *expression,
		      const struct expression_facts *facts);
/* Evaluate a part, given by its root, that depends on nothing. */
bool expression_evaluate_constant(const struct expression *expression, uint32_t root,
				  uint64_t *value);

#endif
