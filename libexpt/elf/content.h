/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of debug sections, for readers that know nothing of ELF. */
#ifndef LIBEXPT_ELF_CONTENT_H
#define LIBEXPT_ELF_CONTENT_H

#include <stdbool.h>
#include <stddef.h>

#include "libexpt/elf/elf.h"

struct elf_content {
	const unsigned char *bytes; /* live as long as the elf */
	size_t size;		    /* 0: there is no such section */
};

/* Read debug sections, uncompressed, by their names: ".debug_info", each with that suffix
 * added. -EBADMSG: one is damaged, or they are implausibly large. */
int elf_contents(struct elf_content *out, const struct elf *elf, const char *const *names,
		 size_t count, const char *suffix, struct expt_error *err);
/* Whether the file has that debug section, perhaps compressed, and its bytes. */
bool elf_has_content(const struct elf *elf, const char *name);
bool elf_is_big_endian(const struct elf *elf);

#endif
