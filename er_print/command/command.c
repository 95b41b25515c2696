/* SPDX-License-Identifier: Apache-2.0 */
#include "er_print/command/command.h"

#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "er_print/session/near.h"
#include "er_print/session/pager.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/number.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/cli/cli.h"

/* ---- lookup ---- */

static bool begins(const char *name, const char *word)
{
	return name && strncasecmp(name, word, strlen(word)) == 0;
}

/* A name that ends in '*' is that of all commands which begin so. */
static bool is_name(const char *name, const char *word)
{
	size_t length = name ? strlen(name) : 0;

	if (length > 0 && name[length - 1] == '*')
		return strncasecmp(name, word, length - 1) == 0;
	return name && strcasecmp(name, word) == 0;
}

static bool is_match(const struct command *command, const char *word)
{
	if (command->places & WHOLE_NAME)
		return false;
	return begins(command->name, word) || begins(command->other_name, word);
}

/* The name of a type of index objects is a command that lists them. */
static const struct command *find_index_type(const struct session *session,
					     const char *word)
{
	if (!session->view ||
	    expt_index_type_find(session->view, word) == EXPT_INDEX_NONE)
		return NULL;
	return session->index_command;
}

bool command_next(const struct session *session, struct each_command *each)
{
	if (each->command)
		each->command++;
	else
		*each = (struct each_command){ session->topics,
					       session->topics->commands };
	while (!each->command->name) {
		each->topic++;
		each->command = each->topic->commands;
		if (!each->command)
			return false;
	}
	return true;
}

const struct command *command_find(const struct session *session, const char *word,
				   bool *is_ambiguous)
{
	const struct command *found = NULL;
	struct each_command each = { 0 };
	size_t count = 0;

	*is_ambiguous = false;
	while (*word && command_next(session, &each)) {
		if (is_name(each.command->name, word) ||
		    is_name(each.command->other_name, word))
			return each.command;
		/* An old view does not make the abbreviation of a command ambiguous. */
		if (!is_match(each.command, word) || (found && !each.topic->title))
			continue;
		found = each.command;
		count++;
	}
	*is_ambiguous = count > 1;
	if (count == 1)
		return found;
	return find_index_type(session, word);
}

bool command_has_place(const struct session *session, const char *word, unsigned place)
{
	bool is_ambiguous;
	const struct command *command = command_find(session, word, &is_ambiguous);

	return command && (command->places & place);
}

static void list_matches(const struct session *session, struct strbuf *text,
			 const char *word)
{
	struct each_command each = { 0 };
	size_t count = 0;

	while (command_next(session, &each))
		if (is_match(each.command, word) && each.topic->title)
			strbuf_printf(text, "%s'%s'", count++ ? ", " : " ",
				      each.command->name);
}

static void ask_near(const struct session *session, struct strbuf *text, const char *word)
{
	struct each_command each = { 0 };
	struct near near = { .word = word };

	while (command_next(session, &each))
		near_offer(&near, each.command->name);
	near_ask(text, &near);
}

void command_describe_unknown(const struct session *session, struct strbuf *text,
			      const char *word)
{
	const char *name = word + (*word == '-');
	bool is_ambiguous;

	command_find(session, name, &is_ambiguous);
	if (is_ambiguous) {
		strbuf_printf(text, "ambiguous command '%s':", word);
		list_matches(session, text, name);
		return;
	}
	strbuf_printf(text, "unknown command '%s'", word);
	ask_near(session, text, name);
}

/* ---- words on the command line ---- */

static bool is_number(const char *word)
{
	int64_t number;

	return number_i64(&number, word);
}

static bool is_name_form(const char *word)
{
	return begins("long", word) || begins("short", word) || begins("mangled", word) ||
	       (strchr(word, ':') && !strchr(word, '/'));
}

/* Most experiments have an extension. */
static bool is_plain_word(const char *word)
{
	return *word != '-' && !strpbrk(word, "./");
}

/* Check whether a word is meant as a number. A plain word that names no file is, so that
 * the command refuses what it does not understand. */
static bool is_meant_as_number(const char *word)
{
	return is_number(word) || strcmp(word, "all") == 0 ||
	       (is_plain_word(word) && access(word, F_OK) < 0);
}

