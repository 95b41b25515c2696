/* SPDX-License-Identifier: Apache-2.0 */
/* The tokens of an expression's text. */
#ifndef LIBEXPT_EXPRESSION_TOKENS_H
#define LIBEXPT_EXPRESSION_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/expression/nodes.h"

enum token_kind {
	TOKEN_END,
	TOKEN_NUMBER,
	TOKEN_NAME,
	TOKEN_STRING,	   /* the text is without its quotes */
	TOKEN_OPERATOR,	   /* between two operands: operation is set */
	TOKEN_PUNCTUATION, /* one of ( ) , ? : ! ~ */
	TOKEN_UNKNOWN,	   /* fault says what is wrong */
};

/* Operators of two operands; the higher precedence binds tighter. */
struct operation {
	const char *text;
	enum node_kind kind;
	int precedence;
};

#define PRECEDENCE_LOWEST    1
#define PRECEDENCE_RELATIONS 7 /* that of IN, too */

struct token {
	enum token_kind kind;
	const char *text;
	size_t length;
	uint64_t number;
	const struct operation *operation;
	const char *fault;
};

/* Read the token that begins at text, or after the blanks there. Returns its end. */
const char *token_read(struct token *token, const char *text);
bool token_is(const struct token *token, char punctuation);
/* Returns true for a name, in capitals or not. */
bool token_is_name(const struct token *token, const char *name);

#endif
