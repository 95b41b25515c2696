/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/base/strbuf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void strbuf_release(struct strbuf *buffer)
{
	free(buffer->text);
	*buffer = (struct strbuf)STRBUF_INIT;
}

void strbuf_clear(struct strbuf *buffer)
{
	buffer->length = 0;
	buffer->failed = false;
	if (buffer->text)
		buffer->text[0] = '\0';
}

bool strbuf_reserve(struct strbuf *buffer, size_t more)
{
	size_t needed, capacity = buffer->capacity ? buffer->capacity : 64;
	char *text;

	if (__builtin_add_overflow(buffer->length, more, &needed) ||
	    __builtin_add_overflow(needed, 1, &needed))
		goto fail;
	if (needed <= buffer->capacity)
		return true;
	while (capacity < needed)
		if (__builtin_mul_overflow(capacity, 2, &capacity))
			goto fail;
	text = realloc(buffer->text, capacity);
	if (!text)
		goto fail;
	text[buffer->length] = '\0';
	buffer->text = text;
	buffer->capacity = capacity;
	return true;
fail:
	buffer->failed = true;
	return false;
}

void strbuf_add(struct strbuf *buffer, const void *bytes, size_t length)
{
	if (length == 0 || !strbuf_reserve(buffer, length))
		return;
	memcpy(buffer->text + buffer->length, bytes, length);
	buffer->length += length;
	buffer->text[buffer->length] = '\0';
}

void strbuf_add_text(struct strbuf *buffer, const char *text)
{
	strbuf_add(buffer, text, strlen(text));
}

void strbuf_add_char(struct strbuf *buffer, char c)
{
	strbuf_add(buffer, &c, 1);
}

void strbuf_vprintf(struct strbuf *buffer, const char *format, va_list arguments)
{
	va_list again;
	int length;

	va_copy(again, arguments);
	length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	if (length < 0) {
		buffer->failed = true;
		return;
	}
	if (!strbuf_reserve(buffer, (size_t)length))
		return;
	vsnprintf(buffer->text + buffer->length, (size_t)length + 1, format, arguments);
	buffer->length += (size_t)length;
}

void strbuf_printf(struct strbuf *buffer, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	strbuf_vprintf(buffer, format, arguments);
	va_end(arguments);
}

const char *strbuf_text(const struct strbuf *buffer)
{
	return buffer->text ? buffer->text : "";
}

char *strbuf_steal(struct strbuf *buffer)
{
	char *text;

	if (buffer->failed) {
		strbuf_release(buffer);
		return NULL;
	}
	text = buffer->text ? buffer->text : strdup("");
	*buffer = (struct strbuf)STRBUF_INIT;
	return text;
}
