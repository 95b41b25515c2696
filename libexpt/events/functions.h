/* SPDX-License-Identifier: Apache-2.0 */
/* The functions on call stacks, by small numbers. A distinct stack is resolved once. */
#ifndef LIBEXPT_EVENTS_FUNCTIONS_H
#define LIBEXPT_EVENTS_FUNCTIONS_H

#include "libexpt/base/idmap.h"
#include "libexpt/events/facts.h"

struct stack_functions {
	struct idmap by_function;
	struct {
		const struct expt_function **items; /* NULL: see stack_function_name() */
		size_t count, capacity;
	} functions;
	struct idmap by_stack; /* of the current member */
	uint32_t member;
	struct {
		struct known_stack {
			size_t first, count; /* in numbers */
			/* For the caller: the result of what depends only on it */
			bool has_result, is_known;
			int64_t result;
		} * items;
		size_t count, capacity;
	} stacks;
	struct {
		uint32_t *items;
		size_t count, capacity;
	} numbers; /* of functions, leaf first */
};

void stack_functions_release(struct stack_functions *all);
/* Returns the stack of an event, valid until the next call; NULL: out of memory. */
struct known_stack *stack_functions_find(struct stack_functions *all,
					 const struct event *event);
/* Check whether a name of the function matches. */
bool stack_function_matches(const struct stack_functions *all, uint32_t function,
			    const struct expression *expression, size_t name);

#endif
