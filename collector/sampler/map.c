/* SPDX-License-Identifier: Apache-2.0 */
/* map.xml of an image. The kernel reports mappings that have code, but no unmapping. */

#include "collector/sampler/map.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/base/system.h"
#include "collector/common/vdso.h"

#define VDSO	     "[vdso]"
#define NOTES_MAX    4096
#define VDSO_MAP_MAX 65536

/* ---- identity ---- */

static void read_notes(int fd, const Elf64_Phdr *header, char *id)
{
	char notes[NOTES_MAX] __attribute__((aligned(8)));

	if (header->p_filesz <= sizeof(notes) &&
	    pread(fd, notes, header->p_filesz, (off_t)header->p_offset) ==
		    (ssize_t)header->p_filesz)
		map_event_copy_build_id(notes, header->p_filesz, id);
}

/* Returns the address where the program starts, or 0 if it is not in the segment. */
static uint64_t entry_in(const struct map_segment *segment, const Elf64_Phdr *header,
			 uint64_t entry)
{
	uint64_t offset = entry - header->p_vaddr + header->p_offset;

	if (header->p_type != PT_LOAD || entry - header->p_vaddr >= header->p_filesz ||
	    offset - segment->file_offset >= segment->size)
		return 0;
	return segment->address + (offset - segment->file_offset);
}

/* Read the segment's build-id, and the image's entry if this is the first object. */
static void read_headers(struct image *image, struct map_segment *segment, int fd)
{
	Elf64_Ehdr elf;

	if (pread(fd, &elf, sizeof(elf), 0) != sizeof(elf) ||
	    memcmp(elf.e_ident, ELFMAG, SELFMAG) != 0)
		return;
	for (unsigned i = 0; i < elf.e_phnum; i++) {
		Elf64_Phdr header;
		off_t at = (off_t)(elf.e_phoff + i * sizeof(header));

		if (pread(fd, &header, sizeof(header), at) != sizeof(header))
			break;
		if (header.p_type == PT_NOTE && segment->build_id[0] == '\0')
			read_notes(fd, &header, segment->build_id);
		if (image->entry == 0)
			image->entry = entry_in(segment, &header, elf.e_entry);
	}
}

/* The kernel appends this to the names of deleted files. */
#define GONE " (deleted)"

/* The name belongs to another file now, perhaps one that the process cannot read: the map
 * must not refer to it. */
static void give_up_name(struct map_segment *segment)
{
	char *name = NULL;

	if (asprintf(&name, "%s" GONE, segment->name) < 0)
		return;
	free((char *)segment->name);
	segment->name = name;
}

static void read_object(struct image *image, struct code *code)
{
	struct map_segment *segment = &code->segment;
	struct stat status;
	bool is_named;
	int fd = object_open(&code->file, segment->name, &status, &is_named);

	if (!is_named)
		give_up_name(segment);
	if (fd == -ESTALE || fd == -ENOENT)
		return;
	segment->file_size = (uint64_t)status.st_size;
	segment->file_time_ns = timespec_ns(&status.st_mtim);
	if (fd < 0)
		return;
	read_headers(image, segment, fd);
	close(fd);
}

/* ---- mapping ---- */

static void put_unmap(struct image *image, uintptr_t address, uint64_t now_ns)
{
	char buffer[256];
	struct text text = TEXT_ON(buffer);

	map_event_unmap(&text, outputs_time(&image->outputs, now_ns), address);
	file_put_text(&image->outputs.map, &text);
}

/* A new mapping replaces what was there. */
static void drop_overlapped(struct image *image, uintptr_t address, size_t size,
			    uint64_t now_ns)
{
	size_t kept = 0;

	for (size_t i = 0; i < image->code_count; i++) {
		struct code *code = &image->codes[i];
		const struct map_segment *segment = &code->segment;

		if (segment->address < address + size &&
		    address < segment->address + segment->size) {
			put_unmap(image, segment->address, now_ns);
			code_release(code);
		} else {
			image->codes[kept++] = *code;
		}
	}
	image->code_count = kept;
}

static struct code *add_code(struct image *image, const struct code *from)
{
	struct code *grown =
		realloc(image->codes, (image->code_count + 1) * sizeof(*grown));
	char *copy = strdup(from->segment.name);

	if (grown)
		image->codes = grown;
	if (!grown || !copy) {
		free(copy);
		return NULL;
	}
	grown += image->code_count++;
	*grown = (struct code){
		.segment = { .address = from->segment.address,
			     .size = from->segment.size,
			     .file_offset = from->segment.file_offset,
			     .name = copy },
		.file = { image->pid, from->file.device, from->file.inode,
			  from->segment.address, from->segment.size },
	};
	return grown;
}

static void put_segment(struct image *image, struct code *code, uint64_t now_ns)
{
	static char buffer[VDSO_MAP_MAX];
	struct text text = TEXT_ON(buffer);
	struct map_segment *segment = &code->segment;

	if (segment->name[0] == '/') {
		read_object(image, code);
		map_event_segment(&text, segment, outputs_time(&image->outputs, now_ns));
	} else {
		vdso_compose(&text, segment->address,
			     outputs_time(&image->outputs, now_ns));
	}
	file_put_text(&image->outputs.map, &text);
}

void image_map(struct image *image, const struct code *from, uint64_t now_ns)
{
	const char *name = from->segment.name;
	struct code *code;

	drop_overlapped(image, from->segment.address, from->segment.size, now_ns);
	if ((name[0] != '/' || name[1] == '/') && strcmp(name, VDSO) != 0)
		return; /* "//anon" */
	code = add_code(image, from);
	if (code)
		put_segment(image, code, now_ns);
}
