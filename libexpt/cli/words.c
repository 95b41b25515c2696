/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/cli/words.h"

#include <errno.h>
#include <string.h>

#define BLANKS " \t\r\n"

/* Copy the text after an opening quote to *to. Returns its end, after the closing quote,
 * or NULL. */
static const char *unquote(char **to, const char *from)
{
	char quote = from[-1];

	for (; *from != quote; from++) {
		if (*from == '\\' && (from[1] == quote || from[1] == '\\'))
			from++;
		if (!*from)
			return NULL;
		*(*to)++ = *from;
	}
	return from + 1;
}

/* Make the word at *line end with a NUL, its quotes removed; *line becomes the rest. */
static int cut_word(char **line)
{
	const char *from = *line;
	char *to = *line;

	while (*from && !strchr(BLANKS, *from)) {
		if (*from != '"' && *from != '\'') {
			*to++ = *from++;
			continue;
		}
		from = unquote(&to, from + 1);
		if (!from)
			return -EINVAL;
	}
	*line = (char *)from + (*from != '\0');
	*to = '\0';
	return 0;
}

int words_split(char *line, char **words, int limit)
{
	for (int count = 0;; count++) {
		char *word;

		line += strspn(line, BLANKS);
		if (*line == '\0' || *line == '#')
			return count < limit ? count : limit;
		word = line;
		if (cut_word(&line) < 0)
			return -EINVAL;
		if (count < limit)
			words[count] = word;
	}
}
