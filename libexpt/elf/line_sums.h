/* SPDX-License-Identifier: Apache-2.0 */
/* The MD5 sums of source files in the head of a DWARF line table, which libdw ignores. */
#ifndef LIBEXPT_ELF_LINE_SUMS_H
#define LIBEXPT_ELF_LINE_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/common/digest.h"
#include "libexpt/elf/cursor.h"
#include "libexpt/elf/private.h"

/* The head, as far as the files depend on it. */
struct line_head {
	unsigned version, offset_size;
	struct cursor cursor; /* version 5: at the format of the directories */
};

/* Read the head of the table at an offset in the section .debug_line. */
void line_head_read(struct line_head *head, const struct elf *elf,
		    const Elf_Data *section, uint64_t offset);
/* Find the sum of each of count files, in order; NULL for none. False: the table has
 * none. */
bool line_head_sums(const unsigned char **sums, size_t count, struct line_head *head);

#endif
