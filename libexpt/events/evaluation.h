/* SPDX-License-Identifier: Apache-2.0 */
/* An expression that is evaluated for the events of a view. */
#ifndef LIBEXPT_EVENTS_EVALUATION_H
#define LIBEXPT_EVENTS_EVALUATION_H

#include "libexpt/events/facts.h"

struct expression;
struct evaluation;

/* Takes the expression over, also on failure. NULL: out of memory. */
struct evaluation *evaluation_new(struct expression *expression);
void evaluation_free(struct evaluation *evaluation);
/* Check whether all events of a member with the same stack have the same value. */
bool evaluation_is_of_stack(const struct evaluation *evaluation);
const char *evaluation_text(const struct evaluation *evaluation);
/* Forget functions and results: experiments have been added or removed. */
void evaluation_reset(struct evaluation *evaluation);

struct evaluation_result {
	int64_t value;
	bool is_known;
};
/* false: out of memory. */
bool evaluation_find(struct evaluation *evaluation, struct event *event,
		     struct evaluation_result *result);
/* Evaluate for made-up facts, without a stack. */
struct evaluation_result evaluation_of_facts(const struct evaluation *evaluation,
					     const struct expression_facts *facts);

#endif
