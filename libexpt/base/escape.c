/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/base/escape.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHARACTER_MAX 4 /* bytes of UTF-8 */
#define STREAM_BUFFER 65536

/* ---- characters -------------------------------------------------------------------- */

/* Returns the length of a character by its first byte; 0: no character begins with it. */
static size_t wanted_length(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xc2)
		return 0;
	return first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
}

/* The second byte gives away overlong forms, surrogates, and values beyond Unicode. */
static bool is_second(unsigned char first, unsigned char second)
{
	unsigned char low = 0x80, high = 0xbf;

	if (first == 0xe0)
		low = 0xa0;
	if (first == 0xf0)
		low = 0x90;
	if (first == 0xed)
		high = 0x9f;
	if (first == 0xf4)
		high = 0x8f;
	return second >= low && second <= high;
}

/* Returns how many bytes of the character are present and valid; *wanted: its full
 * length. */
static size_t right_bytes(const char *text, size_t length, size_t *wanted)
{
	const unsigned char *bytes = (const unsigned char *)text;
	size_t right = 1;

	*wanted = length ? wanted_length(bytes[0]) : 0;
	if (*wanted == 0)
		return 0;
	while (right < *wanted && right < length &&
	       (right == 1 ? is_second(bytes[0], bytes[1])
			   : (bytes[right] & 0xc0) == 0x80))
		right++;
	return right;
}

size_t escape_character(const char *text, size_t length, uint32_t *character)
{
	static const unsigned char bits[] = { 0, 0x7f, 0x1f, 0x0f, 0x07 };
	size_t wanted, right = right_bytes(text, length, &wanted);

	if (right == 0 || right < wanted)
		return 0;
	*character = (unsigned char)text[0] & bits[wanted];
	for (size_t i = 1; i < wanted; i++)
		*character = *character << 6 | ((unsigned char)text[i] & 0x3f);
	return wanted;
}

/* Hidden characters, ascending: controls, characters that set the direction of text, and
 * those without a width: joiners, separators, fillers, byte order marks, variation
 * selectors and tags. */
static bool is_hidden(uint32_t character)
{
	static const struct {
		uint32_t first, last;
	} hidden[] = {
		{ 0, 0x1f },	      { 0x7f, 0x9f },	    { 0xad, 0xad },
		{ 0x34f, 0x34f },     { 0x61c, 0x61c },	    { 0x115f, 0x1160 },
		{ 0x17b4, 0x17b5 },   { 0x180b, 0x180f },   { 0x200b, 0x200f },
		{ 0x2028, 0x202e },   { 0x2060, 0x206f },   { 0x3164, 0x3164 },
		{ 0xfe00, 0xfe0f },   { 0xfeff, 0xfeff },   { 0xffa0, 0xffa0 },
		{ 0xfff0, 0xfffb },   { 0x1bca0, 0x1bca3 }, { 0x1d173, 0x1d17a },
		{ 0xe0000, 0xe0fff },
	};
	size_t low = 0, high = sizeof(hidden) / sizeof(*hidden);

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (hidden[middle].last < character)
			low = middle + 1;
		else
			high = middle;
	}
	return low < sizeof(hidden) / sizeof(*hidden) && hidden[low].first <= character;
}

size_t escape_length(const char *text, size_t length)
{
	uint32_t character;
	size_t size;

	if (length > 0 && *text >= 0x20 && *text < 0x7f) /* nearly all */
		return 1;
	size = escape_character(text, length, &character);
	return size > 0 && is_hidden(character) ? 0 : size;
}

bool escape_is_incomplete(const char *text, size_t length)
{
	size_t wanted, right = right_bytes(text, length, &wanted);

	return right > 0 && right == length && right < wanted;
}

/* ---- text -------------------------------------------------------------------------- */

static void put_byte(FILE *to, unsigned char c)
{
	putc('\\', to);
	if (c == '\n') {
		putc('n', to);
		return;
	}
	for (int shift = 6; shift >= 0; shift -= 3)
		putc('0' + (c >> shift) % 8, to);
}

void escape_put(FILE *to, const char *text, size_t length, char quote)
{
	while (length > 0) {
		size_t shown = escape_length(text, length);

		if (quote && (*text == quote || *text == '\\'))
			putc_unlocked('\\', to);
		if (shown == 0)
			put_byte(to, (unsigned char)*text);
		for (size_t i = 0; i < shown; i++)
			putc_unlocked(text[i], to);
		shown += shown == 0;
		text += shown;
		length -= shown;
	}
}

