/* SPDX-License-Identifier: Apache-2.0 */
/* Simplifies regular expressions, and estimates their cost. Wrong ones, which regcomp(3)
 * refuses, have any cost, and stay wrong. */
#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/common/error.h"
#include "libexpt/expression/pattern.h"

#define DEPTH_MAX	 100
#define COST_OF_OPERATOR 100
#define TOO_MUCH	 (PATTERN_COST_MAX + 1)

/* A character or a group, with the operators after it. */
struct part {
	size_t cost;
	size_t run;	 /* copies in it, one after the other, that may match nothing */
	bool is_varied;	 /* it is their number that may vary */
	bool is_empty;	 /* it may match nothing */
	bool has_anchor; /* something in it matches a place */
	bool is_repeated;
};

struct group {
	struct part all;
	bool is_branch_empty; /* the part after the last '|' may match nothing */
	struct part run;      /* up to here, of copies that may match nothing */
};

struct scan {
	struct group groups[DEPTH_MAX + 1]; /* that are open */
	size_t depth;
	struct part last; /* which an operator repeats */
	bool was_empty;	  /* is_branch_empty before it */
	struct part run_before;
	bool is_unmatched;
	char *out; /* the end of the text that was scanned, simplified */
};

static size_t limited(size_t cost)
{
	return cost < TOO_MUCH ? cost : TOO_MUCH;
}

static void add_cost(struct scan *scan, size_t cost)
{
	size_t *sum = &scan->groups[scan->depth].all.cost;

	*sum = limited(*sum + cost);
}

/* regcomp(3) needs time by the cube of the number of copies, one after the other, that
 * may match nothing, if that number may vary: half a second for 200 of them. */
static size_t cost_of_run(const struct part *run)
{
	if (!run->is_varied)
		return 0;
	return run->run < 1000 ? limited(run->run * run->run * run->run / 20) : TOO_MUCH;
}

/* Go on with the last part, which may have more copies now. */
static void set_run(struct scan *scan)
{
	struct group *group = &scan->groups[scan->depth];
	size_t old = cost_of_run(&group->run), cost;

	group->run = (struct part){ .run = 0 };
	if (scan->last.is_empty) {
		group->run.run = limited(scan->run_before.run + scan->last.run);
		group->run.is_varied = scan->run_before.is_varied || scan->last.is_varied;
	}
	cost = cost_of_run(&group->run);
	if (cost > old)
		add_cost(scan, cost - old);
}

static void add(struct scan *scan, struct part part)
{
	struct group *group = &scan->groups[scan->depth];

	add_cost(scan, part.cost);
	group->all.has_anchor |= part.has_anchor;
	group->all.is_repeated |= part.is_repeated;
	scan->was_empty = group->is_branch_empty;
	group->is_branch_empty &= part.is_empty;
	if (part.is_empty && part.run == 0)
		part.run = 1;
	scan->last = part;
	scan->run_before = group->run;
	set_run(scan);
}

/* Writes the last part out so many times, or fewer if that is varied. An operator on
 * another one counts twice as much, because regcomp(3) takes minutes for a dozen of
 * them. */
static void repeat(struct scan *scan, size_t times, bool is_optional, bool is_varied)
{
	struct group *group = &scan->groups[scan->depth];
	size_t once = scan->last.cost, factor = once < COST_OF_OPERATOR ? 1 : 2;
	size_t cost = limited(once * times * factor + COST_OF_OPERATOR);

	add_cost(scan, cost - once);
	scan->last.cost = cost;
	scan->last.is_varied |= is_varied && scan->last.is_empty;
	scan->last.is_empty |= is_optional;
	if (scan->last.is_empty)
		scan->last.run = limited((scan->last.run ? scan->last.run : 1) * times);
	set_run(scan);
	scan->last.is_repeated = group->all.is_repeated = true;
	group->is_branch_empty = scan->was_empty && scan->last.is_empty;
}

/* A part that may match nothing, repeated without end, costs regcomp(3) twice as many
 * ways through it each time. */
static void repeat_on(struct scan *scan, size_t times)
{
	if (scan->last.is_empty && scan->last.is_repeated)
		times = TOO_MUCH;
	repeat(scan, times, false, false);
}

static void open_group(struct scan *scan)
{
	if (scan->depth == DEPTH_MAX) {
		add_cost(scan, TOO_MUCH);
		return;
	}
	scan->groups[++scan->depth] = (struct group){ .is_branch_empty = true };
	scan->last = (struct part){ .cost = 0 };
}

static void end_branch(struct scan *scan)
{
	struct group *group = &scan->groups[scan->depth];

	group->all.is_empty |= group->is_branch_empty;
	if (group->is_branch_empty && group->run.run > group->all.run)
		group->all.run = group->run.run;
	group->all.is_varied |= group->is_branch_empty && group->run.is_varied;
	group->is_branch_empty = true;
	group->run = (struct part){ .run = 0 };
}

