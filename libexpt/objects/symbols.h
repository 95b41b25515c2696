/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The function table of one load object: which symbols count, how far a function reaches,
 * what its name is. The rules are gprofng's, so that both show the same rows, except
 * where a comment begins with "Better"; tests/libexpt/gprofng.t shows every kind of
 * difference.
 */
#ifndef LIBEXPT_OBJECTS_SYMBOLS_H
#define LIBEXPT_OBJECTS_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/base/arena.h"
#include "libexpt/elf/demangle.h"
#include "libexpt/elf/elf.h"
#include "libexpt/elf/symbols.h"
#include "libexpt/experiment/folder.h"

#define PLT_NAME "@plt"

struct symbol_table {
	struct elf_symbols
		symbols;   /* by offset; the names of one function side by side */
	uint64_t end;	   /* of the code in the image */
	uint64_t plt;	   /* where the PLT is, or UINT64_MAX */
	struct elf *debug; /* the debug file or description that some names came from, or
			      NULL */
};

/* Read the table of an object recorded under path, which helps to find its debug file, in
 * the directory archives or, where that is NULL, on this machine alone. Symbols point
 * into elf, which must live as long. description is the object's, or NULL: it comes
 * before the debug files of this machine, so that others show the same; it is taken over,
 * also on failure. */
int symbol_table_read(struct symbol_table *table, const struct elf *elf,
		      struct elf *description, const char *path,
		      const struct folder *archives, struct expt_error *err);
void symbol_table_release(struct symbol_table *table);

/* A function, or with count 0 the gap between two. */
struct symbol_range {
	uint64_t start, end; /* in the image; UINT64_MAX: a gap behind all code */
	size_t first, count; /* its names in the table */
	bool is_plt;
};

/* What is at an offset of the image. */
void symbol_find(const struct symbol_table *table, uint64_t offset,
		 struct symbol_range *range);

/* The name that wins among those of a function: in the table, and demangled (which is the
 * same where there is nothing to demangle; otherwise it is in the arena). */
struct symbol_name {
	const char *symbol, *long_form;
};
void symbol_choose(struct symbol_name *name, const struct symbol_table *table,
		   const struct symbol_range *range, struct demangler *demangler,
		   struct arena *arena);

#endif
