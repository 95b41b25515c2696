/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes as hexadecimal digits, two per byte: written in lower case, read in either. */
#ifndef LIBEXPT_BASE_HEX_H
#define LIBEXPT_BASE_HEX_H

#include <stdbool.h>
#include <stddef.h>

int hex_value(char digit); /* 0 to 15; -1: not a hex digit */
/* Write 2 * count digits and a NUL. */
void hex_text(char *text, const void *bytes, size_t count);
/* Read 2 * count digits, and ignore whatever follows. False: there are fewer. */
bool hex_parse(void *bytes, size_t count, const char *text);

#endif
