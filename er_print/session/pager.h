/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shows the output of a command at the prompt: with $PAGER if it is longer than the
 * screen. Output is held back until then, or until the command ends.
 */
#ifndef ER_PRINT_SESSION_PAGER_H
#define ER_PRINT_SESSION_PAGER_H

#include <stdio.h>

struct pager;

/* Returns a pager for the standard output, or NULL if that is not a terminal, the user
 * wants no pager, or memory ran out. Output is dropped while *stop is not 0. */
struct pager *pager_open(const volatile int *stop);
/* Returns the stream to print to. */
FILE *pager_stream(struct pager *pager);
/* Show output that was held back, before a message. */
void pager_show(struct pager *pager);
/* End the output of a command: flush out, which prints to the stream, and wait until the
 * user has left the pager. */
void pager_finish(struct pager *pager, FILE *out);
void pager_close(struct pager *pager);

#endif
