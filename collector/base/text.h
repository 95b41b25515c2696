/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text made without stdio, for log.xml and map.xml and names. A text never overruns its
 * buffer: the excess is dropped and is_cut set.
 */
#ifndef COLLECTOR_BASE_TEXT_H
#define COLLECTOR_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
	char *start;
	size_t length, size; /* always length < size, and start[length] is 0 */
	bool is_cut;
};

#define TEXT_ON(buffer) text_on(buffer, sizeof(buffer))

struct text text_on(char *buffer, size_t size);
void text_add(struct text *text, const char *string);
void text_add_bytes(struct text *text, const char *bytes, size_t length);
void text_add_decimal(struct text *text, int64_t value);
/* Upper case, with leading zeros up to width digits; no 0x. */
void text_add_hex(struct text *text, uint64_t value, int width);
/* Two digits, lower case. */
void text_add_byte(struct text *text, unsigned char byte);
/* "seconds.nanoseconds", always nine digits. */
void text_add_time(struct text *text, uint64_t nanoseconds);
/* Escape for log.xml: entities, and %hh% for other bytes. */
void text_add_escaped(struct text *text, const char *string);
/* ' name="value"' */
void text_add_attribute(struct text *text, const char *name, const char *value);
void text_add_number(struct text *text, const char *name, int64_t value);

/* Parse the decimal digits at the start of string; *end is after them. Saturates. */
uint64_t text_parse_decimal(const char *string, const char **end);

#endif
