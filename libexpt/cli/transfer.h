/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What er_cp and er_mv have in common: EXP1 EXP2, or EXP... DIR; names that are taken; and going on
 * with the other operands after a failure.
 */
#ifndef LIBEXPT_CLI_TRANSFER_H
#define LIBEXPT_CLI_TRANSFER_H

#include <stdbool.h>

#include "libexpt/expt.h"

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

/* Work on the operands: the status for exit. */
int cli_transfer(const struct cli_transfer *transfer, int count, char *operands[]);

/* Set when the user interrupts (SIGINT, SIGTERM, SIGHUP), from the first call of cli_stop_flag() on:
 * operations then stop and leave nothing half-made. */
const volatile int *cli_stop_flag(void);
/* After everything was put in order: end by the signal that was caught, if one was. */
void cli_stop_if_asked(void);

/* Ask a question on stderr, answered on stdin; only words that begin with 'y' mean yes. */
bool cli_confirm(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
