/* SPDX-License-Identifier: Apache-2.0 */

#include "er_html/base64.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Of three bytes, which are four characters. */
#define GROUPS_OF_PIECE (BASE64_PIECE / 4)

struct base64 {
	FILE *to;
	const char *between;
	uint8_t waiting[3];
	unsigned count, groups;
};

static void put_group(struct base64 *base64)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const uint8_t *bytes = base64->waiting;
	uint32_t word = (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2];

	if (base64->groups == GROUPS_OF_PIECE) {
		fputs(base64->between, base64->to);
		base64->groups = 0;
	}
	for (unsigned i = 0; i < 4; i++)
		putc_unlocked(i > base64->count ? '=' : digits[word >> (18 - 6 * i) & 63],
			      base64->to);
	base64->groups++;
	base64->count = 0;
	memset(base64->waiting, 0, sizeof(base64->waiting));
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

FILE *base64_stream(FILE *to, const char *between)
{
	struct base64 *base64 = calloc(1, sizeof(*base64));
	FILE *stream;

	if (!base64)
		return NULL;
	base64->to = to;
	base64->between = between;
	stream = fopencookie(base64, "w",
			     (cookie_io_functions_t){ .write = put, .close = end });
	if (!stream)
		free(base64);
	return stream;
}
