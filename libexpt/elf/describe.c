/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Description files: load objects without their code and data. Section numbers, names and
 * addresses stay, so that symbols keep their meaning; program headers keep address,
 * offset and memory size, so that image offsets do. Sections that lose their bytes become
 * NOBITS, and segments get a file size of 0. expt(5) describes the result.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/common/error.h"
#include "libexpt/elf/describe.h"
#include "libexpt/elf/private.h"
#include "libexpt/format.h"

/* Page alignment is the most that a section without bytes can sensibly require. */
#define ALIGNMENT_MAX 65536

static void description_release(struct description *description)
{
	free(description->image.bytes);
	free(description->parts);
	elf_separate_release(&description->separate);
	strbuf_release(&description->names);
	strbuf_release(&description->note);
}

/* ---- the identity and the section names -------------------------------------------- */

static void pad(struct strbuf *buffer)
{
	while (buffer->length % 4 != 0 && !buffer->failed)
		strbuf_add_char(buffer, '\0');
}

/* The header is in native byte order: elf_image_put() converts it if the file's
 * differs. */
static void write_identity(struct strbuf *note, const struct elf_note *described)
{
	Elf32_Nhdr header = { .n_namesz = sizeof(IDENTITY_NOTE_OWNER),
			      .n_type = IDENTITY_NOTE_TYPE };
	size_t start;

	strbuf_add(note, &header, sizeof(header));
	strbuf_add(note, IDENTITY_NOTE_OWNER, sizeof(IDENTITY_NOTE_OWNER));
	pad(note);
	start = note->length;
	strbuf_printf(note, "size %llu\nmtime_ns %llu\nbuild-id %s\npath %s",
		      (unsigned long long)described->identity.size,
		      (unsigned long long)described->identity.mtime_ns,
		      described->identity.build_id, described->path);
	strbuf_add_char(note, '\0');
	header.n_descsz = (Elf32_Word)(note->length - start);
	pad(note);
	if (!note->failed)
		memcpy(note->text, &header, sizeof(header));
}

static void add_part(struct description *description, size_t i, const char *name,
		     GElf_Shdr header)
{
	struct part *part = &description->parts[i];

	part->name = name;
	part->header = header;
	part->is_kept = true;
	/* Without section headers there is no section of names. */
	if (description->object->section_names == 0)
		return;
	part->header.sh_name = (GElf_Word)description->names.length;
	strbuf_add(&description->names, name, strlen(name) + 1);
}

static void add_parts(struct description *description)
{
	const struct elf_separate *separate = &description->separate;
	size_t symbol = gelf_fsize(description->object->handle, ELF_T_SYM, 1, EV_CURRENT);
	size_t count = separate->symbols.count;

	if (description->symbols) {
		add_part(description, description->symbols, separate->section,
			 (GElf_Shdr){ .sh_type = SHT_SYMTAB,
				      .sh_size = count * symbol,
				      .sh_link = (GElf_Word)description->symbol_names,
				      .sh_info = (GElf_Word)count,
				      .sh_entsize = symbol,
				      .sh_addralign = 8 });
		add_part(description, description->symbol_names, SEPARATE_STRTAB_SECTION,
			 (GElf_Shdr){ .sh_type = SHT_STRTAB,
				      .sh_size = separate->names.length,
				      .sh_addralign = 1 });
	}
	add_part(description, description->identity, IDENTITY_NOTE_SECTION,
		 (GElf_Shdr){ .sh_type = SHT_NOTE,
			      .sh_size = description->note.length,
			      .sh_addralign = 4 });
}

/* Write the object's section names, followed by those of the added sections. */
static int write_names(struct description *description)
{
	struct part *part = &description->parts[description->object->section_names];
	Elf_Data *data = NULL;

	if (part->is_kept && part->header.sh_size <= ELF_TABLE_LIMIT)
		data = elf_rawdata(part->source, NULL);
	if (data && data->d_buf)
		strbuf_add(&description->names, data->d_buf, data->d_size);
	add_parts(description);
	if (part->is_kept)
		part->header.sh_size = description->names.length;
	return description->names.failed ? -ENOMEM : 0;
}

/* ---- layout ------------------------------------------------------------------------ */

static uint64_t align_up(uint64_t offset, uint64_t alignment)
{
	return (offset + alignment - 1) & ~(alignment - 1);
}