/* Check whether an optional argument of the command line is one. */
static bool is_taken(const struct command *command, const char *word)
{
	switch (command->arguments) {
	case OPTIONAL_NUMBER:
	case OPTIONAL_ID:
		return is_meant_as_number(word);
	case OPTIONAL_FORM:
		return is_name_form(word);
	case OPTIONAL_COMMAND:
		return is_plain_word(word);
	default:
		return true;
	}
}

#define WORDS_MAX 1000 /* of a text */

/* The fewest and the most words that follow a command's name, and whether the command
 * line must have the first of them. */
static const struct {
	int fewest, most;
	bool is_required;
} counts[] = {
	[NONE] = { 0, 0, false },
	[WORD] = { 1, 1, true },
	[TWO_WORDS] = { 2, 2, true },
	[OPTIONAL_WORD] = { 0, 1, true },
	[OPTIONAL_NUMBER] = { 0, 1, false },
	[OPTIONAL_ID] = { 0, 1, false },
	[OPTIONAL_COMMAND] = { 0, 1, false },
	[FUNCTION] = { 1, 2, true },
	[OPTIONAL_FORM] = { 0, 1, false },
	[OPTIONAL_TEXT] = { 0, WORDS_MAX, true },
	[WORD_AND_TEXT] = { 2, WORDS_MAX, true },
	[IGNORED] = { 0, 16, false },
};

static int count_words(char **words, int limit)
{
	int count = 0;

	while (count < limit && words[count])
		count++;
	return count;
}

static int refuse_length(const char *format, const char *word, const char *text)
{
	cli_error(format, word, text);
	return -1;
}

int command_length(const struct session *session, char **words)
{
	cleanup_strbuf struct strbuf text = STRBUF_INIT;
	bool is_ambiguous;
	const struct command *command =
		command_find(session, words[0] + 1, &is_ambiguous);
	int needed;

	if (!command) {
		command_describe_unknown(session, &text, words[0]);
		return refuse_length("%s%s", strbuf_text(&text), "");
	}
	if (command->places & NOT_ON_LINE)
		return refuse_length("'%s' cannot be used on the command line%s",
				     words[0], "");
	needed = counts[command->arguments].fewest;
	if (needed == 0)
		needed = counts[command->arguments].is_required;
	if (count_words(words + 1, needed) < needed)
		return refuse_length("command '%s' requires an argument: %s", words[0],
				     command->argument);
	if (command->arguments == FUNCTION)
		return words[2] && is_number(words[2]) ? 3 : 2;
	if (needed > 0 || counts[command->arguments].most == 0)
		return 1 + needed;
	return words[1] && is_taken(command, words[1]) ? 2 : 1;
}

/* ---- running ---- */

static int refuse_unknown(struct session *session, const char *word)
{
	cleanup_strbuf struct strbuf text = STRBUF_INIT;

	command_describe_unknown(session, &text, word);
	return session_error(session, "%s", strbuf_text(&text));
}

static int run(struct session *session, const struct command *command, int count,
	       char **words)
{
	int most = counts[command->arguments].most;

	if (count - 1 < counts[command->arguments].fewest)
		return session_error(session, "command '%s' requires an argument: %s",
				     command->name, command->argument);
	if (count - 1 > most) {
		cli_warn("extra arguments to %s command", command->name);
		count = most + 1;
	}
	return command->run(session, count, words);
}

int command_run(struct session *session, int count, char **words)
{
	bool is_ambiguous;
	const struct command *command = command_find(session, words[0], &is_ambiguous);
	int rc = command ? run(session, command, count, words)
			 : refuse_unknown(session, words[0]);

	if (session->pager && session->depth == 0)
		pager_finish(session->pager, session->out);
	session_report_problems(session);
	return rc;
}

bool command_run_directive(struct session *session, int count, char **words,
			   const char *where)
{
	bool is_ambiguous;
	const struct command *command = command_find(session, words[0], &is_ambiguous);

	if (!command)
		return false;
	if (!(command->places & IN_RC)) {
		cli_warn("%s: '%s' cannot be used in .er.rc", where, command->name);
		return true;
	}
	/* Without an argument, a setting would only be shown. */
	if ((count == 1 && counts[command->arguments].most > 0) ||
	    count - 1 < counts[command->arguments].fewest ||
	    count - 1 > counts[command->arguments].most) {
		cli_warn("%s: wrong number of arguments for '%s'", where, command->name);
		return true;
	}
	session->where = where;
	command->run(session, count, words);
	session->where = NULL;
	return true;
}
