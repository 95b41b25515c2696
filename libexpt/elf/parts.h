/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a description while it is made: the object's sections and the added
 * ones. */
#ifndef LIBEXPT_ELF_PARTS_H
#define LIBEXPT_ELF_PARTS_H

#include "libexpt/elf/private.h"

struct part {
	Elf_Scn *source; /* in the object; NULL for added ones */
	const char *name;
	GElf_Shdr header; /* as in the object, later as written */
	uint64_t old_offset;
	bool is_kept;
};

struct description {
	const struct elf *object;
	struct part *parts; /* by section number */
	size_t count, own;  /* all, and the object's own */
	/* Section numbers of the added ones; 0: not present. */
	size_t identity, symbols, symbol_names;
	struct elf_separate separate;
	struct strbuf note;  /* the identity */
	struct strbuf names; /* section names, with the added ones */
	uint64_t end;	     /* of the layout so far */
	struct elf_image image;
};

/* Count the sections of the description, and give numbers to the added ones. */
int elf_parts_number(struct description *description, struct expt_error *err);
/* Read the section headers of the object, and choose the sections that keep their
 * bytes. */
int elf_parts_read(struct description *description, struct expt_error *err);

#endif