static void place_part(struct description *description, struct part *part)
{
	GElf_Shdr *header = &part->header;

	if (header->sh_addralign == 0 || header->sh_addralign > ALIGNMENT_MAX ||
	    (header->sh_addralign & (header->sh_addralign - 1)) != 0)
		header->sh_addralign = 1;
	if (part->is_kept) {
		description->end = align_up(description->end, header->sh_addralign);
		header->sh_offset = description->end;
		description->end += header->sh_size;
		return;
	}
	if (header->sh_type == SHT_NULL) /* unused, but its fields confuse readers */
		*header = (GElf_Shdr){ .sh_name = header->sh_name, .sh_addralign = 1 };
	else
		header->sh_type = SHT_NOBITS;
	/* Allocated sections keep their size; the others become empty. */
	header->sh_offset = description->end;
	header->sh_flags &= ~(GElf_Xword)SHF_COMPRESSED;
	if (!(header->sh_flags & SHF_ALLOC))
		header->sh_size = 0;
}

/* A damaged header may claim any size: compare it with the file's. */
static int check_size(const struct part *part, uint64_t file_size, struct expt_error *err)
{
	if (!part->is_kept || !part->source || part->header.sh_size == 0)
		return 0;
	if (part->header.sh_size > ELF_TABLE_LIMIT)
		return expt_refuse(err, -EBADMSG, "section '%s' is too large",
				   part->name);
	if (part->old_offset > file_size ||
	    part->header.sh_size > file_size - part->old_offset)
		return expt_refuse(err, -EBADMSG, "section '%s' is truncated",
				   part->name);
	return 0;
}

static int place_parts(struct description *description, struct expt_error *err)
{
	const struct elf *object = description->object;
	struct stat status;

	if (fstat(object->fd, &status) < 0)
		return expt_fail(err, -errno, "cannot create a description");
	description->end =
		gelf_fsize(object->handle, ELF_T_EHDR, 1, EV_CURRENT) +
		gelf_fsize(object->handle, ELF_T_PHDR, object->segment_count, EV_CURRENT);
	for (size_t i = 1; i < description->count; i++) {
		struct part *part = &description->parts[i];
		/* The section of names has grown by the added ones. */
		int rc = i == object->section_names
				 ? 0
				 : check_size(part, (uint64_t)status.st_size, err);

		if (rc < 0)
			return rc;
		place_part(description, part);
		if (description->end > ELF_TABLE_LIMIT)
			return expt_refuse(err, -EBADMSG, "sections are too large");
	}
	description->end = align_up(description->end, 8);
	return 0;
}

/* Make segments of notes and unwind tables follow their sections, if these are still
 * contiguous. */
static bool follow_sections(const struct description *description, GElf_Phdr *segment)
{
	const struct part *first = NULL;
	uint64_t covered = 0;

	for (size_t i = 1; i < description->own; i++) {
		const struct part *part = &description->parts[i];
		uint64_t distance = part->old_offset - segment->p_offset;

		if (part->old_offset < segment->p_offset ||
		    distance >= segment->p_filesz || part->header.sh_size == 0)
			continue;
		if (!part->is_kept || part->header.sh_size > segment->p_filesz - distance)
			return false;
		if (!first && distance == 0)
			first = part;
		if (!first ||
		    part->header.sh_offset - first->header.sh_offset != distance)
			return false;
		covered = distance + part->header.sh_size;
	}
	if (!first || covered != segment->p_filesz)
		return false;
	segment->p_offset = first->header.sh_offset;
	return true;
}

static void place_segment(const struct description *description, GElf_Phdr *segment)
{
	switch (segment->p_type) {
	case PT_PHDR: /* readers would look for their bytes */
	case PT_INTERP:
	case PT_DYNAMIC:
		*segment = (GElf_Phdr){ .p_type = PT_NULL };
		break;
	default:
		if ((segment->p_type != PT_NOTE && segment->p_type != PT_GNU_EH_FRAME &&
		     segment->p_type != PT_GNU_PROPERTY) ||
		    !follow_sections(description, segment))
			segment->p_filesz = 0;
	}
}

/* ---- writing ----------------------------------------------------------------------- */

