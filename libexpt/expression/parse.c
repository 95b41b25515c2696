/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parses expressions, by recursive descent. After a failure only the end of the text is
 * seen, so that all functions return.
 */
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "libexpt/base/array.h"
#include "libexpt/common/error.h"
#include "libexpt/expression/build.h"
#include "libexpt/expression/expression.h"
#include "libexpt/expression/names.h"
#include "libexpt/expression/parse.h"
#include "libexpt/expression/tokens.h"

/* The limit of all texts together; a definition counts wherever it is used. */
#define TEXT_MAX	(1u << 20)
#define NAME_MAX_LENGTH 63

/* A text that is being parsed: the expression's own, or a definition in another one. */
struct source {
	const char *name; /* of the definition, or NULL */
	const char *text, *next;
	struct token token;
	struct source *outer;
};

struct parser {
	struct builder builder;
	const struct expression_definitions *definitions;
	struct source *source;
	size_t text_left; /* bytes that may still be parsed */
	unsigned int depth;
	bool is_in_list; /* IN belongs to the list, not to its last element */
};

static uint32_t parse_list(struct parser *parser);
static uint32_t parse_unary(struct parser *parser);

static bool failed(const struct parser *parser)
{
	return parser->builder.code < 0;
}

/* ---- tokens ---- */

static size_t position(const struct parser *parser)
{
	return (size_t)(parser->source->token.text - parser->source->text);
}

static void advance(struct parser *parser)
{
	struct source *source = parser->source;
	struct token *token = &source->token;

	if (!failed(parser))
		source->next = token_read(token, source->next);
	parser->builder.position = (uint32_t)position(parser);
	if (token->kind == TOKEN_UNKNOWN)
		builder_fail(&parser->builder, position(parser), "'%.*s': %s",
			     (int)(token->length < 40 ? token->length : 40), token->text,
			     token->fault);
	if (failed(parser))
		token->kind = TOKEN_END;
}

static void fail_expected(struct parser *parser, const char *expected)
{
	const struct token *token = &parser->source->token;

	if (token->kind == TOKEN_END)
		builder_fail(&parser->builder, position(parser),
			     "%s is missing at the end", expected);
	else
		builder_fail(&parser->builder, position(parser),
			     "%s expected before '%.*s'", expected,
			     (int)(token->length < 40 ? token->length : 40), token->text);
}

static bool accept(struct parser *parser, char punctuation)
{
	if (!token_is(&parser->source->token, punctuation))
		return false;
	advance(parser);
	return true;
}

static void expect(struct parser *parser, char punctuation)
{
	char expected[] = { '\'', punctuation, '\'', '\0' };

	if (!accept(parser, punctuation))
		fail_expected(parser, expected);
}

/* ---- operands ---- */

static uint32_t parse_parentheses(struct parser *parser)
{
	bool is_in_list = parser->is_in_list;
	uint32_t a;

	parser->is_in_list = false;
	a = parse_list(parser);
	parser->is_in_list = is_in_list;
	expect(parser, ')');
	return a;
}

static uint32_t parse_names(struct parser *parser, bool is_data)
{
	struct builder *builder = &parser->builder;
	struct expression *expression = builder->expression;
	const struct token *token = &parser->source->token;
	uint32_t a = build_names(builder, expression->names.count);
	int rc;

	advance(parser);
	expect(parser, '(');
	if (token->kind != TOKEN_STRING) {
		fail_expected(parser, "a name in double quotes");
		return 0;
	}
	rc = expression_names_add(expression, is_data, token->text, token->length,
				  builder->err);
	if (rc < 0) {
		builder->code = expt_fail_in(builder->err, rc, "column %zu",
					     position(parser) + 1);
		return 0;
	}
	advance(parser);
	expect(parser, ')');
	return a;
}

static bool is_recursive(const struct parser *parser, const char *name)
{
	for (const struct source *s = parser->source; s && s->name; s = s->outer)
		if (strcasecmp(s->name, name) == 0)
			return true;
	return false;
}

