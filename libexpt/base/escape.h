/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text from experiments that is shown to people: UTF-8 passes as it is, and every byte that is a
 * control character, part of one, or no UTF-8 becomes an escape of three octal digits, "\033". A name
 * can then neither write to a terminal nor be mistaken for more than it is.
 */
#ifndef LIBEXPT_BASE_ESCAPE_H
#define LIBEXPT_BASE_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The bytes of the character that text begins with, if it may be shown; 0: the first byte may not. */
size_t escape_length(const char *text, size_t length);
/* Whether text is the beginning of a character that may be shown, and all there is of it. */
bool escape_is_cut(const char *text, size_t length);
/* Text with escapes, "\n" for the end of a line; quote: one more character that gets a backslash, and
 * then the backslash itself does, too; or 0. */
void escape_put(FILE *to, const char *text, size_t length, char quote);

/* Text that stays in its line on a stream as below: with escapes also for ends of lines and tabs, in out
 * and cut to its size; or text itself, if it has none of them. */
const char *escape_line(char *out, size_t size, const char *text);

/* A stream that escapes what is written to it, but for ends of lines and tabs, and passes it on to
 * the other when it is flushed. Closing it leaves the other open. NULL: see errno. */
FILE *escape_stream(FILE *to);

#endif
