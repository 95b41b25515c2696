/* SPDX-License-Identifier: Apache-2.0 */
/* Internals of struct elf, for the files of this folder that use libelf. */
#ifndef LIBEXPT_ELF_PRIVATE_H
#define LIBEXPT_ELF_PRIVATE_H

#include <gelf.h>

#include "libexpt/base/strbuf.h"
#include "libexpt/elf/cursor.h"
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
	char *described; /* text of the identity note, cut into its strings */
	struct elf_note note;
};

/* Larger tables are not loaded: a sparse file may claim any size. */
#define ELF_TABLE_LIMIT ((uint64_t)1 << 30)

/* Get the header and name of a section; the name is "" if it is missing or damaged. */
bool elf_section_header(const struct elf *elf, Elf_Scn *section, GElf_Shdr *header,
			const char **name);
/* Returns the section of that name if it has content and is not too large; or NULL. */
Elf_Scn *elf_find_section(const struct elf *elf, const char *name);
/* Report libelf's last error as -EBADMSG, or as -ENOMEM if memory ran out. */
int elf_fail(struct expt_error *err, const char *what);

/* symbols.c: a string table cut after its last NUL, so that every name in it is
 * terminated. */
struct elf_names {
	const char *text;
	size_t size;
};

/* Read the string table with an index; it is empty if it is damaged. 0 or -ENOMEM. */
int elf_read_names(struct elf_names *names, const struct elf *elf, size_t index);

static inline struct cursor cursor_at(const struct elf *elf, const Elf_Data *section,
				      uint64_t offset)
{
	return cursor_in(section->d_buf, section->d_size, offset,
			 elf->header.e_ident[EI_DATA] == ELFDATA2MSB);
}

/* bounds.c: -EBADMSG if a file would take more memory than is credible for its size. */
/* Check before libelf opens the file and allocates for every section. Sets data_size. */
int elf_check_file(struct elf *elf, struct expt_error *err);
/* Check all sections that may be loaded unchanged, once the file is open. */
int elf_check_sections(const struct elf *elf, struct expt_error *err);
/* Check all sections as libdw loads them, before any is decompressed. */
int elf_check_unpacked(const struct elf *elf, struct expt_error *err);

/* describe_symbols.c: a symbol table from the separate debug file of a stripped
 * object. */
struct elf_separate {
	const char *section; /* name of the table; NULL: there is nothing to add */
	struct {
		GElf_Sym *items;
		size_t count, capacity;
	} symbols;
	struct strbuf names;
};

/* Read the symbols of debug; NULL: there is nothing to add. 0 or -ENOMEM. */
int elf_separate_read(struct elf_separate *separate, const struct elf *object,
		      const struct elf_debug *debug);
void elf_separate_release(struct elf_separate *separate);

/* image.c: an ELF file in memory, of the class and byte order of another one. */
struct elf_image {
	const struct elf *like;
	unsigned char *bytes;
};

/* Put a native structure, a whole number of items of libelf's type, at an offset of the
 * file. */
void elf_image_put(struct elf_image *image, uint64_t offset, Elf_Type type,
		   const void *native, size_t size);
void elf_image_put_header(struct elf_image *image, const GElf_Ehdr *header);
/* Put entry i of a table that begins at an offset of the file. */
void elf_image_put_segment(struct elf_image *image, uint64_t table, size_t i,
			   const GElf_Phdr *segment);
void elf_image_put_section(struct elf_image *image, uint64_t table, size_t i,
			   const GElf_Shdr *header);
void elf_image_put_symbol(struct elf_image *image, uint64_t table, size_t i,
			  const GElf_Sym *symbol);

/* parts.c: the parts of a description while it is made: the object's sections and the
 * added ones. */
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
