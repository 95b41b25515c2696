/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Everything that the programs share for their users: one form of messages, usage and
 * version texts, exit statuses. Messages go to stderr as "er_cp: text" and "er_cp:
 * warning: text", results to stdout. Control characters in them are escaped as in
 * escape.h, so that no name can control the terminal.
 */
#ifndef LIBEXPT_CLI_CLI_H
#define LIBEXPT_CLI_CLI_H

#include <stdbool.h>
#include <stdio.h>

#include "libexpt/expt.h"

#define CLI_OK	   0 /* everything requested was done */
#define CLI_FAILED 1 /* at least one operand failed */
#define CLI_USAGE  2 /* nothing was done */

/* Call first in every main. Takes the program's name from argv[0], keeps files from
 * becoming standard streams, and handles -V, --version and --help as the first argument,
 * which end the program. usage is NULL if a table of options (options.h) makes that text.
 */
void cli_start(char *argv[], const char *usage);

/* Raise the limit of open files to the number that libexpt can use for an experiment with
 * thousands of directories. */
void cli_allow_many_files(void);

/* Call last in every main that prints. Returns status, or CLI_FAILED if stdout could not
 * be written. */
int cli_finish(int status);
int cli_write_error(int number); /* number: an errno, or 0; to stderr; CLI_FAILED */
const char *cli_program(void);

int cli_help(const char *usage);	      /* to stdout; CLI_OK */
int cli_usage(const char *usage);	      /* to stderr; CLI_USAGE */
int cli_version(void);			      /* to stdout; CLI_OK */
int cli_failed(const struct expt_error *err); /* to stderr; CLI_FAILED */
int cli_error(const char *format, ...)
	__attribute__((format(printf, 1, 2))); /* CLI_FAILED */
/* Refuse empty words, which usually come from an unset variable of a script. Operands:
 * returns CLI_OK if all of them are names, else CLI_USAGE after a message; a value:
 * CLI_USAGE. */
int cli_check_operands(char *const operands[], int count);
int cli_empty_value(const char *option);
/* Print a message that is neither a complaint nor a result. */
void cli_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cli_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Print a name, with its control characters as escapes. */
void cli_put_escaped(FILE *to, const char *text);

/* Print a line to stdout. */
void cli_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Ask a question on stderr, answered on stdin; only answers that begin with 'y' mean yes.
 */
bool cli_confirm(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Returns the first word of a report's line: "copied", "missing". */
const char *cli_outcome(enum expt_outcome outcome);
/* Print a report: warnings and failures to stderr, the rest to stdout if verbose.
 * is_quiet drops the warnings. Returns CLI_OK or CLI_FAILED. */
int cli_report(const struct expt_report *report, bool is_verbose, bool is_quiet);

#endif
