/* SPDX-License-Identifier: Apache-2.0 */
/* The words of a line in a script or a settings file. */
#ifndef LIBEXPT_CLI_WORDS_H
#define LIBEXPT_CLI_WORDS_H

/* Split a line into words at blanks, in place. Single and double quotes keep blanks; in
 * them, a backslash takes the quote or backslash after it literally. A '#' at the start
 * of a word begins a comment. Returns the number of words, at most limit; any more are
 * dropped. -EINVAL: a quote is not closed. */
int words_split(char *line, char **words, int limit);

#endif
