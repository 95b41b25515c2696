/* SPDX-License-Identifier: Apache-2.0 */
/* Text without stdio, for signal handlers and children of vfork. */

#include "collector/base/text.h"

#include "collector/base/system.h"

struct text text_on(char *buffer, size_t size)
{
	buffer[0] = '\0';
	return (struct text){ .start = buffer, .size = size };
}

void text_add_bytes(struct text *text, const char *bytes, size_t length)
{
	size_t room = text->size - 1 - text->length;

	if (length > room) {
		text->is_cut = true;
		length = room;
	}
	copy_bytes(text->start + text->length, bytes, length);
	text->length += length;
	text->start[text->length] = '\0';
}

void text_add(struct text *text, const char *string)
{
	size_t length = 0;

	while (string[length] != '\0')
		length++;
	text_add_bytes(text, string, length);
}

void text_add_decimal(struct text *text, int64_t value)
{
	uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
	char digits[21];
	size_t at = sizeof(digits);

	do
		digits[--at] = (char)('0' + rest % 10);
	while ((rest /= 10) > 0);
	if (value < 0)
		digits[--at] = '-';
	text_add_bytes(text, digits + at, sizeof(digits) - at);
}

void text_add_hex(struct text *text, uint64_t value, int width)
{
	char digits[16];
	int at = sizeof(digits);

	do
		digits[--at] = "0123456789ABCDEF"[value & 15];
	while ((value >>= 4) > 0);
	while (at > (int)sizeof(digits) - width)
		digits[--at] = '0';
	text_add_bytes(text, digits + at, sizeof(digits) - (size_t)at);
}

void text_add_time(struct text *text, uint64_t nanoseconds)
{
	char fraction[10] = ".";
	uint64_t rest = nanoseconds % NS_PER_SECOND;

	for (int i = 9; i > 0; i--, rest /= 10)
		fraction[i] = (char)('0' + rest % 10);
	text_add_decimal(text, (int64_t)(nanoseconds / NS_PER_SECOND));
	text_add_bytes(text, fraction, sizeof(fraction));
}

void text_add_byte(struct text *text, unsigned char byte)
{
	static const char digits[] = "0123456789abcdef";
	const char pair[2] = { digits[byte >> 4], digits[byte & 15] };

	text_add_bytes(text, pair, sizeof(pair));
}

static const char *entity(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '\'':
		return "&apos;";
	case '"':
		return "&quot;";
	}
	return NULL;
}

static void add_escape(struct text *text, unsigned char byte)
{
	text_add(text, "%");
	text_add_byte(text, byte);
	text_add(text, "%");
}

#define ESCAPED_MARGIN 64

void text_add_escaped(struct text *text, const char *string)
{
	for (; *string != '\0'; string++) {
		unsigned char c = (unsigned char)*string;
		const char *name = entity(*string);

		/* Leave room to close the record after a cut. */
		if (text->size - text->length < ESCAPED_MARGIN) {
			text->is_cut = true;
			return;
		}
		if (name)
			text_add(text, name);
		else if (c >= 0x20 && c < 0x7f && c != '%')
			text_add_bytes(text, string, 1);
		else
			add_escape(text, c);
	}
}

void text_add_attribute(struct text *text, const char *name, const char *value)
{
	text_add(text, " ");
	text_add(text, name);
	text_add(text, "=\"");
	text_add_escaped(text, value);
	text_add(text, "\"");
}

void text_add_number(struct text *text, const char *name, int64_t value)
{
	text_add(text, " ");
	text_add(text, name);
	text_add(text, "=\"");
	text_add_decimal(text, value);
	text_add(text, "\"");
}

uint64_t text_parse_decimal(const char *string, const char **end)
{
	uint64_t value = 0;

	for (; *string >= '0' && *string <= '9'; string++)
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(*string - '0'), &value))
			value = UINT64_MAX;
	if (end)
		*end = string;
	return value;
}
