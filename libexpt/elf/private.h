/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of struct elf, for the files of this folder that use libelf. */
#ifndef LIBEXPT_ELF_PRIVATE_H
#define LIBEXPT_ELF_PRIVATE_H

#include <gelf.h>

#include "libexpt/base/strbuf.h"
#include "libexpt/elf/describe.h"
#include "libexpt/elf/elf.h"
#include "libexpt/elf/symbols.h"

struct elf {
	Elf *handle;
	int fd;
	uint64_t data_size; /* of the file, without holes */
	GElf_Ehdr header;
	size_t section_names; /* index of the section, or 0 */
	GElf_Phdr *segments;
	size_t segment_count;
	char *build_id, *debuglink;
	uint32_t debuglink_crc;
	char *debugaltlink, *debugaltlink_id;
	char *described; /* the text of the identity note; its strings are cut out of it */
	struct elf_identity identity;
};

/* No table that we load is larger: a sparse file may claim anything. */
#define ELF_TABLE_LIMIT ((uint64_t)1 << 30)

/* The header and name of a section; a nameless or damaged name is "". */
bool elf_section_header(const struct elf *elf, Elf_Scn *section, GElf_Shdr *header,
			const char **name);
/* The section of that name, if it has content of a size that we load; or NULL. */
Elf_Scn *elf_find_section(const struct elf *elf, const char *name);
/* libelf's last words about a file, as -EBADMSG, or -ENOMEM if that was it. */
int elf_fail(struct expt_error *err, const char *what);

/* bounds.c: -EBADMSG if a file would take more memory than is credible for its size. */
/* Before libelf sees it, which allocates for every section. Sets the data size. */
int elf_check_file(struct elf *elf, struct expt_error *err);
/* Once it is open: of all sections that may be loaded as they are. */
int elf_check_sections(const struct elf *elf, struct expt_error *err);
/* Before anything is decompressed: of all sections, as libdw takes them. */
int elf_check_unpacked(const struct elf *elf, struct expt_error *err);

/* describe_symbols.c: a symbol table from the separate debug file of an object that has
 * none. */
struct elf_separate {
	const char
		*section; /* the name for the table, or NULL: there is nothing to add */
	struct {
		GElf_Sym *items;
		size_t count, capacity;
	} symbols;
	struct strbuf names;
};

/* debug may be NULL: there is nothing to add. -ENOMEM. */
int elf_separate_read(struct elf_separate *separate, const struct elf *object,
		      const struct elf_debug *debug);
void elf_separate_release(struct elf_separate *separate);

/* image.c: an ELF file in memory, of the class and byte order of another one. */
struct elf_image {
	const struct elf *like;
	unsigned char *bytes;
};

/* Something native, a whole number of what libelf calls type, at an offset of the file. */
void elf_image_put(struct elf_image *image, uint64_t offset, Elf_Type type,
		   const void *native, size_t size);
void elf_image_put_header(struct elf_image *image, const GElf_Ehdr *header);
/* Entry i of a table that begins at an offset of the file. */
void elf_image_put_segment(struct elf_image *image, uint64_t table, size_t i,
			   const GElf_Phdr *segment);
void elf_image_put_section(struct elf_image *image, uint64_t table, size_t i,
			   const GElf_Shdr *header);
void elf_image_put_symbol(struct elf_image *image, uint64_t table, size_t i,
			  const GElf_Sym *symbol);

#endif
