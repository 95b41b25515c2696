/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text from experiments that is shown to people: UTF-8 passes as it is, and every byte
 * that is a control character, part of one, or no UTF-8 becomes an escape of three octal
 * digits, "\033". So does what turns the direction of text round, and what cannot be
 * seen. A name can then neither write to a terminal nor be mistaken for more than it is,
 * or for another.
 */
#ifndef LIBEXPT_BASE_ESCAPE_H
#define LIBEXPT_BASE_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The bytes of the character that text begins with, and which it is; 0: the first byte is
 * no UTF-8. */
size_t escape_character(const char *text, size_t length, uint32_t *character);
/* The same, if it may be shown; 0: the first byte may not. */
size_t escape_length(const char *text, size_t length);
/* Whether text is the beginning of a character that may be shown, and all there is of it.
 */
bool escape_is_cut(const char *text, size_t length);
/* Text with escapes, "\n" for the end of a line; quote: one more character that gets a
 * backslash, and then the backslash itself does, too; or 0. */
void escape_put(FILE *to, const char *text, size_t length, char quote);

/* Text that stays in its line on a stream as below: with escapes also for ends of lines
 * and tabs, in out and cut to its size; or text itself, if it has none of them. */
const char *escape_line(char *out, size_t size, const char *text);

/* Print to a stream as below, with escapes for ends of lines in the arguments: the format
 * has none but at its end. */
void escape_printf(FILE *to, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* A stream that escapes what is written to it, but for ends of lines and tabs, and passes
 * it on to the other when it is flushed. Closing it leaves the other open. NULL: see
 * errno. */
FILE *escape_stream(FILE *to);

#endif
