/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/base/shell.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Whether the word has only characters that are never special to a shell. */
static bool is_plain(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_./+:@%,-";

	return *word && word[strspn(word, plain)] == '\0';
}

void shell_add_word(struct strbuf *command, const char *word)
{
	if (command->length)
		strbuf_add_char(command, ' ');
	if (is_plain(word)) {
		strbuf_add_text(command, word);
		return;
	}
	strbuf_add_char(command, '\'');
	for (; *word; word++)
		if (*word == '\'')
			strbuf_add_text(command, "'\\''");
		else
			strbuf_add_char(command, *word);
	strbuf_add_char(command, '\'');
}

/* Copy one word from *from to *to and move both on. -EINVAL: a quote is not closed. */
static int take_word(const char **from, char **to)
{
	char quote = '\0';

	for (; **from && (quote || **from != ' '); (*from)++) {
		char c = **from;

		if (quote ? c != quote : c != '\'' && c != '"')
			*(*to)++ = c;
		else if (quote && (*from)[1] == quote)
			*(*to)++ = *++*from;
		else
			quote = quote ? '\0' : c;
	}
	*(*to)++ = '\0';
	return quote ? -EINVAL : 0;
}

int shell_split(char ***out, const char *command)
{
	size_t length = strlen(command), count = 0;
	size_t most = length / 2 + 2; /* words, and the NULL */
	char **words = malloc(most * sizeof(*words) + length + 1);
	char *text;
	int rc = 0;

	if (!words)
		return -ENOMEM;
	text = (char *)(words + most);
	for (command += strspn(command, " "); *command && rc == 0;
	     command += strspn(command, " ")) {
		words[count++] = text;
		rc = take_word(&command, &text);
	}
	if (rc < 0 || count == 0) {
		free(words);
		return -EINVAL;
	}
	words[count] = NULL;
	*out = words;
	return 0;
}
