/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shows the progress of an operation: one line of stderr, overwritten again and again,
 * with bytes and total. By default it appears only on a terminal and only for long
 * operations: after a second, or for more than 64 MiB; it is erased at the end. With
 * --progress it always appears, and its last state stays.
 */
#ifndef LIBEXPT_CLI_PROGRESS_H
#define LIBEXPT_CLI_PROGRESS_H

#include <stdbool.h>

#include "libexpt/expt.h"

enum cli_progress {
	CLI_PROGRESS_AUTO,
	CLI_PROGRESS_ALWAYS, /* --progress */
	CLI_PROGRESS_NEVER,  /* --quiet, --dry-run */
};

enum cli_progress cli_progress_mode(bool is_unwanted, bool is_wanted);

/* Begin an operation on what. The result is for its options: NULL if nothing will be
 * shown. */
struct expt_progress *cli_progress_begin(enum cli_progress when, const char *what);
/* Call before printing in between: if stdout is a terminal, the line is erased until the
 * next update. */
void cli_progress_hide(void);
/* End the progress before anything is printed about the operation, whatever
 * cli_progress_begin() returned. */
void cli_progress_end(bool is_done);

#endif
