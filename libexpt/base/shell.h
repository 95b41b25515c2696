/* SPDX-License-Identifier: Apache-2.0 */
/* Words for a shell on another host, and the words of a command that is run here without
 * one. */
#ifndef LIBEXPT_BASE_SHELL_H
#define LIBEXPT_BASE_SHELL_H

#include "libexpt/base/strbuf.h"

/* Append a blank, unless command is empty, and the word so that a POSIX shell reads it as
 * this one word. */
void shell_add_word(struct strbuf *command, const char *word);

/* The words of a command, separated by blanks; single and double quotes keep blanks, and
 * doubled in quotes of its kind a quote stands for itself. Nothing else is special. *out:
 * NULL-terminated, one block for free(). -EINVAL: a quote is not closed, or there is no
 * word. */
int shell_split(char ***out, const char *command);

#endif