static uint32_t parse_source(struct parser *parser, struct source *source)
{
	bool is_in_list = parser->is_in_list;
	size_t length = strlen(source->text);
	uint32_t a = 0;

	if (length > parser->text_left) {
		builder_fail(&parser->builder, 0, "the expression is too long");
		return 0;
	}
	parser->text_left -= length;
	parser->is_in_list = false;
	source->next = source->text;
	source->outer = parser->source;
	parser->source = source;
	advance(parser);
	a = source->token.kind == TOKEN_END ? build_constant(&parser->builder, 1)
					    : parse_list(parser);
	if (source->token.kind != TOKEN_END)
		fail_expected(parser, "an operator");
	parser->source = source->outer;
	parser->is_in_list = is_in_list;
	return a;
}

/* Parse the definition of a name in its place. */
static uint32_t parse_definition(struct parser *parser, const char *name,
				 const char *text)
{
	struct source source = { .name = name, .text = text };
	size_t at = position(parser);
	bool had_failed = failed(parser);
	uint32_t a = parse_source(parser, &source);

	if (failed(parser) && !had_failed)
		expt_fail_in(parser->builder.err, parser->builder.code,
			     "column %zu, '%s'", at + 1, name);
	advance(parser);
	return a;
}

static uint32_t parse_defined_name(struct parser *parser)
{
	const struct expression_definitions *definitions = parser->definitions;
	const struct token *token = &parser->source->token;
	const char *text = NULL;
	char name[NAME_MAX_LENGTH + 1];

	if (token->length < sizeof(name)) {
		memcpy(name, token->text, token->length);
		name[token->length] = '\0';
		text = definitions ? definitions->find(definitions->context, name) : NULL;
	}
	if (!text)
		builder_fail(&parser->builder, position(parser),
			     "'%.*s' is not a word, a label or an index object",
			     (int)(token->length < 64 ? token->length : 64), token->text);
	else if (is_recursive(parser, name))
		builder_fail(&parser->builder, position(parser),
			     "the definition of '%s' contains itself", name);
	else
		return parse_definition(parser, name, text);
	return 0;
}

static uint32_t parse_name(struct parser *parser)
{
	const struct token *token = &parser->source->token;
	bool is_data = token_is_name(token, "DNAME");
	enum expression_word word = expression_word_find(token->text, token->length);
	uint32_t a;

	if (is_data || token_is_name(token, "FNAME"))
		return parse_names(parser, is_data);
	if (word == EXPRESSION_WORD_COUNT)
		return parse_defined_name(parser);
	a = build_word(&parser->builder, (uint8_t)word);
	advance(parser);
	return a;
}

static uint32_t parse_number(struct parser *parser)
{
	uint32_t a = build_constant(&parser->builder, parser->source->token.number);

	advance(parser);
	return a;
}

static uint32_t parse_operand(struct parser *parser)
{
	if (parser->source->token.kind == TOKEN_NUMBER)
		return parse_number(parser);
	if (parser->source->token.kind == TOKEN_NAME)
		return parse_name(parser);
	if (accept(parser, '('))
		return parse_parentheses(parser);
	fail_expected(parser, "a number, a word or '('");
	return 0;
}

/* ---- operators ---- */

/* Returns '!', '~', '-' or '+' if the token is this operator, else 0. */
static char sign_of(const struct token *token)
{
	bool is_sign = token->kind == TOKEN_OPERATOR || token->kind == TOKEN_PUNCTUATION;

	return is_sign && token->length == 1 && strchr("!~-+", *token->text)
		       ? *token->text
		       : '\0';
}

static uint32_t build_sign(struct parser *parser, char sign, uint32_t a)
{
	if (sign == '+')
		return build_scalar(&parser->builder, a);
	return build_unary(&parser->builder,
			   sign == '!'	 ? NODE_NOT
			   : sign == '~' ? NODE_COMPLEMENT
					 : NODE_NEGATIVE,
			   a);
}

/* Parse a part that may contain others of its kind. */
static uint32_t parse_nested(struct parser *parser,
			     uint32_t (*parse)(struct parser *parser))
{
	uint32_t a = 0;

	if (parser->depth++ < EXPRESSION_DEPTH_MAX)
		a = parse(parser);
	else
		builder_fail(&parser->builder, position(parser), "too deeply nested");
	parser->depth--;
	return a;
}

static uint32_t parse_unary(struct parser *parser)
{
	char sign = sign_of(&parser->source->token);

	if (!sign)
		return parse_nested(parser, parse_operand);
	advance(parser);
	return build_sign(parser, sign, parse_nested(parser, parse_unary));
}

