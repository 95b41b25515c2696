/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles the regular expressions of FNAME and DNAME. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/common/error.h"
#include "libexpt/expression/names.h"
#include "libexpt/expression/pattern.h"

/* Each regular expression costs as much as that many characters in one. */
#define COST_OF_EACH 100

/* Matches of \1 to \9, which extended regular expressions do not have, can take
 * forever. */
static bool refers_back(const char *text)
{
	while ((text = strchr(text, '\\')) && text[1]) {
		if (text[1] >= '1' && text[1] <= '9')
			return true;
		text += 2;
	}
	return false;
}

static int refuse(const char *text, const char *reason, struct expt_error *err)
{
	return expt_refuse(err, -EINVAL, "'%.60s': %s", text, reason);
}

/* The text must be a regular expression without ^()$, which would make "a)(b" one, and
 * its cost must not depend on the text around it. */
static int check(struct expression *expression, char *text, struct expt_error *err)
{
	cleanup_free char *given = strdup(text); /* for people */
	struct pattern pattern = pattern_simplify(text);
	char message[128];
	regex_t regex;
	int rc;

	if (!given)
		return expt_fail(err, -ENOMEM, "cannot compile '%.60s'", text);
	expression->names_cost += COST_OF_EACH + pattern.cost;
	if (expression->names_cost > PATTERN_COST_MAX)
		return refuse(given, "the regular expressions are too large", err);
	if (pattern.is_unmatched)
		return refuse(given, "')' without '('", err);
	if (refers_back(text))
		return refuse(given, "extended regular expressions have no \\1 to \\9",
			      err);
	rc = regcomp(&regex, text, REG_EXTENDED | REG_NOSUB);
	if (rc == 0) {
		regfree(&regex);
		return 0;
	}
	regerror(rc, &regex, message, sizeof(message));
	return refuse(given, message, err);
}

static int compile(struct expression_name *name, struct expt_error *err)
{
	cleanup_free char *whole = NULL;

	if (asprintf(&whole, "^(%s)$", name->text) < 0) {
		whole = NULL;
		return expt_fail(err, -ENOMEM, "cannot compile '%.60s'", name->text);
	}
	if (regcomp(&name->regex, whole, REG_EXTENDED | REG_NOSUB) != 0)
		return expt_fail(err, -ENOMEM, "cannot compile '%.60s'", name->text);
	return 0;
}

int expression_names_add(struct expression *expression, bool is_data, const char *text,
			 size_t length, struct expt_error *err)
{
	cleanup_free char *copy = strndup(text, length);
	struct expression_name name = { .is_data = is_data, .text = copy }, *new;
	int rc;

	if (!copy)
		return expt_fail(err, -ENOMEM, "cannot compile '%.60s'", text);
	rc = check(expression, copy, err);
	if (rc == 0)
		rc = compile(&name, err);
	if (rc < 0)
		return rc;
	new = array_add(&expression->names);
	if (!new) {
		regfree(&name.regex);
		return expt_fail(err, -ENOMEM, "cannot compile '%.60s'", copy);
	}
	*new = name;
	copy = NULL;
	return 0;
}

void expression_names_release(struct expression *expression)
{
	for (size_t i = 0; i < expression->names.count; i++) {
		regfree(&expression->names.items[i].regex);
		free(expression->names.items[i].text);
	}
	array_release(&expression->names);
}
