/* SPDX-License-Identifier: Apache-2.0 */
/* Inspection of a program's dynamic section. The code is kept small, because every
 * recorded process loads it. */

#include "collector/common/sanitizer.h"

#include <stdbool.h>
#include <string.h>

#include "collector/base/system.h"

#define ENTRIES_MAX 64 /* of a dynamic section; the libraries come first */
#define SMALL	    __attribute__((cold, noinline))

/* gcc's run-times are called libasan.so.8, libtsan.so.2, liblsan.so.0 and libhwasan.so.0,
 * clang's libclang_rt.asan-x86_64.so and so on: "san" after an a, t or l, before a full
 * stop or hyphen. */
SMALL size_t sanitizer_length(const char *list)
{
	size_t length = strcspn(list, " :");
	bool is_found = false;

	for (size_t i = 1; i < length; i++)
		if (list[i] == '/')
			is_found = false;
		else if (memcmp(list + i, "san", 3) == 0 && strchr("atl", list[i - 1]) &&
			 (list[i + 3] == '.' || list[i + 3] == '-'))
			is_found = true;
	return is_found ? length : 0;
}

/* Find the first segment of this type; a loaded one must contain the address. */
static SMALL bool find_segment(int fd, const Elf64_Ehdr *header, uint32_t type,
			       uint64_t address, Elf64_Phdr *segment)
{
	off_t at = (off_t)header->e_phoff;

	for (unsigned i = 0; i < header->e_phnum; i++, at += sizeof(*segment)) {
		if (sys_pread(fd, segment, sizeof(*segment), at) != sizeof(*segment))
			return false;
		if (segment->p_type == type &&
		    (type != PT_LOAD || address - segment->p_vaddr < segment->p_filesz))
			return true;
	}
	return false;
}

static SMALL bool read_name(int fd, uint64_t at, char name[static SANITIZER_NAME_SIZE])
{
	ssize_t size = sys_pread(fd, name, SANITIZER_NAME_SIZE - 1, (off_t)at);

	name[size > 0 ? size : 0] = '\0';
	return strlen(name) < SANITIZER_NAME_SIZE - 1 && !strpbrk(name, "/ :$") &&
	       sanitizer_length(name) > 0;
}

SMALL void sanitizer_find_needed(int fd, const Elf64_Ehdr *header,
				 char name[static SANITIZER_NAME_SIZE])
{
	Elf64_Dyn entries[ENTRIES_MAX] = {}, *entry;
	Elf64_Phdr segment;
	uint64_t strings = 0;

	name[0] = '\0';
	if (!find_segment(fd, header, PT_DYNAMIC, 0, &segment) ||
	    sys_pread(fd, entries, sizeof(entries) - sizeof(*entries),
		      (off_t)segment.p_offset) <= 0)
		return;
	for (entry = entries; entry->d_tag != DT_NULL; entry++)
		if (entry->d_tag == DT_STRTAB &&
		    find_segment(fd, header, PT_LOAD, entry->d_un.d_ptr, &segment))
			strings = entry->d_un.d_ptr - segment.p_vaddr + segment.p_offset;
	for (entry = entries; entry->d_tag != DT_NULL && strings != 0; entry++)
		if (entry->d_tag == DT_NEEDED &&
		    read_name(fd, strings + entry->d_un.d_val, name))
			return;
	name[0] = '\0';
}