/* IN, or SOME or ORDERED before it. */
static const struct operation in_operations[] = {
	{ "IN", NODE_IN, PRECEDENCE_RELATIONS },
	{ "SOME", NODE_SOME_IN, PRECEDENCE_RELATIONS },
	{ "ORDERED", NODE_ORDERED_IN, PRECEDENCE_RELATIONS },
};

/* Returns the operator that is next, or NULL. */
static const struct operation *next_operation(const struct parser *parser)
{
	const struct token *token = &parser->source->token;

	if (token->kind == TOKEN_OPERATOR)
		return token->operation;
	for (size_t i = 0; i < sizeof(in_operations) / sizeof(*in_operations); i++)
		if (!parser->is_in_list && token_is_name(token, in_operations[i].text))
			return &in_operations[i];
	return NULL;
}

static uint32_t parse_binary(struct parser *parser, uint32_t a, int precedence);

static uint32_t parse_element(struct parser *parser)
{
	return parse_binary(parser, parse_unary(parser), PRECEDENCE_RELATIONS + 1);
}

/* Parse the list at the right of IN, which needs no parentheses. */
static uint32_t parse_in(struct parser *parser, enum node_kind kind, uint32_t a)
{
	uint32_t b, list = 0;

	advance(parser);
	if (kind != NODE_IN && !token_is_name(&parser->source->token, "IN"))
		fail_expected(parser, "IN");
	else if (kind != NODE_IN)
		advance(parser);
	b = parse_element(parser);
	if (token_is(&parser->source->token, ','))
		b = list = build_list(&parser->builder, 0, b);
	while (accept(parser, ','))
		build_list(&parser->builder, list, parse_element(parser));
	return build_in(&parser->builder, kind, a, b);
}

static bool is_in(enum node_kind kind)
{
	return kind == NODE_IN || kind == NODE_SOME_IN || kind == NODE_ORDERED_IN;
}

static uint32_t parse_operation(struct parser *parser, const struct operation *operation,
				uint32_t a)
{
	uint32_t b;

	if (is_in(operation->kind))
		return parse_in(parser, operation->kind, a);
	advance(parser);
	b = parse_binary(parser, parse_unary(parser), operation->precedence + 1);
	return build_binary(&parser->builder, operation->kind, a, b);
}

/* Parse what follows the operand a, as far as its operators bind so tightly. */
static uint32_t parse_binary(struct parser *parser, uint32_t a, int precedence)
{
	const struct operation *operation;

	while ((operation = next_operation(parser)) &&
	       operation->precedence >= precedence)
		a = parse_operation(parser, operation, a);
	return a;
}

static uint32_t parse_branch(struct parser *parser);

/* Parse what follows the operand a, up to a comma or the end of a part. */
static uint32_t parse_choice(struct parser *parser, uint32_t a)
{
	uint32_t condition = parse_binary(parser, a, PRECEDENCE_LOWEST), b;

	if (!accept(parser, '?'))
		return condition;
	a = parse_nested(parser, parse_branch);
	expect(parser, ':');
	b = parse_nested(parser, parse_branch);
	return build_choice(&parser->builder, condition, a, b);
}

static uint32_t parse_branch(struct parser *parser)
{
	return parse_choice(parser, parse_unary(parser));
}

/* Parse values with commas between them, which may be the left side of IN. */
static uint32_t parse_list(struct parser *parser)
{
	uint32_t a = parse_branch(parser), list;

	if (!token_is(&parser->source->token, ','))
		return a;
	list = build_list(&parser->builder, 0, a);
	parser->is_in_list = true;
	while (accept(parser, ','))
		build_list(&parser->builder, list, parse_branch(parser));
	parser->is_in_list = false;
	return parse_choice(parser, list);
}

int expression_parse_text(struct expression *expression,
			  const struct expression_definitions *definitions,
			  struct expt_error *err)
{
	struct source source = { .text = expression->text };
	struct parser parser = { .builder = { .expression = expression, .err = err },
				 .definitions = definitions,
				 .text_left = TEXT_MAX };
	uint32_t a;

	if (!array_add(&expression->nodes)) /* node 0 */
		return expt_fail(err, -ENOMEM, "cannot parse '%s'", expression->text);
	a = parse_source(&parser, &source);
	expression->root = build_scalar(&parser.builder, a);
	return parser.builder.code;
}
