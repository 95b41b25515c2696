/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates the cost of regular expressions. Wrong ones, which regcomp(3) refuses, have
 * any cost. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/expression/pattern.h"

#define DEPTH_MAX	 100
#define COST_OF_OPERATOR 100
#define TOO_MUCH	 (PATTERN_COST_MAX + 1)

struct estimate {
	size_t sums[DEPTH_MAX + 1]; /* of the groups that are open */
	size_t depth;
	size_t last; /* the cost of the part that an operator repeats */
	bool is_unmatched;
};

static size_t limited(size_t cost)
{
	return cost < TOO_MUCH ? cost : TOO_MUCH;
}

static void add(struct estimate *estimate, size_t cost)
{
	size_t *sum = &estimate->sums[estimate->depth];

	*sum = limited(*sum + cost);
	estimate->last = cost;
}

/* Writes the last part out so many times. An operator on another one counts twice as
 * much, because regcomp(3) takes minutes for a dozen of them. */
static void repeat(struct estimate *estimate, size_t times)
{
	size_t once = estimate->last, factor = once < COST_OF_OPERATOR ? 1 : 2;
	size_t cost = limited(once * times * factor + COST_OF_OPERATOR);

	add(estimate, cost - once);
	estimate->last = cost;
}

static void open_group(struct estimate *estimate)
{
	if (estimate->depth == DEPTH_MAX) {
		add(estimate, TOO_MUCH);
		return;
	}
	estimate->sums[++estimate->depth] = 0;
	estimate->last = 0;
}

static void close_group(struct estimate *estimate)
{
	if (estimate->depth)
		add(estimate, estimate->sums[estimate->depth--]);
	else
		estimate->is_unmatched = true;
}

/* Returns the end of "[...]"; text begins after the first bracket. */
static const char *skip_bracket(const char *text)
{
	text += *text == '^';
	text += *text == ']';
	while (*text && *text != ']') {
		const char end[] = { text[1], ']', '\0' };
		const char *class = NULL;

		if (*text == '[' && text[1] && strchr(":.=", text[1]))
			class = strstr(text + 2, end);
		text = class ? class + 2 : text + 1;
	}
	return text + (*text == ']');
}

/* Reads "{N,M}"; text begins after the first brace. Returns its end. */
static const char *read_bounds(const char *text, size_t *largest)
{
	size_t most = 1;

	while (isdigit((unsigned char)*text) || *text == ',') {
		char *end = (char *)text + 1;
		size_t number = *text == ',' ? 0 : strtoul(text, &end, 10);

		most = number > most ? number : most;
		text = end;
	}
	*largest = limited(most);
	return text + (*text == '}');
}

/* Adds the operator or character at text. Returns its end. */
static const char *add_next(struct estimate *estimate, const char *text)
{
	size_t times;

	switch (*text++) {
	case '(':
		open_group(estimate);
		break;
	case ')':
		close_group(estimate);
		break;
	case '*':
	case '?':
		repeat(estimate, 1);
		break;
	case '|':
		add(estimate, COST_OF_OPERATOR);
		estimate->last = 0;
		break;
	case '+':
		repeat(estimate, 2);
		break;
	case '{':
		text = read_bounds(text, &times);
		repeat(estimate, times);
		break;
	case '[':
		add(estimate, 1);
		return skip_bracket(text);
	case '\\':
		add(estimate, 1);
		return text + (*text != '\0');
	default:
		add(estimate, 1);
	}
	return text;
}

static struct estimate estimate_of(const char *text)
{
	struct estimate estimate = { .depth = 0 };

	while (*text)
		text = add_next(&estimate, text);
	while (estimate.depth)
		close_group(&estimate);
	return estimate;
}

size_t pattern_cost(const char *text)
{
	return strlen(text) > PATTERN_COST_MAX ? TOO_MUCH : estimate_of(text).sums[0];
}

bool pattern_is_unmatched(const char *text)
{
	return estimate_of(text).is_unmatched;
}