const char *escape_line(char *out, size_t size, const char *text)
{
	static const char ends[] = "\n\t";
	size_t used = 0;

	if (!strpbrk(text, ends))
		return text;
	for (; *text && used + sizeof("\\012") <= size; text++)
		used += (size_t)sprintf(out + used, strchr(ends, *text) ? "\\%03o" : "%c",
					*text);
	out[used] = '\0';
	return out;
}

void escape_printf(FILE *to, const char *format, ...)
{
	size_t length = strlen(format);
	bool is_line = length > 0 && format[length - 1] == '\n';
	va_list arguments;
	char *text;
	int size;

	va_start(arguments, format);
	size = vasprintf(&text, format, arguments);
	va_end(arguments);
	if (size < 0) {
		fputs(is_line ? "...\n" : "...", to);
		return;
	}
	length = (size_t)size - is_line;
	for (char *next = text, *end; next; next = end) {
		end = memchr(next, '\n', (size_t)(text + length - next));
		fwrite(next, 1, (size_t)((end ? end : text + length) - next), to);
		if (end) {
			fputs("\\012", to);
			end++;
		}
	}
	if (is_line)
		putc('\n', to);
	free(text);
}

/* ---- streams ----------------------------------------------------------------------- */

struct filter {
	FILE *to;
	char cut[CHARACTER_MAX]; /* a character whose other bytes are still to come */
	size_t cut_length;
};

static bool is_layout(char c)
{
	return c == '\n' || c == '\t';
}

/* Nearly all text is ASCII, which takes no more than a look at each byte. */
static bool is_plain(char c)
{
	return (c >= ' ' && c < 0x7f) || is_layout(c);
}

/* Returns how many bytes at the beginning are shown unchanged. */
static size_t shown_length(const char *text, size_t length)
{
	size_t done = 0;

	while (done < length) {
		size_t shown = is_plain(text[done])
				       ? 1
				       : escape_length(text + done, length - done);

		if (shown == 0)
			break;
		done += shown;
	}
	return done;
}

/* Write the characters that are complete; returns the bytes written. */
static size_t pass_on(FILE *to, const char *text, size_t length)
{
	size_t done = 0;

	while (done < length) {
		size_t shown = shown_length(text + done, length - done);

		fwrite(text + done, 1, shown, to);
		done += shown;
		if (done == length || escape_is_incomplete(text + done, length - done))
			break;
		put_byte(to, (unsigned char)text[done++]);
	}
	return done;
}

/* Add bytes to the character that was cut until it is complete or proves invalid. */
static size_t complete(struct filter *filter, const char *bytes, size_t size)
{
	size_t taken = 0;

	while (filter->cut_length > 0 && taken < size) {
		size_t done;

		filter->cut[filter->cut_length++] = bytes[taken++];
		done = pass_on(filter->to, filter->cut, filter->cut_length);
		filter->cut_length -= done;
		memmove(filter->cut, filter->cut + done, filter->cut_length);
	}
	return taken;
}

static ssize_t write_filtered(void *cookie, const char *bytes, size_t size)
{
	struct filter *filter = cookie;
	size_t done = complete(filter, bytes, size);

	done += pass_on(filter->to, bytes + done, size - done);
	if (done < size) {
		filter->cut_length = size - done;
		memcpy(filter->cut, bytes + done, filter->cut_length);
	}
	return fflush(filter->to) == 0 && !ferror(filter->to) ? (ssize_t)size : 0;
}

static int close_filtered(void *cookie)
{
	struct filter *filter = cookie;
	int rc;

	for (size_t i = 0; i < filter->cut_length; i++)
		put_byte(filter->to, (unsigned char)filter->cut[i]);
	rc = fflush(filter->to);
	free(filter);
	return rc;
}

FILE *escape_stream(FILE *to)
{
	static const cookie_io_functions_t functions = {
		.write = write_filtered,
		.close = close_filtered,
	};
	struct filter *filter = calloc(1, sizeof(*filter));
	FILE *stream;

	if (!filter)
		return NULL;
	filter->to = to;
	stream = fopencookie(filter, "w", functions);
	if (!stream) {
		free(filter);
		return NULL;
	}
	setvbuf(stream, NULL, isatty(fileno(to)) ? _IOLBF : _IOFBF, STREAM_BUFFER);
	return stream;
}
