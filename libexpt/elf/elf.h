/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Properties of an ELF file, read through libelf: identity, and where its code is.
 *
 * Files are read, never mapped: if one is cut off while it is read, that is an error, not
 * a signal. All their fields are checked against the size of the file.
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
/* Give the file's descriptor back. All that was read stays, and nothing more is read. */
void elf_finish(struct elf *elf);

const char *elf_build_id(const struct elf *elf);		 /* hex, or "" */
const char *elf_debuglink(const struct elf *elf, uint32_t *crc); /* base name, or NULL */
/* Returns the path in .gnu_debugaltlink, or NULL, and the build-id of the file there. */
const char *elf_debugaltlink(const struct elf *elf, const char **build_id);
bool elf_has_sections(const struct elf *elf);

/* Experiments use image offsets: the place in the file that an address was mapped from.
 * None is larger than INT64_MAX. */
uint64_t elf_code_end(const struct elf *elf); /* of the last executable segment, or 0 */
bool elf_image_offset(const struct elf *elf, uint64_t address, uint64_t *offset);
bool elf_image_address(const struct elf *elf, uint64_t offset, uint64_t *address);
/* Get the range of a section by name: ".plt". False: there is none. */
bool elf_section(const struct elf *elf, const char *name, uint64_t *offset,
		 uint64_t *size);

unsigned elf_machine(const struct elf *elf); /* one of elf.h's EM_ */

/* Returns the bytes of code in the file from an offset of the image on, at most limit; 0:
 * there is none, as in description files. */
size_t elf_code_size(const struct elf *elf, uint64_t offset, uint64_t limit);
/* Read that many bytes. The file must not have been finished. */
int elf_read_code(const struct elf *elf, uint64_t offset, unsigned char *bytes,
		  size_t size, struct expt_error *err);

/* The note of a description file: which object it describes. */
struct elf_note {
	const char *path; /* as mapped */
	struct expt_identity identity;
};

/* Get the note of a description file; false: it has none. Strings live as long as elf. */
bool elf_described(const struct elf *elf, struct elf_note *note);

#endif
