/* SPDX-License-Identifier: Apache-2.0 */
/* The source lines of a method's code. Source: The Java Virtual Machine Specification,
 * 4.7.12: a method may have several tables, in any order. */
#ifndef LIBEXPT_BYTECODE_LINE_TABLES_H
#define LIBEXPT_BYTECODE_LINE_TABLES_H

#include <stdint.h>

#include "libexpt/bytecode/class_file.h"

struct line_tables {
	const struct class_file *file;
	const unsigned char *at, *end; /* attributes that were not read yet */
	unsigned attributes;
	const unsigned char *entries; /* of the current table */
	unsigned entry_count;
};

void line_tables_begin(struct line_tables *tables, const struct class_file *file,
		       const struct class_code *code);
/* Get the next entry; false: there are no more. */
bool line_tables_next(struct line_tables *tables, uint32_t *offset, uint32_t *line);

#endif
