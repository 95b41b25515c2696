/* SPDX-License-Identifier: Apache-2.0 */
/* Words for a shell on another host, and the words of a local command, run without a
 * shell. */
#ifndef LIBEXPT_BASE_SHELL_H
#define LIBEXPT_BASE_SHELL_H

#include "libexpt/base/strbuf.h"

/* Append the word, after a blank unless command is empty, so that a POSIX shell reads it
 * as one word. */
void shell_add_word(struct strbuf *command, const char *word);

/* Split a command into words at blanks. Single and double quotes keep blanks; a doubled
 * quote inside quotes of its kind is a literal quote. Nothing else is special. *out is
 * NULL-terminated, one block for free(). -EINVAL: a quote is not closed, or there is no
 * word. */
int shell_split(char ***out, const char *command);

#endif
