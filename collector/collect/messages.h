/* SPDX-License-Identifier: Apache-2.0 */
/* Where collect's own messages go: to the file of -O, for as long as this process is
 * collect. */
#ifndef COLLECTOR_COLLECT_MESSAGES_H
#define COLLECTOR_COLLECT_MESSAGES_H

/* Messages go to the end of this file from here on: CLI_OK, or CLI_FAILED with the
 * message out. */
int messages_redirect(const char *path);
/* The program gets the standard error that collect was given. */
void messages_before_exec(void);
/* The program could not be executed: messages go to the file again. */
void messages_after_exec(void);

#endif
