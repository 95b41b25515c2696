/* SPDX-License-Identifier: Apache-2.0 */
/* Scripts: one command per line, # comments, a backslash at the end of a line continues
 * it, words with blanks in quotes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "er_print/command/command.h"
#include "er_print/prompt/private.h"
#include "er_print/prompt/script.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/cli/cli.h"
#include "libexpt/cli/words.h"

#define DEPTH_MAX 16
#define WORDS_MAX 16

int run_line(struct session *session, char *line)
{
	char *words[WORDS_MAX + 1] = { 0 };
	int count = words_split(line, words, WORDS_MAX);

	if (count < 0)
		return session_error(session, "a quote is not closed");
	return count > 0 ? command_run(session, count, words) : 0;
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

int run_stream(struct session *session, FILE *stream, const char *name)
{
	cleanup_strbuf struct strbuf line = STRBUF_INIT;
	cleanup_free char *piece = NULL;
	size_t size = 0;
	ssize_t length;
	int rc = 0;

	while (!session->is_done && !session_is_stopped(session) &&
	       (length = getline(&piece, &size, stream)) >= 0) {
		strbuf_add(&line, piece, strlen(piece));
		if (line.failed) {
			session->status = cli_error("%s: out of memory", name);
			return -1;
		}
		if (is_continued(&line))
			continue;
		if (line.text && run_line(session, line.text) < 0)
			rc = -1;
		strbuf_clear(&line);
	}
	if (!session->is_done && !session_is_stopped(session) && line.length > 0 &&
	    run_line(session, line.text) < 0)
		rc = -1;
	if (ferror(stream)) {
		session->status =
			cli_error("cannot read '%s': %s", name, strerror(errno));
		rc = -1;
	}
	return rc;
}

static int run_file(struct session *session, const char *path)
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
	rc = run_stream(session, stream, path);
	session->depth--;
	fclose(stream);
	return rc;
}

int run_script(struct session *session, int count, char **words)
{
	return run_file(session, words[1]);
}
