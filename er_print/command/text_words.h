/* SPDX-License-Identifier: Apache-2.0 */
/* Words of a command that are one text. */
#ifndef ER_PRINT_COMMAND_TEXT_WORDS_H
#define ER_PRINT_COMMAND_TEXT_WORDS_H

#include "libexpt/base/strbuf.h"

/* Append the words, with blanks between them. */
static inline void join_words(struct strbuf *text, int count, char **words)
{
	for (int i = 0; i < count; i++)
		strbuf_printf(text, "%s%s", i > 0 ? " " : "", words[i]);
}

#endif
