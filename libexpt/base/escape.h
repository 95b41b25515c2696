/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Escapes for text from experiments that is shown to people. UTF-8 passes unchanged.
 * Control characters, bytes that are not valid UTF-8, and characters that are invisible
 * or change the direction of text become escapes of three octal digits, "\033". So a name
 * can neither write to a terminal nor pass for a longer or a different one.
 */
#ifndef LIBEXPT_BASE_ESCAPE_H
#define LIBEXPT_BASE_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Returns the length of the first character of text, and its code in *character; 0: the
 * first byte does not begin valid UTF-8. */
size_t escape_character(const char *text, size_t length, uint32_t *character);
/* Returns the length of the first character if it may be shown; 0: escape the first
 * byte. */
size_t escape_length(const char *text, size_t length);
/* Whether text is nothing but the beginning of a character. */
bool escape_is_incomplete(const char *text, size_t length);
/* Print text with escapes, "\n" for a newline. quote, unless 0, is one more character to
 * precede with a backslash; the backslash itself is then doubled. */
void escape_put(FILE *to, const char *text, size_t length, char quote);

/* Keep text on one line of an escape_stream(): newlines and tabs are escaped, too.
 * Returns text itself if it has none of them, or else out, cut to its size. */
const char *escape_line(char *out, size_t size, const char *text);

/* Print to an escape_stream(), with escapes for newlines in the arguments. The format may
 * contain a newline only at its end. */
void escape_printf(FILE *to, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Returns a stream that escapes all but newlines and tabs, and passes the result on to
 * the other stream when it is flushed. Closing it leaves the other open. NULL: see
 * errno. */
FILE *escape_stream(FILE *to);

#endif
