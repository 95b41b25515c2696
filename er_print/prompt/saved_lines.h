/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines typed at the prompt, kept from one run to the next: one per line in
 * $XDG_STATE_HOME/erkit/er_print_history, by default below ~/.local/state. Each line is
 * appended as soon as it is typed, so that runs at the same time do not lose any.
 */
#ifndef ER_PRINT_PROMPT_SAVED_LINES_H
#define ER_PRINT_PROMPT_SAVED_LINES_H

#include <stdbool.h>

#define SAVED_LINES_MAX 1000

/* Check whether the home directory belongs to this user: it does not when root works with
 * the environment of another one. */
bool home_is_own(void);
/* Returns a descriptor of the file, which is created if necessary; -1 if its directories
 * or itself are not this user's own: nothing is kept then. */
int saved_lines_open(void);
/* Pass on the last lines, oldest first, and shorten a file that has grown. */
void saved_lines_read(int fd, void (*add)(void *context, const char *line),
		      void *context);
void saved_lines_append(int fd, const char *line);

#endif
