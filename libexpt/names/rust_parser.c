/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/names/rust_parser.h"

#include <stdarg.h>
#include <string.h>

void rust_fail(struct rust_parser *parser)
{
	parser->has_failed = true;
}

bool rust_enter(struct rust_parser *parser)
{
	if (++parser->depth > RUST_DEPTH_LIMIT || ++parser->steps > RUST_STEP_LIMIT)
		parser->has_failed = true;
	return !parser->has_failed;
}

void rust_leave(struct rust_parser *parser)
{
	parser->depth--;
}

/* ---- input ------------------------------------------------------------------------- */

char rust_take(struct rust_parser *parser)
{
	char c = parser->text[parser->next];

	if (parser->has_failed || !c)
		return '\0';
	parser->next++;
	return c;
}

bool rust_take_if(struct rust_parser *parser, char c)
{
	if (parser->has_failed || parser->text[parser->next] != c)
		return false;
	parser->next++;
	return true;
}

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'Z' ? c - 'A' + 36 : -1;
}

/* Numbers are stored less 1, and 0 as no digit. */
uint64_t rust_take_number(struct rust_parser *parser)
{
	uint64_t number = 0;

	if (rust_take_if(parser, '_'))
		return 0;
	while (!rust_take_if(parser, '_')) {
		int digit = digit_value(rust_take(parser));

		if (digit < 0 || __builtin_mul_overflow(number, 62, &number) ||
		    __builtin_add_overflow(number, digit, &number)) {
			rust_fail(parser);
			return 0;
		}
	}
	if (number == UINT64_MAX)
		rust_fail(parser);
	return number + 1;
}

uint64_t rust_take_optional(struct rust_parser *parser, char tag)
{
	uint64_t number = 0;

	if (!rust_take_if(parser, tag))
		return 0;
	number = rust_take_number(parser);
	if (number == UINT64_MAX)
		rust_fail(parser);
	return number + 1;
}

const char *rust_take_hex(struct rust_parser *parser, size_t *length)
{
	const char *start = parser->text + parser->next;

	*length = strspn(start, "0123456789abcdef");
	parser->next += *length;
	if (*length == 0 || !rust_take_if(parser, '_'))
		rust_fail(parser);
	return start;
}

bool rust_follow(struct rust_parser *parser, size_t *back)
{
	size_t start = parser->next - 1;
	uint64_t target = rust_take_number(parser);

	*back = parser->next;
	if (target >= start)
		rust_fail(parser);
	if (parser->has_failed || parser->silent)
		return false;
	parser->next = target;
	return true;
}

static size_t take_length(struct rust_parser *parser)
{
	const char *text = parser->text + parser->next;
	size_t length = 0, rest = parser->length - parser->next;

	if (*text == '0') {
		parser->next++;
		return 0;
	}
	for (; *text >= '0' && *text <= '9' && length <= rest; text++)
		length = length * 10 + (size_t)(*text - '0');
	if (length == 0 || length > rest)
		rust_fail(parser);
	parser->next = (size_t)(text - parser->text);
	return length;
}

void rust_take_identifier(struct rust_parser *parser, struct rust_identifier *identifier)
{
	bool is_punycode = rust_take_if(parser, 'u');
	size_t length = take_length(parser);
	const char *last;

	*identifier = (struct rust_identifier){ .text = "" };
	rust_take_if(parser, '_');
	if (!parser->has_failed && length > parser->length - parser->next)
		rust_fail(parser);
	if (parser->has_failed)
		return;
	identifier->text = parser->text + parser->next;
	identifier->length = length;
	parser->next += length;
	if (!is_punycode)
		return;
	last = memrchr(identifier->text, '_', length);
	identifier->punycode = last ? last + 1 : identifier->text;
	identifier->length = last ? (size_t)(last - identifier->text) : 0;
	identifier->punycode_length =
		length - (size_t)(identifier->punycode - identifier->text);
	if (identifier->punycode_length == 0)
		rust_fail(parser);
}

/* ---- output ------------------------------------------------------------------------ */

