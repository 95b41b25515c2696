/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How far an operation is: one line of stderr, written over and over, with bytes and
 * total. By itself it appears on a terminal only, and only where one would wait: behind a
 * second, or for more than 64 MiB; it is erased at the end. Who has asked for it gets it
 * always, and its last state stays.
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

enum cli_progress cli_progress_when(bool is_unwanted, bool is_wanted);

/* An operation on what begins. The result is for its options: NULL where nothing will be
 * shown. */
struct expt_progress *cli_progress_begin(enum cli_progress when, const char *what);
/* Call before printing in between: if stdout is a terminal, the line is erased until the
 * next look. */
void cli_progress_hide(void);
/* It has ended: to be called before anything is said of it, whatever cli_progress_begin()
 * returned. */
void cli_progress_end(bool is_done);

#endif
