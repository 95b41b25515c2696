/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Commands: their entries in the tables of topics, lookup by an abbreviated name, and
 * running them. main() puts the topics into the session.
 */
#ifndef ER_PRINT_COMMAND_COMMAND_H
#define ER_PRINT_COMMAND_COMMAND_H

#include "er_print/command/completions.h"
#include "er_print/session/session.h"

/* Arguments of a command. On the command line, where experiments follow, an optional word
 * is taken only if it looks like one. */
enum arguments {
	NONE,
	WORD,	       /* exactly one */
	TWO_WORDS,     /* exactly two */
	OPTIONAL_WORD, /* at most one; on the command line always taken */
	OPTIONAL_NUMBER,
	OPTIONAL_ID,	  /* a number or "all" */
	OPTIONAL_COMMAND, /* a command's name */
	FUNCTION,	  /* a name, and perhaps a number */
	OPTIONAL_FORM,	  /* of names */
	OPTIONAL_TEXT,	  /* words that are one text; on the command line one */
	WORD_AND_TEXT,	  /* on the command line two */
	IGNORED,	  /* anything; on the command line one word */
};

/* Places where a command may not, or may also, be given. */
enum places {
	NOT_ON_LINE = 1,   /* not on the command line */
	IN_RC = 2,	   /* also in .er.rc */
	EARLY = 4,	   /* on the command line, run before experiments are loaded */
	NO_EXPERIMENT = 8, /* works without an experiment */
	WHOLE_NAME = 16,   /* only by its whole name, so that others can be abbreviated */
};

struct command {
	const char *name, *other_name;
	enum arguments arguments;
	const char *argument, *help;
	int (*run)(struct session *session, int count, char **words);
	unsigned places;	      /* enum places */
	completer *complete;	      /* finds words that can follow */
	const char *more;	      /* sentences for "help COMMAND", or NULL */
	const char *example, *others; /* a line, and the names of related commands */
};

/* A heading of "help". Old views have none: they are taken, but not offered. */
struct topic {
	const char *title;
	const struct command *commands; /* ended by one without a name */
};

/* A place among all commands; { 0 } is before the first. */
struct each_command {
	const struct topic *topic;
	const struct command *command;
};

/* Go to the next command. false: there is none. */
bool command_next(const struct session *session, struct each_command *each);
/* Returns the command of that name, or the only one that the word abbreviates, or NULL.
 */
const struct command *command_find(const struct session *session, const char *word,
				   bool *is_ambiguous);
/* Check a word of the command line, or of a script, for an enum places. */
bool command_has_place(const struct session *session, const char *word, unsigned place);
/* Describe why a word is not a command, and which ones were perhaps meant. */
struct strbuf;
void command_describe_unknown(const struct session *session, struct strbuf *text,
			      const char *word);

/* Run one command given as words; -1 if it is unknown or failed. */
int command_run(struct session *session, int count, char **words);
/* Run a directive of .er.rc; false: there is no such command. */
bool command_run_directive(struct session *session, int count, char **words,
			   const char *where);
/* Returns the number of words that belong to the command at words[0] of the command line,
 * its name included. Negative if there is no such command, which has been reported. */
int command_length(const struct session *session, char **words);

#endif
