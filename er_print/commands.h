/* SPDX-License-Identifier: Apache-2.0 */
/* The table of commands. */
#ifndef ER_PRINT_COMMANDS_H
#define ER_PRINT_COMMANDS_H

#include "er_print/session.h"

/* Run one command given as words; -1 if it is unknown or failed. */
int command_run(struct session *session, int count, char **words);
/* Returns the number of words that belong to the command at words[0] of the command line,
 * its name included. Negative if there is no such command, which has been reported. */
int command_length(char **words);

#endif
