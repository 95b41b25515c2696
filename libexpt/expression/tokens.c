/* SPDX-License-Identifier: Apache-2.0 */
/* Divides an expression's text into tokens. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "libexpt/expression/tokens.h"

/* A text comes before those that it begins with. */
static const struct operation operations[] = {
	{ "||", NODE_OR, 1 },
	{ "&&", NODE_AND, 2 },
	{ "|", NODE_BIT_OR, 3 },
	{ "^", NODE_BIT_XOR, 4 },
	{ "&", NODE_BIT_AND, 5 },
	{ "==", NODE_EQUAL, 6 },
	{ "!=", NODE_UNEQUAL, 6 },
	{ "<<", NODE_SHIFT_LEFT, 8 },
	{ ">>", NODE_SHIFT_RIGHT, 8 },
	{ "<=", NODE_LESS_EQUAL, PRECEDENCE_RELATIONS },
	{ ">=", NODE_GREATER_EQUAL, PRECEDENCE_RELATIONS },
	{ "<", NODE_LESS, PRECEDENCE_RELATIONS },
	{ ">", NODE_GREATER, PRECEDENCE_RELATIONS },
	{ "+", NODE_ADD, 9 },
	{ "-", NODE_SUBTRACT, 9 },
	{ "*", NODE_MULTIPLY, 10 },
	{ "/", NODE_DIVIDE, 10 },
	{ "%", NODE_REMAINDER, 10 },
};

static bool is_of_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return isalpha((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : 99;
}

/* Hexadecimal after 0x, octal after 0, else decimal. */
static const char *read_number(struct token *token, const char *text)
{
	const char *digits = text;
	unsigned int base = 10;

	if (*text == '0') {
		bool is_hex = text[1] == 'x' || text[1] == 'X';

		base = is_hex ? 16 : 8;
		digits += is_hex ? 2 : 0;
	}
	token->kind = TOKEN_NUMBER;
	text = digits;
	for (; digit_value(*text) < (int)base; text++)
		if (__builtin_mul_overflow(token->number, base, &token->number) ||
		    __builtin_add_overflow(token->number, (uint64_t)digit_value(*text),
					   &token->number))
			token->fault = "the number does not fit 64 bits";
	if (text == digits || is_of_name(*text) || *text == '.')
		token->fault = "not a whole number";
	while (is_of_name(*text) || *text == '.')
		text++;
	if (token->fault)
		token->kind = TOKEN_UNKNOWN;
	return text;
}

static const char *read_name(struct token *token, const char *text)
{
	token->kind = TOKEN_NAME;
	while (is_of_name(*text))
		text++;
	return text;
}

static const char *read_string(struct token *token, const char *text)
{
	const char *end = strchr(text + 1, '"');

	if (!end) {
		token->kind = TOKEN_UNKNOWN;
		token->fault = "the closing quote is missing";
		token->length = strlen(text);
		return text + token->length;
	}
	token->kind = TOKEN_STRING;
	token->text = text + 1;
	token->length = (size_t)(end - token->text);
	return end + 1;
}

static const char *read_sign(struct token *token, const char *text)
{
	for (size_t i = 0; i < sizeof(operations) / sizeof(*operations); i++) {
		size_t length = strlen(operations[i].text);

		if (strncmp(operations[i].text, text, length) == 0) {
			token->kind = TOKEN_OPERATOR;
			token->operation = &operations[i];
			return text + length;
		}
	}
	token->kind = strchr("(),?:!~", *text) ? TOKEN_PUNCTUATION : TOKEN_UNKNOWN;
	if (token->kind == TOKEN_UNKNOWN)
		token->fault = *text == '=' ? "not an operator; values are compared by =="
					    : "not an operator";
	return text + 1;
}

const char *token_read(struct token *token, const char *text)
{
	const char *end;

	while (isspace((unsigned char)*text))
		text++;
	*token = (struct token){ .kind = TOKEN_END, .text = text };
	if (!*text)
		return text;
	if (*text == '"')
		return read_string(token, text);
	if (isdigit((unsigned char)*text))
		end = read_number(token, text);
	else if (is_of_name(*text))
		end = read_name(token, text);
	else
		end = read_sign(token, text);
	token->length = (size_t)(end - text);
	return end;
}

bool token_is(const struct token *token, char punctuation)
{
	return token->kind == TOKEN_PUNCTUATION && *token->text == punctuation;
}

bool token_is_name(const struct token *token, const char *name)
{
	return token->kind == TOKEN_NAME && token->length == strlen(name) &&
	       strncasecmp(token->text, name, token->length) == 0;
}
