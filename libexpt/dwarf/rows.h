/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of a range of code. */
#ifndef LIBEXPT_DWARF_ROWS_H
#define LIBEXPT_DWARF_ROWS_H

#include "libexpt/dwarf/dwarf.h"

/* Code from an image offset up to that of the next row. */
struct dwarf_row {
	uint64_t offset;
	const struct dwarf_path *path; /* NULL: no line is known from here on */
	uint32_t line, column;
	bool is_statement; /* a debugger would stop here */
};

struct dwarf_rows {
	struct dwarf_row *items;
	size_t count, capacity;
};

/* Add the rows of a range of image offsets, in order. 0 or -ENOMEM. */
int dwarf_read_rows(struct dwarf_rows *rows, struct dwarf *dwarf, uint64_t start,
		    uint64_t end);

#endif
