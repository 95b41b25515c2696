/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of a table. */
#ifndef LIBEXPT_DWARF_LINES_H
#define LIBEXPT_DWARF_LINES_H

#include "libexpt/dwarf/table.h"

/* Run the program of the table, once, for its lines. 0 or -ENOMEM; a damaged program ends
 * early. */
int dwarf_lines_read(struct dwarf_table *table);
/* Returns the line at an address, or NULL. */
const struct dwarf_line *dwarf_line_at(const struct dwarf_table *table, uint64_t address);

#endif
