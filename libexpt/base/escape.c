/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/base/escape.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHARACTER_MAX 4 /* bytes of UTF-8 */
#define STREAM_BUFFER 65536

/* ---- characters -------------------------------------------------------------------- */

/* How many bytes a character has whose first one this is; 0: none begins so. */
static size_t wanted_length(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xc2)
		return 0;
	return first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
}

/* The second byte tells overlong forms, surrogates, what is beyond Unicode, and the control
 * characters U+0080 to U+009F. */
static bool is_second(unsigned char first, unsigned char second)
{
	unsigned char low = 0x80, high = 0xbf;

	if (first == 0xc2 || first == 0xe0)
		low = 0xa0;
	if (first == 0xf0)
		low = 0x90;
	if (first == 0xed)
		high = 0x9f;
	if (first == 0xf4)
		high = 0x8f;
	return second >= low && second <= high;
}

/* How many bytes of the character are there and right; *wanted: of how many. */
static size_t right_bytes(const char *text, size_t length, size_t *wanted)
{
	const unsigned char *bytes = (const unsigned char *)text;
	size_t right = 1;

	*wanted = length ? wanted_length(bytes[0]) : 0;
	if (*wanted == 0)
		return 0;
	if (*wanted == 1)
		return bytes[0] >= 0x20 && bytes[0] != 0x7f;
	while (right < *wanted && right < length &&
	       (right == 1 ? is_second(bytes[0], bytes[1]) : (bytes[right] & 0xc0) == 0x80))
		right++;
	return right;
}

size_t escape_length(const char *text, size_t length)
{
	size_t wanted, right = right_bytes(text, length, &wanted);

	return right == wanted ? right : 0;
}

bool escape_is_cut(const char *text, size_t length)
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
	for (; *text && used + sizeof "\\012" <= size; text++)
		used += (size_t)sprintf(out + used, strchr(ends, *text) ? "\\%03o" : "%c",
					*text);
	out[used] = '\0';
	return out;
}

/* ---- streams ----------------------------------------------------------------------- */

struct filter {
	FILE *to;
	char cut[CHARACTER_MAX]; /* a character whose rest is still to come */
	size_t cut_length;
};

static bool is_layout(char c)
{
	return c == '\n' || c == '\t';
}

/* How many bytes from the first on are shown as they are. */
static size_t shown_length(const char *text, size_t length)
{
	size_t done = 0;

	while (done < length) {
		size_t shown = is_layout(text[done])
				       ? 1
				       : escape_length(text + done, length - done);

		if (shown == 0)
			break;
		done += shown;
	}
	return done;
}

/* As far as characters are whole; returns how many bytes that is. */
static size_t pass_on(FILE *to, const char *text, size_t length)
{
	size_t done = 0;

	while (done < length) {
		size_t shown = shown_length(text + done, length - done);

		fwrite(text + done, 1, shown, to);
		done += shown;
		if (done == length || escape_is_cut(text + done, length - done))
			break;
		put_byte(to, (unsigned char)text[done++]);
	}
	return done;
}

/* The character that was cut, with the bytes that complete it, or show that nothing does. */
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
	struct filter *filter = calloc(1, sizeof *filter);
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
