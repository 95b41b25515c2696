/* SPDX-License-Identifier: Apache-2.0 */
/* Text in a buffer of fixed size; what exceeds it is cut off. */
#ifndef LIBEXPT_DISASSEMBLY_TEXT_H
#define LIBEXPT_DISASSEMBLY_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct text {
	char *buffer;
	size_t size, length;
};

/* Returns an empty text in the array. */
#define TEXT_IN(array) text_in((array), sizeof(array))

struct text text_in(char *buffer, size_t size);
void text_add(struct text *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Add a number in hexadecimal, with its sign: "-0x10". */
void text_add_number(struct text *text, int64_t number);

#endif
