/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Options in tables: one row contains what getopt needs, what to do, and the line of
 * --help. -V, --version and --help are known to all programs and need no row.
 */
#ifndef LIBEXPT_CLI_OPTIONS_H
#define LIBEXPT_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A row without help ends a table. */
struct cli_option {
	int letter;	   /* 0: it has only a long name */
	const char *name;  /* "force"; NULL: only a letter */
	const char *value; /* as in help, with what precedes it: "=WHEN", " FILE";
			    * NULL: none, or one of words */
	const char *help;  /* further lines are indented like the first */

	/* Either: the bool at this offset in the program's options becomes true, or false
	 * with is_negative. */
	size_t place;
	bool is_negative;
	/* Or: the enum there becomes the index of the value in these words, which end
	 * with NULL. */
	const char *const *words;
	/* Or: the const char * there becomes the value. */
	bool is_text;
	/* Or: the whole number there, of this size, becomes the value, which is 1 to max.
	 */
	uint64_t max;
	size_t size;
	/* Or: this function is called. Returns CLI_OK, or CLI_USAGE after a message. */
	int (*take)(void *options, const char *value);
	/* Words that directly follow the value are further values if this returns true
	 * for them. */
	bool (*takes_also)(const char *word);

	/* Bits of the modes in which the option makes sense; 0: all. */
	unsigned modes;
	bool selects_mode; /* the last one in modes */
};

#define CLI_FLAG(type, member)	     .place = offsetof(type, member)
#define CLI_NO_FLAG(type, member)    .place = offsetof(type, member), .is_negative = true
#define CLI_WORD(type, member, list) .place = offsetof(type, member), .words = (list)
#define CLI_TEXT(type, member)	     .place = offsetof(type, member), .is_text = true
#define CLI_NUMBER(type, member, largest)                                      \
	.place = offsetof(type, member), .size = sizeof((type *)NULL)->member, \
	.max = (largest)

/* Rows that are the same in several programs. */
#define CLI_QUIET(type, member)                                       \
	{                                                             \
		'q', "quiet", NULL, "suppress warnings and progress", \
			CLI_FLAG(type, member)                        \
	}
#define CLI_PROGRESS(type, member)                                       \
	{                                                                \
		0, "progress", NULL,                                     \
			"show progress (default on a terminal, beyond\n" \
			"64 MiB or a second)",                           \
			CLI_FLAG(type, member)                           \
	}

/* The options to parse: the tables, ended by NULL, in the order of --help, and the struct
 * that their values go to. */
struct cli_command {
	const char *synopsis; /* "usage: er_cp ...\n" */
	const struct cli_option *const *tables;
	void *options;
	/* The modes as named in messages, the first with bit 1; NULL: there are none. An
	 * option that makes no sense in the selected mode is an error. */
	const char *const *modes; /* ends with NULL */
	unsigned mode;		  /* bit of the default mode */
};

/* Parse all options. The operands are left, from optind on; neither they nor values are
 * empty. Returns -1 to go on, else the status to end with, after a message, help or
 * version. */
int cli_options(const struct cli_command *command, int argc, char *argv[]);

/* Print the usage to stderr. Returns CLI_USAGE. */
int cli_options_usage(const struct cli_command *command);

#endif