static void close_group(struct scan *scan)
{
	end_branch(scan);
	if (scan->depth)
		add(scan, scan->groups[scan->depth--].all);
	else
		scan->is_unmatched = true;
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
static const char *read_bounds(struct scan *scan, const char *text)
{
	size_t least = strtoul(text, NULL, 10), most = 1;
	bool has_end = true;

	while (isdigit((unsigned char)*text) || *text == ',') {
		char *end = (char *)text + 1;
		size_t number = *text == ',' ? 0 : strtoul(text, &end, 10);

		has_end = *text != ',';
		most = number > most ? number : most;
		text = end;
	}
	if (has_end)
		repeat(scan, limited(most), least == 0 && *text == '}', most != least);
	else
		repeat_on(scan, limited(most));
	return text + (*text == '}');
}

static const char *add_escaped(struct scan *scan, const char *text)
{
	bool is_anchor = *text && strchr("bB<>`'", *text);

	add(scan,
	    (struct part){ .cost = 1, .is_empty = is_anchor, .has_anchor = is_anchor });
	return text + (*text != '\0');
}

/* A part that may match nothing may do so again and again, so that '*' after it does the
 * same as '+', but takes no copy of it. */
static char add_plus(struct scan *scan)
{
	if (!scan->last.is_empty || scan->last.has_anchor) {
		repeat_on(scan, 2);
		return '+';
	}
	repeat(scan, 1, true, false);
	return '*';
}

/* Adds the operator or character at text; *c is what it may be replaced by. Returns its
 * end. */
static const char *add_next(struct scan *scan, const char *text, char *c)
{
	switch (*text++) {
	case '(':
		open_group(scan);
		break;
	case ')':
		close_group(scan);
		break;
	case '*':
	case '?':
		repeat(scan, 1, true, false);
		break;
	case '|':
		end_branch(scan);
		add_cost(scan, COST_OF_OPERATOR);
		scan->last = (struct part){ .cost = 0 };
		break;
	case '+':
		*c = add_plus(scan);
		break;
	case '{':
		return read_bounds(scan, text);
	case '[':
		add(scan, (struct part){ .cost = 1 });
		return skip_bracket(text);
	case '\\':
		return add_escaped(scan, text);
	case '^':
	case '$':
		add(scan,
		    (struct part){ .cost = 1, .is_empty = true, .has_anchor = true });
		break;
	default:
		add(scan, (struct part){ .cost = 1 });
	}
	return text;
}

struct pattern pattern_simplify(char *text)
{
	struct scan scan = { .groups[0].is_branch_empty = true, .out = text };
	bool is_repeated = false; /* by '*', as the last character says */

	if (strlen(text) > PATTERN_COST_MAX)
		return (struct pattern){ .cost = TOO_MUCH };
	while (*text) {
		const char *start = text;
		char c = *text;

		if (is_repeated && (c == '*' || c == '+' || c == '?')) {
			text++;
			continue;
		}
		text = (char *)(uintptr_t)add_next(&scan, text, &c);
		memmove(scan.out, start, (size_t)(text - start));
		if (text - start == 1)
			*scan.out = c;
		is_repeated = c == '*';
		scan.out += text - start;
	}
	*scan.out = '\0';
	while (scan.depth)
		close_group(&scan);
	return (struct pattern){ scan.groups[0].all.cost, scan.is_unmatched };
}

int pattern_compile(regex_t *regex, const char *text, int flags, struct expt_error *err)
{
	cleanup_free char *copy = strdup(text);
	char reason[256];
	int rc;

	if (!copy)
		return expt_fail(err, -ENOMEM, "cannot compile '%.60s'", text);
	if (pattern_simplify(copy).cost > PATTERN_COST_MAX)
		return expt_refuse(err, -EINVAL, "'%.60s' is too large a pattern", text);
	rc = regcomp(regex, copy, REG_EXTENDED | flags);
	if (rc == 0)
		return 0;
	regerror(rc, regex, reason, sizeof(reason));
	return expt_refuse(err, rc == REG_ESPACE ? -ENOMEM : -EINVAL,
			   "'%s' is not a regular expression: %s", text, reason);
}

/* ---- for programs ---- */

struct expt_pattern {
	regex_t regex;
};

int expt_pattern_open(struct expt_pattern **out, const char *text, struct expt_error *err)
{
	cleanup_free struct expt_pattern *pattern = malloc(sizeof(*pattern));
	int rc;

	if (!pattern)
		return expt_fail(err, -ENOMEM, "cannot compile '%.60s'", text);
	rc = pattern_compile(&pattern->regex, text, REG_NOSUB, err);
	if (rc == 0)
		*out = steal(&pattern);
	return rc;
}

void expt_pattern_close(struct expt_pattern *pattern)
{
	if (pattern)
		regfree(&pattern->regex);
	free(pattern);
}

bool expt_pattern_matches(const struct expt_pattern *pattern, const char *text)
{
	return regexec(&pattern->regex, text, 0, NULL, 0) == 0;
}
