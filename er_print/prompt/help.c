/* SPDX-License-Identifier: Apache-2.0 */
/* "help" and "help COMMAND", from the tables of commands. */
#include <ctype.h>
#include <string.h>

#include "er_print/command/command.h"
#include "er_print/prompt/private.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/strbuf.h"

#define FORM_WIDTH 36
#define TEXT_WIDTH 78

static void print_line(FILE *out, const struct command *command)
{
	const char *other = command->other_name;
	char form[80];

	snprintf(form, sizeof(form), "%s%s%s%s %s", command->name, other ? "[" : "",
		 other ? other : "", other ? "]" : "", command->argument);
	fprintf(out, "  %-*s %s\n", FORM_WIDTH, form, command->help);
}

static int print_all(struct session *session)
{
	for (const struct topic *topic = session->topics; topic->commands; topic++) {
		if (!topic->title)
			continue;
		fprintf(session->out, "%s%s:\n", topic == session->topics ? "" : "\n",
			topic->title);
		for (const struct command *command = topic->commands; command->name;
		     command++)
			print_line(session->out, command);
	}
	fputs("\nType \"help COMMAND\" for more about a command.\n", session->out);
	return 0;
}

/* "show callers": a sentence. */
static void print_sentence(FILE *out, const char *text)
{
	fprintf(out, "%c%s.\n", toupper((unsigned char)*text), text + 1);
}

/* Break a text between words. */
static void print_wrapped(FILE *out, const char *text)
{
	size_t column = 0;

	while (*text) {
		size_t length = strcspn(text, " ");

		if (column > 0) {
			bool fits = column + 1 + length <= TEXT_WIDTH;

			fputc(fits ? ' ' : '\n', out);
			column = fits ? column + 1 : 0;
		}
		fprintf(out, "%.*s", (int)length, text);
		column += length;
		text += length + strspn(text + length, " ");
	}
	fputc('\n', out);
}

static int print_one(struct session *session, const struct command *command)
{
	FILE *out = session->out;

	fprintf(out, "usage: %s%s%s\n", command->name, *command->argument ? " " : "",
		command->argument);
	if (command->other_name)
		fprintf(out, "   or: %s%s%s\n", command->other_name,
			*command->argument ? " " : "", command->argument);
	fputc('\n', out);
	print_sentence(out, command->help);
	if (command->more)
		print_wrapped(out, command->more);
	if (command->places & IN_RC)
		fputs("It can also be used in .er.rc.\n", out);
	if (command->places & NOT_ON_LINE)
		fputs("It cannot be used on the command line.\n", out);
	if (command->example)
		fprintf(out, "\nExample:\n  %s\n", command->example);
	if (command->others)
		fprintf(out, "\nSee also: %s\n", command->others);
	return 0;
}

int run_help(struct session *session, int count, char **words)
{
	cleanup_strbuf struct strbuf text = STRBUF_INIT;
	const struct command *command;
	bool is_ambiguous;

	if (count < 2)
		return print_all(session);
	command = command_find(session, words[1], &is_ambiguous);
	if (command)
		return print_one(session, command);
	command_describe_unknown(session, &text, words[1]);
	return session_error(session, "%s", strbuf_text(&text));
}
