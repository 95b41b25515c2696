/* SPDX-License-Identifier: Apache-2.0 */
#include "er_print/functions/source_line.h"

#include <string.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/strbuf.h"

bool source_add_heading(struct listing *listing, const struct expt_function *function)
{
	cleanup_strbuf struct strbuf text = STRBUF_INIT;
	char buffer[4096];

	strbuf_printf(&text, "%*s<Function: %s>", SOURCE_INDENT, "",
		      session_function_name(listing->session, function, buffer,
					    sizeof(buffer)));
	return !text.failed && listing_add(listing, LISTING_BLANK, strbuf_text(&text));
}

/* The text may contain NULs, and end with the "\r" of other systems. */
static void add_text(struct strbuf *to, const char *text, size_t length)
{
	if (length > 0 && text[length - 1] == '\r')
		length--;
	while (length > 0) {
		const char *nul = memchr(text, '\0', length);
		size_t part = nul ? (size_t)(nul - text) : length;

		strbuf_add(to, text, part);
		if (!nul)
			break;
		strbuf_add_char(to, '?');
		text += part + 1;
		length -= part + 1;
	}
}

bool source_add_line(struct listing *listing, uint32_t row,
		     const struct expt_source *source, size_t line)
{
	cleanup_strbuf struct strbuf text = STRBUF_INIT;
	size_t length = 0;
	const char *content = source ? expt_source_line(source, line, &length) : "";

	strbuf_printf(&text, "%*zu. ", SOURCE_INDENT - 2, line);
	add_text(&text, content, length);
	return !text.failed && listing_add(listing, row, strbuf_text(&text));
}
