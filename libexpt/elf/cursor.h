/* SPDX-License-Identifier: Apache-2.0 */
/* DWARF read by hand, for what libdw does not provide. Past the end, everything is 0. */
#ifndef LIBEXPT_ELF_CURSOR_H
#define LIBEXPT_ELF_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cursor {
	const unsigned char *at, *end;
	bool is_big_endian, failed;
};

/* Returns a cursor at an offset in the bytes of a section. */
struct cursor cursor_in(const void *bytes, size_t size, uint64_t offset,
			bool is_big_endian);
/* Skip bytes, and return them or NULL. */
const unsigned char *cursor_skip(struct cursor *cursor, uint64_t size);
uint64_t cursor_number(struct cursor *cursor, unsigned size);
uint64_t cursor_leb128(struct cursor *cursor);
int64_t cursor_signed_leb128(struct cursor *cursor);
/* Skip a text and its NUL, and return it or NULL. Very long ones count as damaged. */
const char *cursor_text(struct cursor *cursor);
/* Read the length at the beginning of a table or unit; *offset_size becomes 4 or 8. */
uint64_t cursor_length(struct cursor *cursor, unsigned *offset_size);
/* Skip a value of a DWARF form. Forms whose size depends on the unit are not
 * supported. */
void cursor_skip_value(struct cursor *cursor, uint64_t form, unsigned offset_size);

#endif
