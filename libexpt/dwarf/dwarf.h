/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Source positions of addresses, from the debug data of a load object: DWARF 2 to 5, also
 * split. libdw is not used: it opens whatever files the data name, cannot read packages
 * of split units, and searches a unit from its beginning for every address. Each part of
 * the data is read when it is first needed, and kept.
 */
#ifndef LIBEXPT_DWARF_DWARF_H
#define LIBEXPT_DWARF_DWARF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/common/digest.h"
#include "libexpt/elf/elf.h"
#include "libexpt/elf/split.h"

struct dwarf;

/* The files with the debug data of an object. Those found are taken over. */
struct dwarf_sources {
	const struct elf *object; /* stays the caller's, and must live longer */
	struct elf *debug;	  /* another handle of the object, or its debug file */
	struct elf *common;	  /* shared by several debug files (dwz), or NULL */
	bool has_locations;	  /* read where variables are, too: large sections */
	/* Find the package with the units, or the file of one of them; NULL: there is
	 * none. */
	struct elf *(*find_package)(void *context, const struct split_units *units);
	struct elf *(*find_unit)(void *context, const struct split_unit *unit);
	void *context;
};

/* -EBADMSG: the debug data are damaged as a whole. Damage in one part only hides it. */
int dwarf_open(struct dwarf **out, const struct dwarf_sources *sources,
	       struct expt_error *err);
void dwarf_close(struct dwarf *dwarf);

/* A source file: the same pointer for the same path. */
struct dwarf_path {
	const char *path; /* absolute if that is known, without empty and "." parts */
	bool has_md5;
	unsigned char md5[MD5_SIZE];
};

/* Returns the file of this path among those that positions and rows have named so far, or
 * NULL. */
const struct dwarf_path *dwarf_find_path(const struct dwarf *dwarf, const char *path);

/* A function of the source: the same pointer for all its instances, in all units. */
struct dwarf_function {
	const char *name;	       /* as the linker knows it, or plain; never NULL */
	const struct dwarf_path *path; /* of its definition, or NULL */
	uint32_t line;
	size_t index; /* counts the functions met so far */
};

struct dwarf_position {
	const struct dwarf_path *path;	       /* NULL: not known */
	uint32_t line, column;		       /* 0: not known */
	const struct dwarf_function *function; /* or NULL */
};

/* Find the positions of an image offset, innermost first: each but the last is in a
 * function inlined into that of the next. Returns their number; 0: nothing is known. */
size_t dwarf_positions(struct dwarf *dwarf, uint64_t offset,
		       const struct dwarf_position **positions);

#endif
