/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of commands, from scripts or typed. */
#ifndef ER_PRINT_WORDS_H
#define ER_PRINT_WORDS_H

#include "er_print/session.h"

/* Cut a line into words, in place; the count, at most limit. */
int split_words(char *line, char **words, int limit);
/* Run the command in a line, if there is one. The line is changed. */
int run_line(struct session *session, char *line);

#endif
