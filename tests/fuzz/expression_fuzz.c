/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz expressions. One that depends on nothing has one value; and what is true of its
 * value is true of an expression that contains it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/expression/expression.h"

#define SETS_MAX 100

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* An event that has the properties whose numbers are not multiples of skipped. */
struct event {
	int skipped;
};

static bool value(void *context, enum expression_word word, int64_t *value)
{
	const struct event *event = context;

	*value = (int64_t)word - 3;
	return word % event->skipped;
}

static bool stack(void *context, enum expression_word word,
		  struct expression_stack *stack)
{
	static const uint32_t functions[] = { 3, 1, 2, 1, 1 };
	const struct event *event = context;

	stack->functions = functions;
	stack->count = sizeof(functions) / sizeof(*functions);
	return word % event->skipped;
}

/* A function of a few recursive definitions, and one that is not. */
static const char *find(void *context, const char *name)
{
	if (strcmp(name, "A") == 0)
		return "1 + B";
	if (strcmp(name, "B") == 0)
		return "THRID, C";
	if (strcmp(name, "C") == 0)
		return "A";
	return strcmp(name, "D") == 0 ? "CPUID, 7" : NULL;
}

static const struct expression_definitions definitions = { .find = find };

struct result {
	bool is_known;
	int64_t value;
};

static struct result evaluate(const struct expression *expression, int skipped)
{
	static const bool has[] = { false, true, false, true };
	struct expression_set sets[SETS_MAX];
	struct event event = { .skipped = skipped };
	const struct expression_facts facts = {
		.context = &event, .value = value, .stack = stack, .sets = sets
	};
	struct result result = { .value = 0 };

	if (expression_name_count(expression) > SETS_MAX)
		return result;
	for (size_t i = 0; i < SETS_MAX; i++)
		sets[i] = (struct expression_set){ .has = has, .limit = i % 5 };
	result.is_known = expression_evaluate(expression, &facts, &result.value);
	if (expression_keeps(expression, &facts) != (!result.is_known || result.value))
		abort();
	return result;
}

/* Returns the result of the text in another one, where a %s is replaced by it. */
static struct result evaluate_in(const char *around, const char *text, int skipped)
{
	cleanup(expression_freep) struct expression *expression = NULL;
	cleanup_free char *whole = NULL;

	if (asprintf(&whole, around, text) < 0)
		abort();
	if (expression_parse(&expression, whole, &definitions, NULL) < 0)
		abort();
	return evaluate(expression, skipped);
}

static void check(const struct expression *expression, const char *text, int skipped)
{
	struct result result = evaluate(expression, skipped), other;

	other = evaluate_in("!(%s)", text, skipped);
	if (other.is_known != result.is_known ||
	    (result.is_known && other.value != !result.value))
		abort();
	other = evaluate_in("CPUID*0+(%s)", text, skipped);
	if (other.is_known && other.value != result.value)
		abort();
	other = evaluate_in("(%s)||0", text, skipped);
	if (other.is_known != result.is_known ||
	    (result.is_known && other.value != !!result.value))
		abort();
}

static void check_constant(const struct expression *expression)
{
	struct result result = evaluate(expression, 1);
	struct result other = evaluate(expression, 1000);

	if (!result.is_known || !other.is_known || result.value != other.value)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	cleanup(expression_freep) struct expression *expression = NULL;
	cleanup_free char *text = strndup((const char *)bytes, size);

	if (!text)
		abort();
	/* Another expression around it is longer and deeper. */
	if (strlen(text) > 400 ||
	    expression_parse(&expression, text, &definitions, NULL) < 0 ||
	    expression_name_count(expression) > SETS_MAX ||
	    !text[strspn(text, " \t\n\v\f\r")])
		return 0;
	if (!expression_depends(expression))
		check_constant(expression);
	for (int skipped = 1; skipped < 4; skipped++)
		check(expression, text, skipped);
	return 0;
}
