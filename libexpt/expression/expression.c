/* SPDX-License-Identifier: Apache-2.0 */
/* An expression from its text, and what it depends on. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/common/error.h"
#include "libexpt/expression/expression.h"
#include "libexpt/expression/names.h"
#include "libexpt/expression/nodes.h"
#include "libexpt/expression/parse.h"

int expression_parse(struct expression **out, const char *text,
		     const struct expression_definitions *definitions,
		     struct expt_error *err)
{
	cleanup(expression_freep) struct expression *expression =
		calloc(1, sizeof(*expression));
	int rc;

	if (!expression || !(expression->text = strdup(text)))
		return expt_fail(err, -ENOMEM, "cannot parse '%s'", text);
	rc = expression_parse_text(expression, definitions, err);
	if (rc < 0)
		return rc;
	*out = steal(&expression);
	return 0;
}

void expression_free(struct expression *expression)
{
	if (!expression)
		return;
	expression_names_release(expression);
	array_release(&expression->nodes);
	array_release(&expression->constants);
	free(expression->text);
	free(expression);
}

void expression_freep(struct expression **expression)
{
	expression_free(*expression);
}

const char *expression_text(const struct expression *expression)
{
	return expression->text;
}

unsigned int expression_depends(const struct expression *expression)
{
	return expression->nodes.items[expression->root].depends;
}

/* Returns whether the word is in the part with this root. */
static bool uses(const struct expression *expression, uint32_t root,
		 enum expression_word word)
{
	const struct node *node = &expression->nodes.items[root];

	if (node->kind == NODE_WORD || node->kind == NODE_STACK)
		return node->word == word;
	if (node->kind == NODE_CONSTANTS)
		return false;
	for (uint32_t link = node->first; link; link = expression->nodes.items[link].next)
		if (uses(expression, link, word))
			return true;
	return false;
}

bool expression_uses(const struct expression *expression, enum expression_word word)
{
	return uses(expression, expression->root, word);
}

size_t expression_name_count(const struct expression *expression)
{
	return expression->names.count;
}

bool expression_name_is_data(const struct expression *expression, size_t i)
{
	return expression->names.items[i].is_data;
}

const char *expression_name(const struct expression *expression, size_t i)
{
	return expression->names.items[i].text;
}

bool expression_name_matches(const struct expression *expression, size_t i,
			     const char *name)
{
	return regexec(&expression->names.items[i].regex, name, 0, NULL, 0) == 0;
}
