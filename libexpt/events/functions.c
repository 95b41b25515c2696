/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/events/functions.h"

#include <stdlib.h>

#include "libexpt/base/array.h"
#include "libexpt/expression/expression.h"

/* The leaf of an event without a stack, and functions for how a stack ends. */
enum { FUNCTION_NONE, FUNCTION_TRUNCATED, FUNCTION_FAILED, FUNCTION_FIRST };

static const char *const end_names[FUNCTION_FIRST] = {
	[FUNCTION_NONE] = "<Total>",
	[FUNCTION_TRUNCATED] = "<Truncated-stack>",
	[FUNCTION_FAILED] = "<Stack-unwind-failed>",
};

void stack_functions_release(struct stack_functions *all)
{
	idmap_release(&all->by_function);
	idmap_release(&all->by_stack);
	array_release(&all->functions);
	array_release(&all->stacks);
	array_release(&all->numbers);
}

/* ---- functions ---- */

static bool add_ends(struct stack_functions *all)
{
	while (all->functions.count < FUNCTION_FIRST)
		if (!array_add(&all->functions))
			return false;
	return true;
}

/* Returns the number of a function, or IDMAP_NONE: out of memory. */
static uint32_t number_of(struct stack_functions *all,
			  const struct expt_function *function)
{
	uint32_t *slot = idmap_add(&all->by_function, (uintptr_t)function);
	const struct expt_function **new;

	if (!slot || *slot != IDMAP_NONE)
		return slot ? *slot : IDMAP_NONE;
	new = add_ends(all) ? array_add(&all->functions) : NULL;
	if (!new)
		return IDMAP_NONE;
	*new = function;
	return *slot = (uint32_t)(all->functions.count - 1);
}

bool stack_function_matches(const struct stack_functions *all, uint32_t function,
			    const struct expression *expression, size_t name)
{
	const struct expt_function *known = all->functions.items[function];

	if (!known)
		return expression_name_matches(expression, name, end_names[function]);
	for (int form = EXPT_NAME_LONG; form <= EXPT_NAME_MANGLED; form++)
		if (expression_name_matches(
			    expression, name,
			    expt_function_name(known, (enum expt_name_form)form)))
			return true;
	return false;
}

/* ---- stacks ---- */

static bool add_number(struct stack_functions *all, uint32_t number)
{
	uint32_t *new = number == IDMAP_NONE ? NULL : array_add(&all->numbers);

	if (new)
		*new = number;
	return new;
}

static bool add_function(struct stack_functions *all, const struct event *event,
			 uint64_t pc, bool is_leaf)
{
	const struct expt_view *view = event->view;
	struct expt_place place;

	expt_place(view->members.items[event->member].expt, pc, event->record->time_ns,
		   &place);
	if (is_leaf && place.is_plt)
		return true;
	return add_number(all,
			  number_of(all, view->is_outlined
						 ? place.function
						 : expt_function_whole(place.function)));
}

static bool add_end(struct stack_functions *all, enum expt_stack_end end)
{
	if (end == EXPT_STACK_WHOLE)
		return true;
	return add_number(all, end == EXPT_STACK_FAILED ? FUNCTION_FAILED
							: FUNCTION_TRUNCATED);
}

static bool fill(struct stack_functions *all, struct known_stack *stack,
		 const struct event *event)
{
	struct expt *expt = event->view->members.items[event->member].expt;
	struct expt_stack whole;

	stack->first = all->numbers.count;
	if (!add_ends(all))
		return false;
	if (event->record->stack == 0 ||
	    expt_stack(expt, event->record->stack, &whole, NULL) <= 0)
		return true;
	for (size_t i = 0; i < whole.count; i++)
		if (!add_function(all, event,
				  i == 0 && event->leaf ? event->leaf : whole.pcs[i],
				  i == 0))
			return false;
	if (!add_end(all, whole.end))
		return false;
	stack->count = all->numbers.count - stack->first;
	return true;
}

static void begin_member(struct stack_functions *all, uint32_t member)
{
	idmap_release(&all->by_stack);
	all->stacks.count = all->numbers.count = 0;
	all->member = member;
}

struct known_stack *stack_functions_find(struct stack_functions *all,
					 const struct event *event)
{
	struct expt *expt = event->view->members.items[event->member].expt;
	uint64_t key = idmap_number_key(IDMAP_KEY, event->record->stack);
	struct known_stack *stack;
	uint32_t *slot;

	if (all->member != event->member)
		begin_member(all, event->member);
	key = idmap_number_key(key, expt_epoch(expt, event->record->time_ns));
	key = idmap_number_key(key, event->leaf);
	slot = idmap_add(&all->by_stack, key);
	if (!slot || *slot != IDMAP_NONE)
		return slot ? &all->stacks.items[*slot] : NULL;
	*slot = (uint32_t)all->stacks.count;
	stack = array_add(&all->stacks);
	return stack && fill(all, stack, event) ? stack : NULL;
}