static void put_header(struct description *description)
{
	const struct elf *object = description->object;
	GElf_Ehdr header = object->header;

	header.e_ehsize =
		(GElf_Half)gelf_fsize(object->handle, ELF_T_EHDR, 1, EV_CURRENT);
	header.e_phoff = object->segment_count ? header.e_ehsize : 0;
	header.e_phentsize =
		(GElf_Half)gelf_fsize(object->handle, ELF_T_PHDR, 1, EV_CURRENT);
	header.e_phnum = (GElf_Half)object->segment_count;
	header.e_shoff = description->end;
	header.e_shentsize =
		(GElf_Half)gelf_fsize(object->handle, ELF_T_SHDR, 1, EV_CURRENT);
	header.e_shnum = (GElf_Half)description->count;
	header.e_shstrndx = (GElf_Half)object->section_names;
	elf_image_put_header(&description->image, &header);
}

/* Put the bytes of a kept section: the object's, unchanged, or those made here. */
static int put_part(struct description *description, size_t i, struct expt_error *err)
{
	const struct part *part = &description->parts[i];
	unsigned char *place = description->image.bytes + part->header.sh_offset;
	size_t size = part->header.sh_size;
	ssize_t got;

	if (i == description->object->section_names) {
		memcpy(place, description->names.text, size);
	} else if (i == description->symbols) {
		for (size_t k = 0; k < description->separate.symbols.count; k++)
			elf_image_put_symbol(&description->image, part->header.sh_offset,
					     k, &description->separate.symbols.items[k]);
	} else if (i == description->symbol_names) {
		memcpy(place, description->separate.names.text, size);
	} else if (i == description->identity) {
		memcpy(place, description->note.text, size);
		elf_image_put(&description->image, part->header.sh_offset, ELF_T_WORD,
			      description->note.text, sizeof(Elf32_Nhdr));
	} else {
		got = part->old_offset > INT64_MAX
			      ? 0
			      : io_pread_full(description->object->fd, place, size,
					      (off_t)part->old_offset);
		if (got < 0)
			return expt_fail(err, (int)got, "cannot read section '%s'",
					 part->name);
		if ((size_t)got < size)
			return expt_refuse(err, -EBADMSG, "section '%s' is truncated",
					   part->name);
	}
	return 0;
}

static int make_image(struct description *description, size_t size,
		      struct expt_error *err)
{
	const struct elf *object = description->object;

	description->image =
		(struct elf_image){ .like = object, .bytes = calloc(1, size) };
	if (!description->image.bytes)
		return expt_fail(err, -ENOMEM, "cannot create a description");
	put_header(description);
	for (size_t i = 0; i < object->segment_count; i++) {
		GElf_Phdr segment = object->segments[i];

		place_segment(description, &segment);
		elf_image_put_segment(&description->image,
				      gelf_fsize(object->handle, ELF_T_EHDR, 1,
						 EV_CURRENT),
				      i, &segment);
	}
	for (size_t i = 0; i < description->count; i++) {
		const struct part *part = &description->parts[i];
		int rc = part->is_kept && part->header.sh_size > 0
				 ? put_part(description, i, err)
				 : 0;

		if (rc < 0)
			return rc;
		elf_image_put_section(&description->image, description->end, i,
				      &part->header);
	}
	return 0;
}

bool elf_needs_debug_file(const struct elf *object)
{
	return elf_has_sections(object) && !elf_has_symtab(object);
}

int elf_describe(const struct elf *object, const struct elf_note *note,
		 const struct elf_debug *debug, int out, struct expt_error *err)
{
	cleanup(description_release) struct description description = { .object =
										object };
	size_t size;
	int rc;

	if (elf_needs_debug_file(object) &&
	    elf_separate_read(&description.separate, object, debug) < 0)
		return expt_fail(err, -ENOMEM, "cannot create a description");
	rc = elf_parts_number(&description, err);
	if (rc == 0)
		rc = elf_parts_read(&description, err);
	if (rc < 0)
		return rc;
	write_identity(&description.note, note);
	if (description.note.failed || write_names(&description) < 0)
		return expt_fail(err, -ENOMEM, "cannot create a description");
	rc = place_parts(&description, err);
	if (rc < 0)
		return rc;
	size = description.end +
	       gelf_fsize(object->handle, ELF_T_SHDR, description.count, EV_CURRENT);
	rc = make_image(&description, size, err);
	if (rc < 0)
		return rc;
	rc = io_pwrite_all(out, description.image.bytes, size, 0);
	return rc < 0 ? expt_fail(err, rc, "cannot write the description") : 0;
}
