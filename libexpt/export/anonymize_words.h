/* SPDX-License-Identifier: Apache-2.0 */
/* The words to be replaced. */
#ifndef LIBEXPT_EXPORT_ANONYMIZE_WORDS_H
#define LIBEXPT_EXPORT_ANONYMIZE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "libexpt/base/strbuf.h"

struct anonymizer {
	struct anonymizer_word {
		char *text;
		size_t length;
		const char *neutral;
	} * items; /* longest first */
	size_t count, capacity;
	bool begins[256]; /* a word begins with this byte */
};

/* Append text to out, with the words replaced. */
void anonymizer_add(struct strbuf *out, const struct anonymizer *anonymizer,
		    const char *text, size_t length);
/* Returns whether one of the words is in text. */
bool anonymizer_contains_word(const struct anonymizer *anonymizer, const char *text,
			      size_t length);

#endif
