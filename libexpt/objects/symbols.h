/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The function table of one load object: which symbols count, how far a function reaches,
 * and its name. The rules are gprofng's, so that both show the same rows, except where a
 * comment begins with "Better"; tests/libexpt/gprofng.t shows every kind of difference.
 */
#ifndef LIBEXPT_OBJECTS_SYMBOLS_H
#define LIBEXPT_OBJECTS_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/base/arena.h"
#include "libexpt/elf/elf.h"
#include "libexpt/elf/symbols.h"
#include "libexpt/experiment/folder.h"
#include "libexpt/names/demangle.h"

#define PLT_NAME "@plt" /* after the name of a stub's target */

struct symbol_table {
	struct elf_symbols symbols; /* by offset; names of one function are adjacent */
	uint64_t end;		    /* of the code in the image */
	struct elf
		*debug; /* source of some names, a debug file or description, or NULL */
};

/* Where debug files are looked up, besides on this machine. */
struct symbol_places {
	const struct folder *archives;	    /* or NULL */
	const struct expt_fetcher *fetcher; /* or NULL */
};

/* Read the table of an object recorded under path, by which its debug file is found.
 * Symbols point into elf, which must outlive the table. description is the object's, or
 * NULL. It takes precedence over debug files of this machine, so that the result is the
 * same elsewhere; it is taken over, also on failure. places may be NULL. */
int symbol_table_read(struct symbol_table *table, const struct elf *elf,
		      struct elf *description, const char *path,
		      const struct symbol_places *places, struct expt_error *err);
void symbol_table_release(struct symbol_table *table);

/* A function, or, with count 0, the gap between two. */
struct symbol_range {
	uint64_t start, end; /* in the image; UINT64_MAX: a gap after all code */
	size_t first, count; /* its names in the table */
	bool is_plt;	     /* a stub; the only name is that of its target */
};

/* Get the function or gap at an offset of the image. */
void symbol_find(const struct symbol_table *table, uint64_t offset,
		 struct symbol_range *range);

/* The preferred name of a function: as in the table, and demangled (the same pointer if
 * there is nothing to demangle, otherwise in the arena). */
struct symbol_name {
	const char *symbol, *long_form;
};
void symbol_choose(struct symbol_name *name, const struct symbol_table *table,
		   const struct symbol_range *range, struct demangler *demangler,
		   struct arena *arena);

#endif
