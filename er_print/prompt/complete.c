/* SPDX-License-Identifier: Apache-2.0 */
#include "er_print/prompt/complete.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "er_print/command/command.h"
#include "er_print/command/complete_words.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/cli/cli.h"

#define LIST_MAX 200 /* words that are listed */

/* The word before the cursor, without its quotes, and the first word of the line. */
struct cursor_word {
	struct strbuf text, first;
	size_t start; /* of the word in the line */
	int index;    /* number of words before it */
};

static void release_word(struct cursor_word *word)
{
	strbuf_release(&word->text);
	strbuf_release(&word->first);
}

static void end_word(struct cursor_word *word)
{
	if (word->index++ == 0)
		strbuf_add_text(&word->first, strbuf_text(&word->text));
	strbuf_clear(&word->text);
}

/* Find the word as words_split() would, but a quote may still be open. */
static void find_word(struct cursor_word *word, const char *line, size_t cursor)
{
	bool is_inside = false;
	char quote = 0;

	word->start = cursor;
	for (size_t i = 0; i < cursor; i++) {
		char c = line[i];

		if (!quote && strchr(" \t", c)) {
			if (is_inside)
				end_word(word);
			is_inside = false;
			word->start = cursor;
			continue;
		}
		if (!is_inside)
			word->start = i;
		is_inside = true;
		if (quote && c == '\\' && i + 1 < cursor &&
		    (line[i + 1] == quote || line[i + 1] == '\\'))
			strbuf_add_char(&word->text, line[++i]);
		else if (quote ? c == quote : c == '"' || c == '\'')
			quote = quote ? 0 : c;
		else
			strbuf_add_char(&word->text, c);
	}
}

static completer *choose_completer(const struct session *session,
				   const struct cursor_word *word)
{
	bool is_ambiguous;
	const struct command *command;

	if (word->index == 0)
		return complete_command;
	command = command_find(session, strbuf_text(&word->first), &is_ambiguous);
	return command ? command->complete : NULL;
}

/* ---- the change ---- */

static void insert_quoted(struct strbuf *to, const char *text, size_t length,
			  bool is_whole)
{
	bool is_quoted = memchr(text, ' ', length) || memchr(text, '\'', length) ||
			 memchr(text, '"', length) || *text == '#';

	if (is_quoted)
		strbuf_add_char(to, '"');
	for (size_t i = 0; i < length; i++) {
		if (is_quoted && (text[i] == '"' || text[i] == '\\'))
			strbuf_add_char(to, '\\');
		strbuf_add_char(to, text[i]);
	}
	if (is_quoted && is_whole)
		strbuf_add_char(to, '"');
}

static size_t count_characters(const char *text, size_t length)
{
	size_t count = 0;

	for (size_t i = 0; i < length; i++)
		count += (text[i] & 0xc0) != 0x80;
	return count;
}

/* ---- the list ---- */

static void list(const struct completions *found)
{
	struct winsize screen = { 0 };
	size_t width = 1, columns;
	size_t shown = found->count < LIST_MAX ? found->count : LIST_MAX;

	ioctl(STDOUT_FILENO, TIOCGWINSZ, &screen);
	for (size_t i = 0; i < shown; i++)
		if (strlen(found->items[i]) + 2 > width)
			width = strlen(found->items[i]) + 2;
	columns = screen.ws_col > width ? screen.ws_col / width : 1;
	for (size_t i = 0; i < shown; i++) {
		int pad = (int)(width - strlen(found->items[i]));

		fputs(i % columns ? "" : "\n", stdout);
		cli_put_escaped(stdout, found->items[i]);
		printf("%*s", (i + 1) % columns ? pad : 0, "");
	}
	if (found->count > shown)
		printf("\n... and %zu more", found->count - shown);
	fputs("\n", stdout);
	fflush(stdout);
}

static void apply(struct completion_edit *edit, const struct completions *found,
		  const struct cursor_word *word, const char *line, size_t cursor)
{
	size_t common = completions_common(found);
	bool is_whole = found->count == 1 && !found->is_open;

	if (found->count == 0)
		return;
	if (found->count > 1 && common <= word->text.length) {
		list(found);
		edit->has_listed = true;
		return;
	}
	edit->removed = count_characters(line + word->start, cursor - word->start);
	insert_quoted(edit->insertion, found->items[0], common, is_whole);
	if (is_whole)
		strbuf_add_char(edit->insertion, ' ');
}

void complete_at(struct session *session, struct completion_edit *edit, const char *line,
		 size_t cursor)
{
	cleanup(release_word) struct cursor_word word = { .index = 0 };
	cleanup(completions_release) struct completions found = { 0 };
	completer *complete;

	find_word(&word, line, cursor);
	complete = choose_completer(session, &word);
	if (!complete || word.text.failed || word.first.failed)
		return;
	complete(session, &found, strbuf_text(&word.text));
	completions_sort(&found);
	apply(edit, &found, &word, line, cursor);
}
