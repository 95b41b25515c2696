/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions that depend on the call stack only are evaluated once for each distinct
 * one. */
#include "libexpt/events/evaluation.h"

#include <stdlib.h>

#include "libexpt/events/functions.h"
#include "libexpt/expression/expression.h"

#define ON_STACK (EXPRESSION_ON_STACK | EXPRESSION_ON_NAMES)

struct evaluation {
	struct expression *expression;
	bool needs_stack, needs_data; /* DNAME */
	bool is_of_stack; /* depends on nothing that differs for events of one stack */
	struct stack_functions functions;
	struct name_set {
		bool *has;
		size_t count, capacity;
	} * names;		     /* one for each regular expression */
	struct expression_set *sets; /* the same, for the evaluation */
};

static bool make_sets(struct evaluation *evaluation)
{
	size_t count = expression_name_count(evaluation->expression);

	evaluation->names = calloc(count + 1, sizeof(*evaluation->names));
	evaluation->sets = calloc(count + 1, sizeof(*evaluation->sets));
	return evaluation->names && evaluation->sets;
}

struct evaluation *evaluation_new(struct expression *expression)
{
	struct evaluation *evaluation = calloc(1, sizeof(*evaluation));
	unsigned int depends = expression_depends(expression);

	if (!evaluation) {
		expression_free(expression);
		return NULL;
	}
	evaluation->expression = expression;
	evaluation->functions.member = IDMAP_NONE;
	evaluation->needs_stack = depends & ON_STACK;
	evaluation->is_of_stack = evaluation->needs_stack &&
				  !(depends & ~(ON_STACK | EXPRESSION_ON_EXPERIMENT));
	for (size_t i = 0; i < expression_name_count(expression); i++)
		evaluation->needs_data |= expression_name_is_data(expression, i);
	if (!make_sets(evaluation)) {
		evaluation_free(evaluation);
		return NULL;
	}
	return evaluation;
}

void evaluation_reset(struct evaluation *evaluation)
{
	size_t count = expression_name_count(evaluation->expression);

	stack_functions_release(&evaluation->functions);
	evaluation->functions.member = IDMAP_NONE;
	for (size_t i = 0; evaluation->names && i < count; i++)
		evaluation->names[i].count = evaluation->sets[i].limit = 0;
}

void evaluation_free(struct evaluation *evaluation)
{
	size_t count;

	if (!evaluation)
		return;
	count = expression_name_count(evaluation->expression);
	for (size_t i = 0; evaluation->names && i < count; i++)
		free(evaluation->names[i].has);
	stack_functions_release(&evaluation->functions);
	free(evaluation->names);
	free(evaluation->sets);
	expression_free(evaluation->expression);
	free(evaluation);
}

bool evaluation_is_of_stack(const struct evaluation *evaluation)
{
	return evaluation->is_of_stack;
}

const char *evaluation_text(const struct evaluation *evaluation)
{
	return expression_text(evaluation->expression);
}

/* ---- sets of functions ---- */

/* Room grows as that of arrays does. */
static bool reserve(struct name_set *names, size_t count)
{
	size_t wanted = names->capacity ? names->capacity : 64;
	bool *has;

	while (wanted < count)
		wanted *= 2;
	if (wanted == names->capacity)
		return true;
	has = realloc(names->has, wanted * sizeof(*has));
	if (!has)
		return false;
	names->has = has;
	names->capacity = wanted;
	return true;
}

/* Match the functions that have been met since the last call. */
static bool fill_set(struct evaluation *evaluation, size_t i)
{
	struct name_set *names = &evaluation->names[i];

	if (!reserve(names, evaluation->functions.functions.count))
		return false;
	for (; names->count < evaluation->functions.functions.count; names->count++)
		names->has[names->count] = stack_function_matches(&evaluation->functions,
								  (uint32_t)names->count,
								  evaluation->expression,
								  i);
	evaluation->sets[i] =
		(struct expression_set){ .has = names->has, .limit = names->count };
	return true;
}

/* The same for data objects. */
static bool fill_data_set(struct evaluation *evaluation, size_t i,
			  const char *const *known, size_t count)
{
	struct name_set *names = &evaluation->names[i];

	if (!reserve(names, count))
		return false;
	for (; names->count < count; names->count++)
		names->has[names->count] = expression_name_matches(
			evaluation->expression, i, known[names->count]);
	evaluation->sets[i] =
		(struct expression_set){ .has = names->has, .limit = names->count };
	return true;
}

/* Number the object of the event, and match those that have been met. */
static bool fill_data_sets(struct evaluation *evaluation, struct event *event)
{
	const struct expt_view *view = event->view;
	const char *const *known = NULL;
	size_t count = 0;
	int64_t number;

	event_value(event, EXPRESSION_DOBJ, &number);
	for (size_t i = 0; i < KIND_COUNT && count == 0; i++)
		if (view->uses[i].kind->names)
			count = view->uses[i].kind->names(&view->uses[i], &known);
	for (size_t i = 0; i < expression_name_count(evaluation->expression); i++)
		if (expression_name_is_data(evaluation->expression, i) &&
		    evaluation->names[i].count < count &&
		    !fill_data_set(evaluation, i, known, count))
			return false;
	return true;
}

static bool fill_sets(struct evaluation *evaluation)
{
	for (size_t i = 0; i < expression_name_count(evaluation->expression); i++)
		if (!expression_name_is_data(evaluation->expression, i) &&
		    evaluation->names[i].count < evaluation->functions.functions.count &&
		    !fill_set(evaluation, i))
			return false;
	return true;
}

/* ---- results ---- */

struct evaluation_result evaluation_of_facts(const struct evaluation *evaluation,
					     const struct expression_facts *facts)
{
	struct evaluation_result result;

	result.is_known =
		expression_evaluate(evaluation->expression, facts, &result.value);
	return result;
}

static struct evaluation_result evaluate(struct evaluation *evaluation,
					 struct event *event)
{
	struct expression_facts facts = {
		.context = event,
		.value = event_value,
		.stack = event_stack,
		.sets = evaluation->sets,
	};

	return evaluation_of_facts(evaluation, &facts);
}

static bool find_with_stack(struct evaluation *evaluation, struct event *event,
			    struct evaluation_result *result)
{
	struct known_stack *stack = stack_functions_find(&evaluation->functions, event);

	if (!stack || !fill_sets(evaluation) ||
	    (evaluation->needs_data && !fill_data_sets(evaluation, event)))
		return false;
	if (!stack->has_result) {
		event->stack.functions =
			evaluation->functions.numbers.items + stack->first;
		event->stack.count = stack->count;
		*result = evaluate(evaluation, event);
		stack->result = result->value;
		stack->is_known = result->is_known;
		stack->has_result = evaluation->is_of_stack;
	}
	*result = (struct evaluation_result){ stack->result, stack->is_known };
	return true;
}

bool evaluation_find(struct evaluation *evaluation, struct event *event,
		     struct evaluation_result *result)
{
	if (evaluation->needs_stack)
		return find_with_stack(evaluation, event, result);
	*result = evaluate(evaluation, event);
	return true;
}
