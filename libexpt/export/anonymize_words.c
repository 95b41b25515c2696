/* SPDX-License-Identifier: Apache-2.0 */
/* Replaces the words in a text, and finds them. */
#include <ctype.h>
#include <string.h>

#include "libexpt/export/anonymize_words.h"

static bool is_of_word(char c)
{
	return isalnum((unsigned char)c) || c & 0x80;
}

static const struct anonymizer_word *find_word(const struct anonymizer *anonymizer,
					       const char *at, const char *start,
					       const char *end)
{
	if (!anonymizer->begins[(unsigned char)*at] ||
	    (at > start && is_of_word(at[-1]) && is_of_word(*at)))
		return NULL;
	for (size_t i = 0; i < anonymizer->count; i++) {
		const struct anonymizer_word *word = &anonymizer->items[i];
		const char *behind = at + word->length;

		if ((size_t)(end - at) >= word->length &&
		    memcmp(at, word->text, word->length) == 0 &&
		    (behind == end || !is_of_word(behind[-1]) || !is_of_word(*behind)))
			return word;
	}
	return NULL;
}

void anonymizer_add(struct strbuf *out, const struct anonymizer *anonymizer,
		    const char *text, size_t length)
{
	const char *start = text, *end = text + length;

	while (text < end) {
		const struct anonymizer_word *word =
			find_word(anonymizer, text, start, end);

		if (word) {
			strbuf_add_text(out, word->neutral);
			text += word->length;
		} else {
			strbuf_add_char(out, *text++);
		}
	}
}

bool anonymizer_contains_word(const struct anonymizer *anonymizer, const char *text,
			      size_t length)
{
	for (const char *at = text; at < text + length; at++)
		if (find_word(anonymizer, at, text, text + length))
			return true;
	return false;
}
