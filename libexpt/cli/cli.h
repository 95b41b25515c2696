/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What all programs share when they talk to people: one form of messages, usage and
 * version texts, exit statuses. Messages go to stderr as "er_cp: text" and "er_cp:
 * warning: text", results to stdout; control characters in them are shown escaped, as
 * escape.h says, so that no name can write to the terminal.
 */
#ifndef LIBEXPT_CLI_CLI_H
#define LIBEXPT_CLI_CLI_H

#include <stdbool.h>
#include <stdio.h>

#include "libexpt/expt.h"

#define CLI_OK	   0 /* everything asked was done */
#define CLI_FAILED 1 /* at least one operand failed */
#define CLI_USAGE  2 /* nothing was done */

/* First in every main: takes the program's name from argv[0], sees to it that files do
 * not become standard streams, and handles -V, --version and --help standing first; those
 * end the program. usage is NULL where a table of options (options.h) makes that text. */
void cli_start(char *argv[], const char *usage);

/* As many open files as libexpt has a use for where an experiment has thousands of
 * directories. */
void cli_allow_many_files(void);

/* Last in every main that has printed: status, or CLI_FAILED if stdout could not be
 * written. */
int cli_finish(int status);
int cli_write_error(int number); /* of errno, or 0; to stderr; CLI_FAILED */
const char *cli_program(void);

int cli_help(const char *usage);	      /* to stdout; CLI_OK */
int cli_usage(const char *usage);	      /* to stderr; CLI_USAGE */
int cli_version(void);			      /* to stdout; CLI_OK */
int cli_failed(const struct expt_error *err); /* to stderr; CLI_FAILED */
int cli_error(const char *format, ...)
	__attribute__((format(printf, 1, 2))); /* CLI_FAILED */
/* An empty word is most often a variable of a script that is not set, which must not mean
 * anything: for an operand, CLI_USAGE after a message, or CLI_OK if all of them are
 * names; for a value, CLI_USAGE. */
int cli_check_operands(char *const operands[], int count);
int cli_empty_value(const char *option);
/* What is no complaint, but not a result either. */
void cli_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cli_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A name, with its control characters as escapes. */
void cli_put_escaped(FILE *to, const char *text);

/* A line of stdout. */
void cli_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Ask a question on stderr, answered on stdin; only words that begin with 'y' mean yes. */
bool cli_confirm(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* "copied", "missing": the first word of a report's line. */
const char *cli_outcome(enum expt_outcome outcome);
/* The lines of a report: warnings and what was not done to stderr, the rest to stdout if
 * verbose. is_quiet drops the warnings. CLI_OK or CLI_FAILED. */
int cli_report(const struct expt_report *report, bool is_verbose, bool is_quiet);

#endif
