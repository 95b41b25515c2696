/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Options in tables: one row is what getopt needs, what is done, and the line of --help.
 * -V, --version and --help are known to all programs and need no row.
 */
#ifndef LIBEXPT_CLI_OPTIONS_H
#define LIBEXPT_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A table ends with a row without help. */
struct cli_option {
	int letter;	   /* 0: it has a long name only */
	const char *name;  /* "force"; NULL: a letter only */
	const char *value; /* as help shows it, with what stands before: "=WHEN", " FILE";
			    * NULL: none, or one of the words */
	const char *help;  /* further lines are indented like the first */

	/* Either: the bool at this place in the program's options becomes true; false
	 * with is_negative. */
	size_t place;
	bool is_negative;
	/* Or: the enum there becomes the number that the value has in these, which end
	 * with NULL. */
	const char *const *words;
	/* Or: the const char * there becomes the value. */
	bool is_text;
	/* Or: the whole number there, of this size, becomes the value, which is 1 to max.
	 */
	uint64_t max;
	size_t size;
	/* Or: this is called; CLI_OK, or CLI_USAGE after a message. */
	int (*take)(void *options, const char *value);
	/* Words right behind the value for which this is true are further values. */
	bool (*takes_also)(const char *word);

	/* Bits of the modes of the command in which the option means something; 0: all. */
	unsigned modes;
	bool selects_mode; /* the one of modes */
};

#define CLI_FLAG(type, member)	     .place = offsetof(type, member)
#define CLI_NO_FLAG(type, member)    .place = offsetof(type, member), .is_negative = true
#define CLI_WORD(type, member, list) .place = offsetof(type, member), .words = (list)
#define CLI_TEXT(type, member)	     .place = offsetof(type, member), .is_text = true
#define CLI_NUMBER(type, member, largest)                                      \
	.place = offsetof(type, member), .size = sizeof((type *)NULL)->member, \
	.max = (largest)

/* Rows that read the same in several programs. */
#define CLI_QUIET(type, member)                                                        \
	{                                                                              \
		'q', "quiet", NULL, "no warnings, no progress", CLI_FLAG(type, member) \
	}
#define CLI_PROGRESS(type, member)                                                     \
	{                                                                              \
		0, "progress", NULL,                                                   \
			"show how far it is; without being asked on a terminal, for\n" \
			"more than 64 MiB or a second",                                \
			CLI_FLAG(type, member)                                         \
	}

/* What is parsed: the tables, up to NULL, in the order of --help, and where their options
 * go. */
struct cli_command {
	const char *synopsis; /* "usage: er_cp ...\n" */
	const struct cli_option *const *tables;
	void *options;
	/* What the modes are called in messages, the first one's bit being 1; NULL: there
	 * are none. An option that does not mean anything in the mode that was asked for
	 * is an error. */
	const char *const *modes; /* ends with NULL */
	unsigned mode;		  /* the bit of the one that need not be asked for */
};

/* Take all options; what is left are the operands, from optind on, none of which is
 * empty, and no value either. -1: go on; otherwise the status to end with, after a
 * message, help or version. */
int cli_options(const struct cli_command *command, int argc, char *argv[]);

/* The usage on stderr; CLI_USAGE. */
int cli_options_usage(const struct cli_command *command);

#endif
