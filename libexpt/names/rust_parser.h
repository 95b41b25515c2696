/* SPDX-License-Identifier: Apache-2.0 */
/* The letters, numbers and identifiers of Rust's newer mangled names, and output. */
#ifndef LIBEXPT_NAMES_RUST_PARSER_H
#define LIBEXPT_NAMES_RUST_PARSER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/base/strbuf.h"

/* References to earlier parts may nest, and repeat what repeats others: the limits make
 * hostile names fail, and no name of a compiler. */
#define RUST_DEPTH_LIMIT  256
#define RUST_STEP_LIMIT	  (1u << 18)
#define RUST_OUTPUT_LIMIT (1u << 20)

struct rust_parser {
	const char *text; /* after "_R" */
	size_t length, next;
	struct strbuf out;
	bool has_failed;       /* then nothing is parsed or added any more */
	unsigned depth, steps; /* nested parts, and all of them */
	unsigned silent;       /* nothing is added while it is not 0 */
	uint64_t lifetimes;    /* bound around this place */
};

struct rust_identifier {
	const char *text;
	size_t length;
	const char *punycode; /* of the characters beyond ASCII */
	size_t punycode_length;
};

void rust_fail(struct rust_parser *parser);
/* Begin a part; false: the parser has failed. */
bool rust_enter(struct rust_parser *parser);
void rust_leave(struct rust_parser *parser);

char rust_take(struct rust_parser *parser); /* '\0' at the end */
bool rust_take_if(struct rust_parser *parser, char c);
uint64_t rust_take_number(struct rust_parser *parser); /* base 62, up to '_' */
/* Returns 0 if the tag is not there, else the number after it plus 1. */
uint64_t rust_take_optional(struct rust_parser *parser, char tag);
/* Take hexadecimal digits up to '_'. Returns where they begin. */
const char *rust_take_hex(struct rust_parser *parser, size_t *length);
/* Go to the part that a reference names, after its 'B'; false: it is not to be shown. The
 * place to return to is in *back. */
bool rust_follow(struct rust_parser *parser, size_t *back);
void rust_take_identifier(struct rust_parser *parser, struct rust_identifier *identifier);

void rust_add(struct rust_parser *parser, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void rust_add_identifier(struct rust_parser *parser,
			 const struct rust_identifier *identifier);

#endif
