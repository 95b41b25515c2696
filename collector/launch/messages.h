/* SPDX-License-Identifier: Apache-2.0 */
/* Destination of collect's own messages: the file of -O, as long as this process is
 * collect. */
#ifndef COLLECTOR_LAUNCH_MESSAGES_H
#define COLLECTOR_LAUNCH_MESSAGES_H

/* Append messages to this file from here on. Returns CLI_OK, or CLI_FAILED with a message
 * printed. */
int messages_redirect(const char *path);
/* Restore the standard error that collect was given, for the program. */
void messages_before_exec(void);
/* The program could not be executed: send messages to the file again. */
void messages_after_exec(void);
/* The reader of our messages may be gone, which must not keep us from recording, nor
 * reach the program. */
void messages_survive_broken_pipes(void);

#endif
