/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers and texts of output that programs read. Numbers are written by hand, because
 * most of the output is made of them. */
#ifndef LIBEXPT_CLI_WRITE_H
#define LIBEXPT_CLI_WRITE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

void write_number(FILE *out, uint64_t value);
void write_signed(FILE *out, int64_t value);
/* Nanoseconds with a unit's digits after the point: 9 for seconds, 6 for milliseconds. */
void write_fraction(FILE *out, uint64_t ns, int digits);
/* "0x" and at least so many digits. */
void write_hex(FILE *out, uint64_t value, int digits);
/* Write the inside of a JSON string: a byte that is not UTF-8 becomes U+FFFD, and a
 * hidden character its number, which means the same to programs. */
void write_json(FILE *out, const char *text, size_t length);
/* The same in quotes, of text that ends with a NUL. */
void write_json_text(FILE *out, const char *text);
/* Write text on one line, with the escapes of er_export --text; these characters are
 * escaped, too, and one, unless it is 0, is doubled. */
void write_line(FILE *out, const char *text, const char *escaped, char doubled);

#endif
