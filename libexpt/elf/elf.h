/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What we need to know of an ELF file, through libelf: identity, and where code is.
 *
 * Files are read, never mapped: one that is cut off meanwhile gives an error, not a
 * signal. All that stands in them is checked against the size of the file.
 */
#ifndef LIBEXPT_ELF_ELF_H
#define LIBEXPT_ELF_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/expt.h"

struct elf; /* an open ELF file */

/* Takes over fd, also on failure. -EBADMSG: not ELF, or damaged. */
int elf_open(struct elf **out, int fd, struct expt_error *err);
void elf_close(struct elf *elf);
/* Reads nothing more from the file and gives its descriptor back; what was read stays. */
void elf_finish(struct elf *elf);

const char *elf_build_id(const struct elf *elf);		 /* hex, or "" */
const char *elf_debuglink(const struct elf *elf, uint32_t *crc); /* base name, or NULL */
/* Of .gnu_debugaltlink: a path, or NULL, and the build-id of what is there. */
const char *elf_debugaltlink(const struct elf *elf, const char **build_id);
bool elf_has_sections(const struct elf *elf);

/* Experiments speak of image offsets: where in the file the segment of an address came
 * from. None is larger than INT64_MAX. */
uint64_t elf_code_end(const struct elf *elf); /* of the last executable segment, or 0 */
bool elf_image_offset(const struct elf *elf, uint64_t address, uint64_t *offset);
bool elf_image_address(const struct elf *elf, uint64_t offset, uint64_t *address);
/* The range of a section by name: ".plt". False if there is none. */
bool elf_section(const struct elf *elf, const char *name, uint64_t *offset,
		 uint64_t *size);

/* What a description file says of the object it describes. */
struct elf_identity {
	const char *path; /* as mapped */
	uint64_t size, mtime_ns;
	const char *build_id; /* hex or "" */
};

/* The identity note of a description file; false if it has none. Strings live as long as
 * elf. */
bool elf_described(const struct elf *elf, struct elf_identity *identity);

#endif
