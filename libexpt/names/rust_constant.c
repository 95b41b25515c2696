/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/names/rust_constant.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void add_number(struct rust_parser *parser, bool is_signed)
{
	bool is_negative = is_signed && rust_take_if(parser, 'n');
	size_t length;
	const char *digits = rust_take_hex(parser, &length);

	rust_add(parser, "%s", is_negative ? "-" : "");
	if (length > 16)
		rust_add(parser, "0x%.*s", (int)length, digits);
	else
		rust_add(parser, "%" PRIu64, (uint64_t)strtoull(digits, NULL, 16));
}

static uint64_t take_value(struct rust_parser *parser)
{
	size_t length;
	const char *digits = rust_take_hex(parser, &length);

	if (length > 16)
		rust_fail(parser);
	return parser->has_failed ? 0 : strtoull(digits, NULL, 16);
}

static void add_character(struct rust_parser *parser)
{
	uint64_t c = take_value(parser);
	const char *escape = c == '\t'	 ? "\\t"
			     : c == '\n' ? "\\n"
			     : c == '\r' ? "\\r"
			     : c == '\'' ? "\\'"
			     : c == '\\' ? "\\\\"
					 : NULL;

	if (escape)
		rust_add(parser, "'%s'", escape);
	else if (c >= 0x20 && c < 0x7f)
		rust_add(parser, "'%c'", (int)c);
	else
		rust_add(parser, "'\\u{%" PRIx64 "}'", c);
}

static void add_bool(struct rust_parser *parser)
{
	uint64_t value = take_value(parser);

	if (value > 1)
		rust_fail(parser);
	rust_add(parser, "%s", value ? "true" : "false");
}

void rust_add_constant(struct rust_parser *parser)
{
	size_t back;
	char tag;

	if (!rust_enter(parser))
		return;
	tag = rust_take(parser);
	if (tag == 'B') {
		if (rust_follow(parser, &back))
			rust_add_constant(parser);
		parser->next = back;
	} else if (tag == 'p') {
		rust_add(parser, "_");
	} else if (tag == 'b') {
		add_bool(parser);
	} else if (tag == 'c') {
		add_character(parser);
	} else if (tag && strchr("htmyojaslxni", tag)) {
		add_number(parser, strchr("aslxni", tag) != NULL);
	} else {
		rust_fail(parser); /* others are in no stable version of the language */
	}
	rust_leave(parser);
}
