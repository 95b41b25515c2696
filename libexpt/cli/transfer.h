/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What er_cp and er_mv have in common: EXP1 EXP2, or EXP... DIR; names that are taken; and going on
 * with the other operands after a failure.
 */
#ifndef LIBEXPT_CLI_TRANSFER_H
#define LIBEXPT_CLI_TRANSFER_H

#include <stdbool.h>

#include "libexpt/expt.h"

/* The options that both programs have, for getopt_long(); -V and --help are the programs' own. */
#define CLI_TRANSFER_LETTERS "finqTv"
enum { CLI_TRANSFER_RENAME = 256, CLI_TRANSFER_FREE /* for the program's own */ };
/* clang-format off */
#define CLI_TRANSFER_OPTIONS					\
	{ "force", no_argument, NULL, 'f' },			\
	{ "interactive", no_argument, NULL, 'i' },		\
	{ "rename", no_argument, NULL, CLI_TRANSFER_RENAME },	\
	{ "dry-run", no_argument, NULL, 'n' },			\
	{ "verbose", no_argument, NULL, 'v' },			\
	{ "quiet", no_argument, NULL, 'q' }
/* clang-format on */

struct cli_transfer {
	bool force;	  /* replace experiments that have the name */
	bool interactive; /* ask before that */
	bool rename;	  /* take the next free number instead */
	bool never_into;  /* the last operand is a name, also if it is a directory */
	bool dry_run, is_verbose, is_quiet;
	const char *done;    /* "copied": what a line of -v says */
	const char *planned; /* "would copy": what a line of -n says */
	const void *options; /* of the program */

	/* Do it, for one experiment. */
	int (*function)(const struct cli_transfer *transfer, const char *from,
			const char *to, bool force, struct expt_report *report,
			struct expt_error *err);
};

/* Take one of the options above; false: it is none of them. */
bool cli_transfer_option(struct cli_transfer *transfer, int option);

/* Work on the operands: the status for exit. */
int cli_transfer(const struct cli_transfer *transfer, int count, char *operands[]);

#endif
