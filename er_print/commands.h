/* SPDX-License-Identifier: Apache-2.0 */
/* The table of commands. */
#ifndef ER_PRINT_COMMANDS_H
#define ER_PRINT_COMMANDS_H

#include "er_print/session.h"

/* Run one command given as words; -1 if it is unknown or failed. */
int command_run(struct session *session, int count, char **words);
/* How many words, the command's own included, belong to the command line's command at
 * words[0]. Negative if there is no such command, which has then been reported. */
int command_length(char **words);

#endif