void rust_add(struct rust_parser *parser, const char *format, ...)
{
	va_list arguments;

	if (parser->has_failed || parser->silent)
		return;
	va_start(arguments, format);
	strbuf_vprintf(&parser->out, format, arguments);
	va_end(arguments);
	if (parser->out.length > RUST_OUTPUT_LIMIT)
		rust_fail(parser);
}

#define CHARACTERS_MAX 128

struct characters {
	uint32_t items[CHARACTERS_MAX];
	size_t count;
};

static bool insert(struct characters *characters, size_t place, uint32_t character)
{
	if (characters->count == CHARACTERS_MAX || character > 0x10ffff ||
	    (character >= 0xd800 && character < 0xe000))
		return false;
	memmove(&characters->items[place + 1], &characters->items[place],
		(characters->count - place) * sizeof(*characters->items));
	characters->items[place] = character;
	characters->count++;
	return true;
}

/* The parameters of RFC 3492. */
enum { BASE = 36, T_MIN = 1, T_MAX = 26, SKEW = 38, DAMP = 700, BIAS = 72, FIRST = 128 };

static uint64_t adapt(uint64_t delta, uint64_t count, bool is_first)
{
	uint64_t k = 0;

	delta /= is_first ? DAMP : 2;
	delta += delta / count;
	for (; delta > ((BASE - T_MIN) * T_MAX) / 2; k += BASE)
		delta /= BASE - T_MIN;
	return k + (BASE - T_MIN + 1) * delta / (delta + SKEW);
}

/* Take one number of variable length from the digits; false: damaged. */
static bool take_delta(uint64_t *delta, const char **digits, const char *end,
		       uint64_t bias)
{
	uint64_t weight = 1;

	*delta = 0;
	for (uint64_t k = BASE;; k += BASE) {
		uint64_t t = k <= bias ? T_MIN : k >= bias + T_MAX ? T_MAX : k - bias;
		char c = *digits < end ? *(*digits)++ : '\0';
		uint64_t digit = c >= 'a' && c <= 'z'	? (uint64_t)(c - 'a')
				 : c >= '0' && c <= '9' ? (uint64_t)(c - '0') + 26
							: BASE;

		if (digit == BASE || weight > UINT32_MAX)
			return false;
		*delta += digit * weight;
		if (digit < t)
			return true;
		weight *= BASE - t;
	}
}

static bool decode(struct characters *characters, const struct rust_identifier *from)
{
	const char *digits = from->punycode, *end = digits + from->punycode_length;
	uint64_t bias = BIAS, character = FIRST, place = 0, delta;

	for (size_t i = 0; i < from->length; i++)
		if (!insert(characters, i, (unsigned char)from->text[i]))
			return false;
	for (bool is_first = true; digits < end; is_first = false) {
		uint64_t count = characters->count + 1;

		if (!take_delta(&delta, &digits, end, bias))
			return false;
		place += delta;
		character += place / count;
		place %= count;
		if (character > UINT32_MAX ||
		    !insert(characters, place, (uint32_t)character))
			return false;
		bias = adapt(delta, count, is_first);
		place++;
	}
	return true;
}

static void add_character(struct rust_parser *parser, uint32_t c)
{
	unsigned low = 0x80 | (c & 0x3f), middle = 0x80 | (c >> 6 & 0x3f);

	if (c < 0x80)
		rust_add(parser, "%c", (int)c);
	else if (c < 0x800)
		rust_add(parser, "%c%c", (int)(0xc0 | c >> 6), (int)low);
	else if (c < 0x10000)
		rust_add(parser, "%c%c%c", (int)(0xe0 | c >> 12), (int)middle, (int)low);
	else
		rust_add(parser, "%c%c%c%c", (int)(0xf0 | c >> 18),
			 (int)(0x80 | (c >> 12 & 0x3f)), (int)middle, (int)low);
}

void rust_add_identifier(struct rust_parser *parser,
			 const struct rust_identifier *identifier)
{
	struct characters characters = { .count = 0 };

	if (!identifier->punycode) {
		rust_add(parser, "%.*s", (int)identifier->length, identifier->text);
		return;
	}
	if (parser->silent)
		return;
	if (!decode(&characters, identifier)) {
		rust_fail(parser);
		return;
	}
	for (size_t i = 0; i < characters.count; i++)
		add_character(parser, characters.items[i]);
}
