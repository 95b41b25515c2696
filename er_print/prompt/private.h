/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of the commands in commands.c. words[0] is the name as given. They return
 * -1 if the command failed, which has been reported. */
#ifndef ER_PRINT_PROMPT_PRIVATE_H
#define ER_PRINT_PROMPT_PRIVATE_H

#include "er_print/session/session.h"

int run_procstats(struct session *session, int count, char **words);
int run_help(struct session *session, int count, char **words);
int run_script(struct session *session, int count, char **words);
int run_version(struct session *session, int count, char **words);
int run_quit(struct session *session, int count, char **words);

#endif
