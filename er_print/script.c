/* SPDX-License-Identifier: Apache-2.0 */
/* Scripts: one command per line, # comments, a backslash at the end of a line continues
 * it, words with blanks in double quotes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "er_print/script.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/cli/cli.h"

#define DEPTH_MAX 16
#define WORDS_MAX 16

int split_words(char *line, char **words, int limit)
{
	int count = 0;

	for (;;) {
		char *end = line;

		line += strspn(line, " \t\r");
		if (*line == '\0' || *line == '#' || count == limit)
			return count;
		words[count++] = end = line;
		for (bool is_quoted = false;
		     *line && (is_quoted || !strchr(" \t\r", *line)); line++) {
			if (*line == '"')
				is_quoted = !is_quoted;
			else
				*end++ = *line;
		}
		if (*line)
			line++;
		*end = '\0';
	}
}

int run_line(struct session *session, char *line, script_command *run)
{
	char *words[WORDS_MAX + 1] = { 0 };
	int count = split_words(line, words, WORDS_MAX);

	return count > 0 ? run(session, count, words) : 0;
}

/* Remove the newline; true if the line ends in a backslash and continues. */
static bool is_continued(struct strbuf *line)
{
	while (line->length > 0 && line->text[line->length - 1] == '\n')
		line->text[--line->length] = '\0';
	if (line->length == 0 || line->text[line->length - 1] != '\\')
		return false;
	line->text[line->length - 1] = ' ';
	return true;
}

int run_stream(struct session *session, FILE *stream, const char *name,
	       script_command *run)
{
	cleanup_strbuf struct strbuf line = STRBUF_INIT;
	cleanup_free char *piece = NULL;
	size_t size = 0;
	ssize_t length;
	int rc = 0;

	while (!session->is_done && (length = getline(&piece, &size, stream)) >= 0) {
		strbuf_add(&line, piece, strlen(piece));
		if (line.failed) {
			session->status = cli_error("%s: out of memory", name);
			return -1;
		}
		if (is_continued(&line))
			continue;
		if (line.text && run_line(session, line.text, run) < 0)
			rc = -1;
		strbuf_clear(&line);
	}
	if (!session->is_done && line.length > 0 && run_line(session, line.text, run) < 0)
		rc = -1;
	if (ferror(stream)) {
		session->status =
			cli_error("cannot read '%s': %s", name, strerror(errno));
		rc = -1;
	}
	return rc;
}

int run_script(struct session *session, const char *path, script_command *run)
{
	FILE *stream;
	int rc;

	if (session->depth == DEPTH_MAX)
		return session_error(session, "'%s': scripts nested too deeply", path);
	stream = fopen(path, "re");
	if (!stream) {
		session->status =
			cli_error("cannot open script '%s': %s", path, strerror(errno));
		return -1;
	}
	session->depth++;
	rc = run_stream(session, stream, path, run);
	session->depth--;
	fclose(stream);
	return rc;
}
