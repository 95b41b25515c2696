/* SPDX-License-Identifier: Apache-2.0 */
/* DWARF read by hand, where libdw does not tell: what is there, and zeros behind the end.
 */
#ifndef LIBEXPT_ELF_CURSOR_H
#define LIBEXPT_ELF_CURSOR_H

#include <stdbool.h>
#include <stdint.h>

#include "libexpt/elf/private.h"

struct cursor {
	const unsigned char *at, *end;
	bool is_big_endian, failed;
};

/* At an offset of a section of the file. */
struct cursor cursor_at(const struct elf *elf, const Elf_Data *section, uint64_t offset);
/* The bytes that are passed over, or NULL. */
const unsigned char *cursor_skip(struct cursor *cursor, uint64_t size);
uint64_t cursor_number(struct cursor *cursor, unsigned size);
uint64_t cursor_leb128(struct cursor *cursor);
/* The length that a table or unit begins with; *offset_size becomes 4 or 8. */
uint64_t cursor_length(struct cursor *cursor, unsigned *offset_size);
/* A value of a DWARF form. Forms that have other sizes in other units are not known here.
 */
void cursor_skip_value(struct cursor *cursor, uint64_t form, unsigned offset_size);

#endif
