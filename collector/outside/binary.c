/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/outside/binary.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/base/system.h"
#include "collector/common/map_text.h"

#define BUCKETS	     1024
#define HEADERS_MAX  64
#define NOTES_MAX    4096
#define SPAN_MAX     (UINT64_C(1) << 34)
#define PAGE	     4096
#define PAGE_DOWN(x) ((x) & ~(uint64_t)(PAGE - 1))
#define PAGE_UP(x)   PAGE_DOWN((x) + PAGE - 1)
#define VDSO_NAME    "[vdso]"

struct headers {
	Elf64_Phdr items[HEADERS_MAX];
	unsigned count;
	uint64_t low, high; /* addresses of what is loaded */
	uint64_t entry;
};

static struct binary *buckets[BUCKETS];
static struct binary *vdso;

/* ---- reading ---- */

static bool read_headers(struct headers *headers, int fd)
{
	Elf64_Ehdr elf;

	*headers = (struct headers){ .low = UINT64_MAX };
	if (pread(fd, &elf, sizeof(elf), 0) != sizeof(elf) ||
	    memcmp(elf.e_ident, ELFMAG, SELFMAG) != 0 ||
	    elf.e_ident[EI_CLASS] != ELFCLASS64 || elf.e_phnum > HEADERS_MAX ||
	    elf.e_phentsize != sizeof(Elf64_Phdr) ||
	    pread(fd, headers->items, elf.e_phnum * sizeof(Elf64_Phdr),
		  (off_t)elf.e_phoff) != (ssize_t)(elf.e_phnum * sizeof(Elf64_Phdr)))
		return false;
	headers->count = elf.e_phnum;
	headers->entry = elf.e_entry;
	for (unsigned i = 0; i < headers->count; i++) {
		const Elf64_Phdr *header = &headers->items[i];

		if (header->p_type != PT_LOAD || header->p_filesz == 0)
			continue;
		if (header->p_vaddr > SPAN_MAX || header->p_filesz > SPAN_MAX)
			return false;
		if (PAGE_DOWN(header->p_vaddr) < headers->low)
			headers->low = PAGE_DOWN(header->p_vaddr);
		if (PAGE_UP(header->p_vaddr + header->p_filesz) > headers->high)
			headers->high = PAGE_UP(header->p_vaddr + header->p_filesz);
	}
	return headers->low < headers->high;
}

static void read_build_id(struct binary *binary, int fd, const struct headers *headers)
{
	char notes[NOTES_MAX] __attribute__((aligned(8)));

	for (unsigned i = 0; i < headers->count && binary->build_id[0] == '\0'; i++) {
		const Elf64_Phdr *header = &headers->items[i];

		if (header->p_type == PT_NOTE && header->p_filesz <= sizeof(notes) &&
		    pread(fd, notes, header->p_filesz, (off_t)header->p_offset) ==
			    (ssize_t)header->p_filesz)
			map_event_copy_build_id(notes, header->p_filesz,
						binary->build_id);
	}
}

/* ---- mapping ---- */

static void cover_code(struct binary *binary, const Elf64_Phdr *header, uintptr_t bias)
{
	uintptr_t low = bias + header->p_vaddr, high = low + header->p_filesz;

	if (binary->code_low == 0 || low < binary->code_low)
		binary->code_low = low;
	if (high > binary->code_high)
		binary->code_high = high;
	if (binary->segment_count <
	    sizeof(binary->segments) / sizeof(binary->segments[0]))
		binary->segments[binary->segment_count++] = (struct binary_segment){
			PAGE_DOWN(header->p_offset),
			PAGE_UP(header->p_offset + header->p_filesz) -
				PAGE_DOWN(header->p_offset),
			PAGE_DOWN(low)
		};
}

static void find_rules(struct binary *binary, const struct headers *headers,
		       uintptr_t bias)
{
	for (unsigned i = 0; i < headers->count; i++)
		if (headers->items[i].p_type == PT_GNU_EH_FRAME)
			cfi_section_init(&binary->rules, bias + headers->items[i].p_vaddr,
					 binary->low, binary->high);
}

static bool map_part(const Elf64_Phdr *header, int fd, uintptr_t bias)
{
	uintptr_t low = PAGE_DOWN(bias + header->p_vaddr);
	size_t size = PAGE_UP(bias + header->p_vaddr + header->p_filesz) - low;

	return mmap((void *)low, size, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd,
		    (off_t)PAGE_DOWN(header->p_offset)) != MAP_FAILED;
}

