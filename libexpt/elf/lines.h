/* SPDX-License-Identifier: Apache-2.0 */
/* Source files that the DWARF line tables of a load object name. */
#ifndef LIBEXPT_ELF_LINES_H
#define LIBEXPT_ELF_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/base/arena.h"
#include "libexpt/base/idmap.h"
#include "libexpt/common/digest.h"
#include "libexpt/elf/elf.h"

struct line_file {
	const char
		*path; /* absolute, without empty and "." components; lives in the list */
	bool has_md5;  /* the table has the file's checksum */
	unsigned char md5[MD5_SIZE];
};

/* Source files, each path once, in the order of the tables. */
struct line_files {
	struct arena strings;
	struct idmap index;
	struct line_file *items;
	size_t count, capacity;
};

/* Places in the image of an object, ascending. */
struct line_places {
	const uint64_t *offsets;
	size_t count;
};

bool elf_has_lines(const struct elf *elf);

/* The files with the line tables of an object. */
struct line_tables {
	const struct elf *object;
	const struct elf *debug;  /* object itself, or its separate debug file */
	const struct elf *common; /* has what debug shares with others; or NULL */
};

/* Add the files in the line tables: all, or with places only those of the lines there,
 * and of the lines where their functions begin. Without tables nothing is added.
 * -EBADMSG: a table is damaged; files of those before it have been added. */
int elf_line_files(struct line_files *files, const struct line_tables *tables,
		   const struct line_places *places, struct expt_error *err);
void line_files_release(struct line_files *files);

#endif
