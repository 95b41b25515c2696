/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/disassembly/text.h"

#include <stdarg.h>
#include <stdio.h>

struct text text_in(char *buffer, size_t size)
{
	buffer[0] = '\0';
	return (struct text){ .buffer = buffer, .size = size };
}

void text_add(struct text *text, const char *format, ...)
{
	size_t room = text->size - text->length;
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(text->buffer + text->length, room, format, arguments);
	va_end(arguments);
	if (length > 0)
		text->length += (size_t)length < room ? (size_t)length : room - 1;
}

void text_add_number(struct text *text, int64_t number)
{
	uint64_t size = number < 0 ? -(uint64_t)number : (uint64_t)number;

	text_add(text, "%s0x%llx", number < 0 ? "-" : "", (unsigned long long)size);
}
