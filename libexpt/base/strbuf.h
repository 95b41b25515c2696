/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A string that grows. Invariants: text is NULL or NUL-terminated at text[length]. A
 * failed allocation leaves the buffer unchanged and sets failed, so that a chain of
 * appends is checked once, at its end.
 */
#ifndef LIBEXPT_BASE_STRBUF_H
#define LIBEXPT_BASE_STRBUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct strbuf {
	char *text;
	size_t length, capacity;
	bool failed;
};

/* clang-format off */
#define STRBUF_INIT	{ 0 }
/* clang-format on */
#define cleanup_strbuf __attribute__((__cleanup__(strbuf_release)))

void strbuf_release(struct strbuf *buffer);
void strbuf_clear(struct strbuf *buffer); /* keeps the memory */
bool strbuf_reserve(struct strbuf *buffer, size_t more);
void strbuf_add(struct strbuf *buffer, const void *bytes, size_t length);
void strbuf_add_text(struct strbuf *buffer, const char *text);
void strbuf_add_char(struct strbuf *buffer, char c);
void strbuf_printf(struct strbuf *buffer, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void strbuf_vprintf(struct strbuf *buffer, const char *format, va_list arguments)
	__attribute__((format(printf, 2, 0)));
const char *strbuf_text(const struct strbuf *buffer); /* never NULL */
/* Returns the text, now the caller's, and empties the buffer; NULL if an append
 * failed. */
char *strbuf_steal(struct strbuf *buffer);

#endif
