/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes as hexadecimal digits, two for each byte. Written in lower case, read in either.
 */
#ifndef LIBEXPT_BASE_HEX_H
#define LIBEXPT_BASE_HEX_H

#include <stdbool.h>
#include <stddef.h>

int hex_value(char digit); /* 0 to 15; -1: it is none */
/* Writes 2 * count digits and a NUL. */
void hex_text(char *text, const void *bytes, size_t count);
/* Reads 2 * count digits, whatever stands behind them. False: there are fewer. */
bool hex_parse(void *bytes, size_t count, const char *text);

#endif
