/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/cli/write.h"

#include <string.h>

#include "libexpt/base/escape.h"

#define REPLACEMENT 0xfffd /* in place of an invalid byte */

/* ---- numbers ---- */

void write_number(FILE *out, uint64_t value)
{
	char digits[24], *next = digits + sizeof(digits);

	do
		*--next = (char)('0' + value % 10);
	while (value /= 10);
	while (next < digits + sizeof(digits))
		putc_unlocked(*next++, out);
}

void write_signed(FILE *out, int64_t value)
{
	if (value < 0)
		putc_unlocked('-', out);
	write_number(out, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

void write_fraction(FILE *out, uint64_t ns, int digits)
{
	uint64_t unit = 1, fraction;

	for (int i = 0; i < digits; i++)
		unit *= 10;
	fraction = ns % unit;
	write_number(out, ns / unit);
	putc_unlocked('.', out);
	for (unit /= 10; unit > 0; unit /= 10)
		putc_unlocked((char)('0' + fraction / unit % 10), out);
}

void write_hex(FILE *out, uint64_t value, int digits)
{
	int count = 1;

	while (count < 16 && (count < digits || value >> (4 * count)))
		count++;
	putc_unlocked('0', out);
	putc_unlocked('x', out);
	while (count-- > 0)
		putc_unlocked("0123456789abcdef"[value >> (4 * count) & 15], out);
}

/* ---- texts ---- */

static void write_json_escape(FILE *out, uint32_t character)
{
	if (character > 0xffff) /* a surrogate pair */
		fprintf(out, "\\u%04x\\u%04x", 0xd800 + ((character - 0x10000) >> 10),
			0xdc00 + (character & 0x3ff));
	else
		fprintf(out, "\\u%04x", character);
}

static size_t write_json_character(FILE *out, const char *text, size_t length)
{
	size_t shown = escape_length(text, length);
	uint32_t character;

	if (shown == 0) {
		size_t size = escape_character(text, length, &character);

		write_json_escape(out, size ? character : REPLACEMENT);
		return size + (size == 0);
	}
	if (*text == '"' || *text == '\\')
		putc_unlocked('\\', out);
	for (size_t i = 0; i < shown; i++)
		putc_unlocked(text[i], out);
	return shown;
}

void write_json(FILE *out, const char *text, size_t length)
{
	for (size_t done = 0; done < length;)
		done += write_json_character(out, text + done, length - done);
}

void write_json_text(FILE *out, const char *text)
{
	putc_unlocked('"', out);
	write_json(out, text, strlen(text));
	putc_unlocked('"', out);
}

void write_line(FILE *out, const char *text, const char *escaped, char doubled)
{
	for (size_t length = strlen(text), shown; length > 0; text += shown) {
		shown = escape_length(text, length);
		if (shown == 0 || strchr(escaped, *text)) {
			fprintf(out, "\\%03o", (unsigned char)*text);
			shown = 1;
		} else {
			if (doubled && *text == doubled)
				putc_unlocked(doubled, out);
			for (size_t i = 0; i < shown; i++)
				putc_unlocked(text[i], out);
		}
		length -= shown;
	}
}
