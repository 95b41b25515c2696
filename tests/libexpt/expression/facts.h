/* SPDX-License-Identifier: Apache-2.0 */
/* An event to evaluate expressions for. */
#ifndef TESTS_LIBEXPT_EXPRESSION_FACTS_H
#define TESTS_LIBEXPT_EXPRESSION_FACTS_H

#include "tests/libexpt/test.h"

#include "libexpt/base/cleanup.h"
#include "libexpt/expression/expression.h"

/* Functions by their ids, from 1 on. */
static const char *const functions[] = { "",	 "_start", "main", "alpha",
					 "beta", "gamma",  "delta" };
enum { START = 1, MAIN, ALPHA, BETA, GAMMA, DELTA, FUNCTION_LIMIT };

#define SETS_MAX 4

struct event {
	int64_t values[EXPRESSION_WORD_COUNT];
	bool is_known[EXPRESSION_WORD_COUNT];
	uint32_t stack[8]; /* leaf first, up to a 0 */
	bool has_stack;
	bool members[SETS_MAX][FUNCTION_LIMIT];
	struct expression_set sets[SETS_MAX];
};

static inline bool event_value(void *context, enum expression_word word, int64_t *value)
{
	const struct event *event = context;

	*value = event->values[word];
	return event->is_known[word];
}

static inline bool event_stack(void *context, enum expression_word word,
			       struct expression_stack *stack)
{
	const struct event *event = context;

	stack->functions = event->stack;
	for (stack->count = 0; event->stack[stack->count]; stack->count++)
		;
	return event->has_stack;
}

static inline void make_sets(struct event *event, const struct expression *expression)
{
	for (size_t i = 0; i < expression_name_count(expression); i++) {
		for (uint32_t id = 1; id < FUNCTION_LIMIT; id++)
			event->members[i][id] =
				expression_name_matches(expression, i, functions[id]);
		event->sets[i].has = event->members[i];
		event->sets[i].limit = FUNCTION_LIMIT;
	}
}

static inline struct expression_facts event_facts(struct event *event,
						  const struct expression *expression)
{
	make_sets(event, expression);
	return (struct expression_facts){ .context = event,
					  .value = event_value,
					  .stack = event_stack,
					  .sets = event->sets };
}

static inline struct expression *parse(const char *text)
{
	struct expression *expression;
	struct expt_error err = { .message = "" };

	if (expression_parse(&expression, text, NULL, &err) < 0)
		fail_msg("%s: %s", text, err.message);
	return expression;
}

#endif
