/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a description while it is made: the sections of the object, and those that
 * are added. */
#ifndef LIBEXPT_ELF_PARTS_H
#define LIBEXPT_ELF_PARTS_H

#include "libexpt/elf/private.h"

struct part {
	Elf_Scn *source; /* in the object; NULL for what we add */
	const char *name;
	GElf_Shdr header; /* as in the object, then as it will be written */
	uint64_t old_offset;
	bool is_kept;
};

struct description {
	const struct elf *object;
	struct part *parts; /* by section number */
	size_t count, own;  /* all, and those of the object */
	/* What we add, by section number; 0: not there. */
	size_t identity, symbols, symbol_names;
	struct elf_separate separate;
	struct strbuf note;  /* the identity */
	struct strbuf names; /* the section names, with those of what we add */
	uint64_t end;	     /* of what is laid out so far */
	struct elf_image image;
};

/* Count the sections that there will be, and give numbers to those that are added. */
int elf_parts_number(struct description *description, struct expt_error *err);
/* Read the section headers of the object, and choose the sections whose bytes are kept. */
int elf_parts_read(struct description *description, struct expt_error *err);

#endif
