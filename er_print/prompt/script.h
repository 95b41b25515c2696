/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of commands, from scripts or typed. */
#ifndef ER_PRINT_PROMPT_SCRIPT_H
#define ER_PRINT_PROMPT_SCRIPT_H

#include "er_print/session/session.h"

/* Run the command in a line, if there is one. The line is modified. */
int run_line(struct session *session, char *line);
/* Run the commands of a stream. */
int run_stream(struct session *session, FILE *stream, const char *name);

#endif