static void map_file(struct binary *binary, int fd, const struct headers *headers)
{
	size_t span = headers->high - headers->low;
	void *place = span > SPAN_MAX
			      ? MAP_FAILED
			      : mmap(NULL, span, PROT_READ,
				     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	uintptr_t bias = (uintptr_t)place - headers->low;

	if (place == MAP_FAILED)
		return;
	binary->low = (uintptr_t)place;
	binary->high = binary->low + span;
	for (unsigned i = 0; i < headers->count; i++) {
		const Elf64_Phdr *header = &headers->items[i];

		if (header->p_type != PT_LOAD || header->p_filesz == 0 ||
		    !map_part(header, fd, bias))
			continue;
		if (header->p_flags & PF_X)
			cover_code(binary, header, bias);
	}
	if (headers->entry != 0)
		binary->entry = bias + headers->entry;
	find_rules(binary, headers, bias);
}

static void set_state(struct binary *binary, const struct stat *status)
{
	binary->is_known = true;
	binary->file_size = (uint64_t)status->st_size;
	binary->file_time_ns = timespec_ns(&status->st_mtim);
}

void binary_read(struct binary *binary, int fd, const struct stat *status)
{
	struct headers headers;

	set_state(binary, status);
	if (!read_headers(&headers, fd))
		return;
	read_build_id(binary, fd, &headers);
	map_file(binary, fd, &headers);
}

static void read_file(struct binary *binary, const struct object_file *file)
{
	struct stat status;
	int fd = object_open(file, binary->name, &status, &binary->is_named);

	if (fd == -ESTALE || fd == -ENOENT)
		return;
	if (fd < 0) {
		set_state(binary, &status);
		return;
	}
	binary_read(binary, fd, &status);
	close(fd);
}

/* ---- all files ---- */

struct binary *binary_new(const char *name)
{
	struct binary *binary = calloc(1, sizeof(*binary));

	if (binary)
		binary->name = strdup(name);
	if (binary && !binary->name) {
		free(binary);
		binary = NULL;
	}
	return binary;
}

struct binary *binary_get(const struct object_file *file, const char *name)
{
	struct binary **bucket = &buckets[(file->inode * 31 + file->device) % BUCKETS];
	struct binary *binary = *bucket;

	while (binary && (binary->device != file->device ||
			  binary->inode != file->inode || strcmp(binary->name, name)))
		binary = binary->next;
	if (binary)
		return binary;
	binary = binary_new(name);
	if (!binary)
		return NULL;
	binary->device = file->device;
	binary->inode = file->inode;
	binary->next = *bucket;
	*bucket = binary;
	read_file(binary, file);
	return binary;
}

struct binary *binary_of_vdso(void)
{
	uintptr_t start = getauxval(AT_SYSINFO_EHDR);
	const Elf64_Ehdr *elf = (const void *)start;
	const Elf64_Phdr *items = (const void *)(start + (elf ? elf->e_phoff : 0));

	if (vdso || !elf)
		return vdso;
	vdso = binary_new(VDSO_NAME);
	for (unsigned i = 0; vdso && i < elf->e_phnum; i++) {
		if (items[i].p_type != PT_LOAD)
			continue;
		vdso->low = start;
		vdso->high = start + PAGE_UP(items[i].p_vaddr + items[i].p_filesz);
		cover_code(vdso, &items[i], start);
	}
	for (unsigned i = 0; vdso && vdso->low && i < elf->e_phnum; i++)
		if (items[i].p_type == PT_GNU_EH_FRAME)
			cfi_section_init(&vdso->rules, start + items[i].p_vaddr,
					 vdso->low, vdso->high);
	return vdso;
}

uintptr_t binary_address(const struct binary *binary, uint64_t file_offset)
{
	for (unsigned i = 0; i < binary->segment_count; i++) {
		const struct binary_segment *segment = &binary->segments[i];

		if (file_offset - segment->file_offset < segment->size)
			return segment->address + (file_offset - segment->file_offset);
	}
	return 0;
}

void binary_free(struct binary *binary)
{
	if (binary && binary->low && binary != vdso)
		munmap((void *)binary->low, binary->high - binary->low);
	if (binary)
		free(binary->name);
	free(binary);
}

void binaries_release(void)
{
	for (unsigned i = 0; i < BUCKETS; i++)
		while (buckets[i]) {
			struct binary *binary = buckets[i];

			buckets[i] = binary->next;
			binary_free(binary);
		}
	binary_free(vdso);
	vdso = NULL;
}
