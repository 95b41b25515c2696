/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/archives/class_location.h"

#include <string.h>

#include "libexpt/base/hex.h"

/* Decode a byte that is written in a URL as %hh or literally. */
static char url_byte(const char **at, const char *end)
{
	unsigned char byte;

	if (**at == '%' && end - *at >= 3 && hex_parse(&byte, 1, *at + 1)) {
		*at += 3;
		return (char)byte;
	}
	return *(*at)++;
}

static void skip_prefix(const char **at, const char *end, const char *prefix)
{
	size_t length = strlen(prefix);

	if ((size_t)(end - *at) >= length && memcmp(*at, prefix, length) == 0)
		*at += length;
}

void class_location_path(struct strbuf *path, const char *location, size_t length,
			 const char *class_name, size_t class_length)
{
	const char *at = location, *end = at + length;
	const char *inside = memmem(at, length, "!/", 2);

	if (inside)
		end = inside;
	skip_prefix(&at, end, "jar:");
	skip_prefix(&at, end, "file:");
	while (end - at >= 2 && at[0] == '/' && at[1] == '/')
		at++;
	while (at < end)
		strbuf_add_char(path, url_byte(&at, end));
	if (path->length > 0 && path->text[path->length - 1] == '/' && class_length > 2)
		strbuf_printf(path, "%.*s.class", (int)class_length - 2, class_name + 1);
}
