/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of commands, from scripts or typed. */
#ifndef ER_PRINT_SCRIPT_H
#define ER_PRINT_SCRIPT_H

#include "er_print/session.h"

/* Split a line into words, in place; returns their count, at most limit. */
int split_words(char *line, char **words, int limit);
/* Runs a command given as words: command_run(), passed because it calls run_script() in
 * turn. */
typedef int script_command(struct session *session, int count, char **words);

/* Run the command in a line, if there is one. The line is modified. */
int run_line(struct session *session, char *line, script_command *run);
/* Run the commands of a file or a stream. */
int run_script(struct session *session, const char *path, script_command *run);
int run_stream(struct session *session, FILE *stream, const char *name,
	       script_command *run);

#endif
