/* SPDX-License-Identifier: Apache-2.0 */
/* Line tables: the files that they name, and their rows. */
#ifndef LIBEXPT_DWARF_TABLE_H
#define LIBEXPT_DWARF_TABLE_H

#include "libexpt/dwarf/private.h"

struct dwarf_line {
	uint64_t address;
	uint32_t line;
	uint16_t file;
	unsigned column : 15, is_statement : 1;
};

/* Lines with ascending addresses; each reaches to the next, the last one to the end. */
struct dwarf_sequence {
	size_t first, count;
};

struct dwarf_file_entry {
	const char *name;
	uint64_t directory; /* index */
	const unsigned char *md5;
	const struct dwarf_path *path; /* once it was asked for */
};

struct dwarf_table {
	struct dwarf_encoding encoding;
	const char *base; /* the directory of the compilation, or NULL */
	uint64_t offset, end;
	struct {
		const char **items;
		size_t count, capacity;
	} directories;
	struct {
		struct dwarf_file_entry *items;
		size_t count, capacity;
	} files;
	unsigned first_file; /* number of the first one: 0 since version 5, then 1 */

	struct cursor program;
	unsigned step, line_range, opcode_base; /* of the program */
	int line_base;
	bool is_statement;
	const unsigned char *operand_counts; /* by standard opcode - 1 */

	bool has_lines; /* they have been read */
	struct {
		struct dwarf_line *items;
		size_t count, capacity;
	} lines;
	struct {
		struct dwarf_sequence *items;
		size_t count, capacity;
	} sequences;
	struct spans spans; /* of the sequences, by index */
};

/* Returns the table at an offset of the section, with its files, or NULL. base: the
 * directory of the compilation, or NULL. */
struct dwarf_table *dwarf_table_at(struct dwarf_file *file, uint64_t offset,
				   const char *base);
/* Returns the table of a unit, or of its skeleton, or NULL. */
struct dwarf_table *dwarf_unit_table(struct dwarf_unit *unit);
void dwarf_table_free(struct dwarf_table *table);
/* Returns the file with this number, or NULL. */
const struct dwarf_path *dwarf_table_path(struct dwarf_table *table, uint64_t number);

#endif
