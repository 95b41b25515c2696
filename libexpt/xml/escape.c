/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/xml/escape.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int hex_digit(unsigned char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

/* Returns the byte of the escape "%hh%" at text, or -1. %00% is left as it is: a NUL
 * would end the string early. */
static int escaped_byte(const unsigned char *text, const unsigned char *end)
{
	int byte;

	if (end - text < 4 || text[0] != '%' || text[3] != '%' ||
	    hex_digit(text[1]) < 0 || hex_digit(text[2]) < 0)
		return -1;
	byte = hex_digit(text[1]) * 16 + hex_digit(text[2]);
	return byte > 0 ? byte : -1;
}

static const struct {
	const char *name;
	unsigned char character;
} entities[] = {
	{ "&lt;", '<' },    { "&gt;", '>' },   { "&amp;", '&' },
	{ "&apos;", '\'' }, { "&quot;", '"' },
};

/* Returns the length of the entity at text, and its character; 0: it is not one of the
 * five. */
static size_t entity(unsigned char *character, const unsigned char *text,
		     const unsigned char *end)
{
	for (size_t i = 0; i < sizeof(entities) / sizeof(*entities); i++) {
		size_t length = strlen(entities[i].name);

		if ((size_t)(end - text) >= length &&
		    memcmp(text, entities[i].name, length) == 0) {
			*character = entities[i].character;
			return length;
		}
	}
	return 0;
}

static void add_escape(struct strbuf *buffer, unsigned char byte)
{
	static const char digits[] = "0123456789abcdef";
	const char escape[] = { '%', digits[byte >> 4], digits[byte & 15], '%' };

	strbuf_add(buffer, escape, sizeof(escape));
}

static bool is_plain(unsigned char c)
{
	return c >= ' ' && c < 0x7f && c != '&' && c != '<' && c != '>' && c != '"' &&
	       c != '%';
}

void xml_clean(struct strbuf *buffer, const unsigned char *text, const unsigned char *end)
{
	while (text < end) {
		const unsigned char *plain = text;
		unsigned char character;
		size_t length;

		while (text < end && is_plain(*text))
			text++;
		strbuf_add(buffer, plain, (size_t)(text - plain));
		if (text == end)
			break;
		if (escaped_byte(text, end) > 0) {
			strbuf_add(buffer, text, 4);
			text += 4;
			continue;
		}
		if (*text == '\0') { /* padding of a file that was cut here */
			text++;
			continue;
		}
		character = *text;
		length = entity(&character, text, end);
		add_escape(buffer, character);
		text += length ? length : 1;
	}
}

void xml_decode(struct strbuf *buffer, const unsigned char *text,
		const unsigned char *end)
{
	while (text < end) {
		const unsigned char *plain = text;
		int byte;

		text = memchr(text, '%', (size_t)(end - text));
		if (!text)
			text = end;
		strbuf_add(buffer, plain, (size_t)(text - plain));
		if (text == end)
			break;
		byte = escaped_byte(text, end);
		strbuf_add_char(buffer, byte > 0 ? (char)byte : '%');
		text += byte > 0 ? 4 : 1;
	}
}

static const char *entity_name(char c)
{
	for (size_t i = 0; i < sizeof(entities) / sizeof(*entities); i++)
		if ((char)entities[i].character == c)
			return entities[i].name;
	return NULL;
}

void xml_encode(struct strbuf *buffer, const char *bytes, size_t length)
{
	for (; length > 0; bytes++, length--) {
		unsigned char c = (unsigned char)*bytes;
		const char *name = entity_name(*bytes);

		if (name)
			strbuf_add_text(buffer, name);
		else if (is_plain(c))
			strbuf_add_char(buffer, *bytes);
		else
			add_escape(buffer, c);
	}
}

static void add_utf8(struct strbuf *buffer, unsigned long c)
{
	if (c < 0x80) {
		strbuf_add_char(buffer, (char)c);
		return;
	}
	if (c >= 0x10000)
		strbuf_add_char(buffer, (char)(0xf0 | c >> 18));
	if (c >= 0x800)
		strbuf_add_char(buffer, (char)(c >= 0x10000 ? 0x80 | (c >> 12 & 0x3f)
							    : 0xe0 | c >> 12));
	strbuf_add_char(buffer,
			(char)(c >= 0x800 ? 0x80 | (c >> 6 & 0x3f) : 0xc0 | c >> 6));
	strbuf_add_char(buffer, (char)(0x80 | (c & 0x3f)));
}

/* Returns the character of "&#101;" or "&#x65;" and the text after it; 0: it is
 * neither. */
static unsigned long numeric_reference(const char **behind, const char *text)
{
	bool is_hex = text[2] == 'x' || text[2] == 'X';
	const char *digits = text + 2 + is_hex;
	size_t length = strspn(digits, is_hex ? "0123456789abcdefABCDEF" : "0123456789");
	unsigned long c;

	if (length == 0 || digits[length] != ';')
		return 0;
	c = strtoul(digits, NULL, is_hex ? 16 : 10); /* ULONG_MAX for too many digits */
	*behind = digits + length + 1;
	return c <= 0x10ffff ? c : 0;
}

void xml_resolve(struct strbuf *buffer, const char *text)
{
	const char *reference;

	while ((reference = strstr(text, "&#"))) {
		const char *behind;
		unsigned long c = numeric_reference(&behind, reference);

		strbuf_add(buffer, text, (size_t)(reference - text));
		if (c > 0)
			add_utf8(buffer, c);
		else
			strbuf_add_text(buffer, "&#");
		text = c > 0 ? behind : reference + 2;
	}
	strbuf_add_text(buffer, text);
}
