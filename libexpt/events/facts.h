/* SPDX-License-Identifier: Apache-2.0 */
/* The properties of events, by the words of expressions. */
#ifndef LIBEXPT_EVENTS_FACTS_H
#define LIBEXPT_EVENTS_FACTS_H

#include "libexpt/events/view.h"
#include "libexpt/expression/evaluate.h"

struct member_counts;

/* A record of a member. */
struct event {
	struct expt_view *view;
	uint32_t member;
	const struct member_counts *counts; /* its own, to number threads */
	const struct expt_record *record;
	uint64_t leaf;		       /* replaces the leaf of its stack, unless 0 */
	struct expression_stack stack; /* for words that need it */
};

/* For struct expression_facts; the context is a struct event. */
bool event_value(void *context, enum expression_word word, int64_t *value);
bool event_stack(void *context, enum expression_word word,
		 struct expression_stack *stack);

#endif
