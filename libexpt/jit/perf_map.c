/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/jit/perf_map.h"

#include <string.h>

#include "libexpt/base/hex.h"

/* Take a number with or without "0x", and the blank after it. */
static bool take_number(uint64_t *number, const char **at, const char *end)
{
	const char *start;

	if (end - *at > 2 && (*at)[0] == '0' && (*at)[1] == 'x')
		*at += 2;
	start = *at;
	for (*number = 0; *at < end && hex_value(**at) >= 0; ++*at) {
		if (*number >> 60)
			return false;
		*number = *number << 4 | (uint64_t)hex_value(**at);
	}
	return *at > start && *at < end && *(*at)++ == ' ';
}

/* Parse a line; the name is the rest of it. */
static bool parse_line(struct jit_code *code, const char *line, const char *end)
{
	uint64_t size;

	*code = (struct jit_code){ 0 };
	if (!take_number(&code->address, &line, end) || !take_number(&size, &line, end) ||
	    line == end || __builtin_add_overflow(code->address, size, &code->end))
		return false;
	code->name = line;
	return true;
}

bool perf_map_begins(const char *head, size_t length)
{
	const char *end = memchr(head, '\n', length);
	struct jit_code code;

	return parse_line(&code, head, end ? end : head + length);
}

int perf_map_read(struct jit_codes *codes, const char *text, size_t length)
{
	const char *next = text, *end = text + length;
	int rc = 0;

	while (rc == 0 && next < end) {
		const char *newline = memchr(next, '\n', (size_t)(end - next));
		const char *stop = newline ? newline : end;
		struct jit_code code;

		if (stop > next && stop[-1] == '\r')
			stop--;
		if (parse_line(&code, next, stop))
			rc = jit_codes_add(codes, &code, (size_t)(stop - code.name));
		next = newline ? newline + 1 : end;
	}
	return rc;
}
