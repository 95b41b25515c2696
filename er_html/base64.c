/* SPDX-License-Identifier: Apache-2.0 */

#include "er_html/base64.h"

#include <stdint.h>
#include <stdlib.h>

/* Of three bytes each; a line has 100 characters. */
#define GROUPS_OF_LINE 25

struct base64 {
	FILE *to;
	uint8_t waiting[3];
	unsigned count, groups;
};

static void put_group(struct base64 *base64)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const uint8_t *bytes = base64->waiting;
	uint32_t word = (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2];

	for (unsigned i = 0; i < 4; i++)
		putc_unlocked(i > base64->count ? '=' : digits[word >> (18 - 6 * i) & 63],
			      base64->to);
	if (++base64->groups % GROUPS_OF_LINE == 0)
		putc_unlocked('\n', base64->to);
	*base64 = (struct base64){ .to = base64->to, .groups = base64->groups };
}

static ssize_t put(void *cookie, const char *bytes, size_t length)
{
	struct base64 *base64 = cookie;

	for (size_t i = 0; i < length; i++) {
		base64->waiting[base64->count++] = (uint8_t)bytes[i];
		if (base64->count == sizeof(base64->waiting))
			put_group(base64);
	}
	return ferror(base64->to) ? 0 : (ssize_t)length;
}

static int end(void *cookie)
{
	struct base64 *base64 = cookie;

	if (base64->count > 0)
		put_group(base64);
	free(base64);
	return 0;
}

FILE *base64_stream(FILE *to)
{
	struct base64 *base64 = calloc(1, sizeof(*base64));
	FILE *stream;

	if (!base64)
		return NULL;
	base64->to = to;
	stream = fopencookie(base64, "w",
			     (cookie_io_functions_t){ .write = put, .close = end });
	if (!stream)
		free(base64);
	return stream;
}
