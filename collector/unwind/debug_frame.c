/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/unwind/debug_frame.h"

#include <elf.h>
#include <string.h>

#include "collector/base/system.h"
#include "collector/unwind/entry.h"

#define COMMON_MARK   0xffffffffu /* where .eh_frame has 0 */
#define ENTRIES_ASKED 1024	  /* an object with more was built with .eh_frame */
#define SIZE_LIMIT    ((size_t)64 << 20) /* of all objects together, and of each */

/* As in .eh_frame_hdr, but functions are relative to the section's base. */
struct table_entry {
	int32_t start, entry;
};

static size_t read_bytes; /* of all objects */

/* ---- is it needed? ---- */

/* A program built without .eh_frame has it only for its start-up code. */
static bool covers_most(const struct cfi_section *own, uintptr_t code)
{
	uintptr_t covered = 0;
	uint32_t failed = 0;

	if (own->header == 0)
		return false;
	if (own->table == 0 || own->count > ENTRIES_ASKED)
		return true;
	for (uint32_t i = 0; i < own->count; i++) {
		int32_t at = (int32_t)guarded_load32(own->table + 8ul * i + 4, &failed);
		struct cfi_entry entry;

		if (cfi_read_entry(&entry, own, own->header + (uintptr_t)(intptr_t)at))
			covered += entry.size;
	}
	return failed || covered >= code / 2;
}

/* ---- the file ---- */

static bool read_at(int fd, void *to, size_t size, uint64_t offset)
{
	return sys_pread(fd, to, size, (off_t)offset) == (ssize_t)size;
}

static bool has_name(int fd, const Elf64_Shdr *names, const Elf64_Shdr *section)
{
	static const char wanted[] = ".debug_frame";
	char name[sizeof(wanted)];

	return section->sh_type == SHT_PROGBITS &&
	       (section->sh_flags & SHF_COMPRESSED) == 0 &&
	       read_at(fd, name, sizeof(name), names->sh_offset + section->sh_name) &&
	       memcmp(name, wanted, sizeof(wanted)) == 0;
}

static bool find_section(int fd, Elf64_Shdr *section)
{
	Elf64_Ehdr elf;
	Elf64_Shdr names;

	if (!read_at(fd, &elf, sizeof(elf), 0) ||
	    memcmp(elf.e_ident, ELFMAG, SELFMAG) != 0 ||
	    !read_at(fd, &names, sizeof(names),
		     elf.e_shoff + (uint64_t)elf.e_shstrndx * sizeof(names)))
		return false;
	for (unsigned i = 0; i < elf.e_shnum; i++)
		if (read_at(fd, section, sizeof(*section),
			    elf.e_shoff + i * sizeof(*section)) &&
		    has_name(fd, &names, section))
			return section->sh_size > 0 && section->sh_size <= SIZE_LIMIT;
	return false;
}

/* Load the bytes of the section, with room after them for a table: an entry has 16 bytes
 * or more. */
static char *load_section(const char *path, size_t *size)
{
	int fd = sys_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	char *bytes = NULL;
	Elf64_Shdr section;

	if (fd < 0)
		return NULL;
	if (find_section(fd, &section) && read_bytes + section.sh_size <= SIZE_LIMIT) {
		*size = (section.sh_size + 7) & ~(size_t)7;
		bytes = sys_mmap(*size + *size / 2, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	}
	if (bytes && !read_at(fd, bytes, section.sh_size, section.sh_offset)) {
		sys_munmap(bytes, *size + *size / 2);
		bytes = NULL;
	}
	sys_close(fd);
	if (bytes)
		read_bytes += *size;
	return bytes;
}

/* ---- conversion to the form of .eh_frame ---- */

static void put_u32(char *at, uint32_t value)
{
	memcpy(at, &value, sizeof(value));
}

/* Make the offset of the common entry relative to this entry, and addresses absolute. The
 * result for an entry of another form is one that readers reject. */
static void convert_entry(char *bytes, uintptr_t at, uintptr_t load_offset)
{
	char *word = bytes + at + 4;
	uint32_t common;
	uint64_t start;

	memcpy(&common, word, sizeof(common));
	if (common == COMMON_MARK) {
		put_u32(word, 0);
		return;
	}
	put_u32(word, (uint32_t)(at + 4 - common));
	memcpy(&start, word + 4, sizeof(start));
	start += load_offset;
	memcpy(word + 4, &start, sizeof(start));
}

static void convert(char *bytes, size_t size, uintptr_t load_offset)
{
	uint32_t length;

	for (size_t at = 0; at + 20 <= size; at += 4 + (size_t)length) {
		memcpy(&length, bytes + at, sizeof(length));
		if (length < 16 || length > size - at - 4)
			break;
		convert_entry(bytes, at, load_offset);
	}
}

/* ---- the table ---- */

static void sift(struct table_entry *table, uint32_t at, uint32_t count)
{
	struct table_entry moved = table[at];

	for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
		if (child + 1 < count && table[child + 1].start > table[child].start)
			child++;
		if (table[child].start <= moved.start)
			break;
		table[at] = table[child];
	}
	table[at] = moved;
}

static void sort(struct table_entry *table, uint32_t count)
{
	for (uint32_t i = count / 2; i-- > 0;)
		sift(table, i, count);
	while (count > 1) {
		struct table_entry last = table[--count];

		table[count] = table[0];
		table[0] = last;
		sift(table, 0, count);
	}
}

static uint32_t make_table(struct table_entry *table, const struct cfi_section *section)
{
	uintptr_t at = section->frames;
	uint32_t count = 0, room = (uint32_t)((section->high - section->table) / 8);

	while (count < room) {
		struct cursor cursor = { .at = at, .end = section->table };
		struct cfi_entry entry;

		if (!cfi_enter(&cursor))
			break;
		/* The linker leaves entries of dropped functions, at 0. */
		if (cfi_read_entry(&entry, section, at) && entry.start >= section->base &&
		    entry.start - section->base <= INT32_MAX && entry.size > 0)
			table[count++] = (struct table_entry){
				(int32_t)(entry.start - section->base),
				(int32_t)(at - section->header)
			};
		at = cursor.end;
	}
	sort(table, count);
	return count;
}

bool debug_frame_read(struct cfi_section *section, const struct cfi_section *own,
		      const struct dl_phdr_info *info, uintptr_t base, uintptr_t code)
{
	const char *path = info->dlpi_name[0] != '\0' ? info->dlpi_name
						      : "/proc/self/exe";
	size_t size = 0;
	char *bytes;

	if (!strchr(path, '/') /* the vdso */ || covers_most(own, code))
		return false;
	bytes = load_section(path, &size);
	if (!bytes)
		return false;
	convert(bytes, size, info->dlpi_addr);
	*section = (struct cfi_section){ .low = (uintptr_t)bytes,
					 .high = (uintptr_t)bytes + size + size / 2,
					 .header = (uintptr_t)bytes,
					 .frames = (uintptr_t)bytes,
					 .table = (uintptr_t)bytes + size,
					 .base = base };
	section->count =
		make_table((struct table_entry *)(void *)(bytes + size), section);
	return section->count > 0;
}
