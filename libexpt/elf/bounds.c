/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits on the memory that a file can require. A file with holes claims any size at no
 * cost, and zlib turns one byte into a thousand, while libelf and libdw allocate what the
 * headers say. So sizes are compared with the bytes that the file really has on disk
 * before these libraries see it. Real debug data has no holes, and compresses to a sixth.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "libexpt/base/io.h"
#include "libexpt/common/error.h"
#include "libexpt/elf/private.h"

#define SMALL	     ((uint64_t)64 << 20) /* always allowed */
#define HEADERS	     ((uint64_t)4 << 20)  /* the same for section headers */
#define OVERLAP	     4 /* sections that share bytes are odd, not hostile */
#define EXPANSION    15
#define UNPACKED_MAX ((uint64_t)4 << 30) /* decompressed, whatever the file has */
#define PIECES_MAX   10000		 /* between holes; the rest does not count */

/* ---- the file ---- */

/* Returns the bytes outside of holes. Some file systems count blocks late or not at
 * all. */
static uint64_t data_size(int fd, const struct stat *status)
{
	uint64_t size = (uint64_t)status->st_size, start = 0, length = 0, sum = 0;

	if ((uint64_t)status->st_blocks * 512 >= size || size <= SMALL)
		return size;
	for (int i = 0; i < PIECES_MAX; i++) {
		if (io_next_data(fd, start + length, size, &start, &length) <= 0)
			break;
		sum += length;
	}
	return sum;
}

static uint64_t number(const unsigned char *bytes, unsigned size, bool is_big_endian)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < size; i++)
		value = value << 8 | bytes[is_big_endian ? i : size - 1 - i];
	return value;
}

/* Returns the number of section headers. If it does not fit into the header, section 0
 * has it. */
static uint64_t section_count(int fd)
{
	unsigned char head[sizeof(Elf64_Ehdr)] = { 0 }, size[8] = { 0 };
	bool is_wide, is_big;
	uint64_t count, table;

	if (io_pread_full(fd, head, sizeof(head), 0) < (ssize_t)sizeof(Elf32_Ehdr))
		return 0;
	is_wide = head[EI_CLASS] == ELFCLASS64;
	is_big = head[EI_DATA] == ELFDATA2MSB;
	count = number(head + (is_wide ? offsetof(Elf64_Ehdr, e_shnum)
				       : offsetof(Elf32_Ehdr, e_shnum)),
		       2, is_big);
	table = is_wide ? number(head + offsetof(Elf64_Ehdr, e_shoff), 8, is_big)
			: number(head + offsetof(Elf32_Ehdr, e_shoff), 4, is_big);
	if (count != 0 || table == 0 || table > INT64_MAX - sizeof(Elf64_Shdr))
		return count;
	table += is_wide ? offsetof(Elf64_Shdr, sh_size) : offsetof(Elf32_Shdr, sh_size);
	if (io_pread_full(fd, size, is_wide ? 8 : 4, (off_t)table) != (is_wide ? 8 : 4))
		return 0;
	return number(size, is_wide ? 8 : 4, is_big);
}

int elf_check_file(struct elf *elf, struct expt_error *err)
{
	uint64_t sections = section_count(elf->fd);
	struct stat status;

	if (fstat(elf->fd, &status) < 0)
		return expt_fail(err, -errno, "cannot read it");
	elf->data_size = data_size(elf->fd, &status);
	if (sections > (HEADERS + elf->data_size) / sizeof(Elf32_Shdr))
		return expt_refuse(
			err, -EBADMSG,
			"%llu sections are implausible in a file of %llu bytes",
			(unsigned long long)sections, (unsigned long long)elf->data_size);
	return 0;
}

/* ---- sections as they are ---- */

/* Whether libelf or libdw may load the section: all but code and data. */
static bool is_loaded(const GElf_Shdr *header)
{
	switch (header->sh_type) {
	case SHT_NULL:
	case SHT_NOBITS:
		return false;
	case SHT_NOTE:
	case SHT_SYMTAB:
	case SHT_DYNSYM:
	case SHT_STRTAB:
		return true;
	default:
		return !(header->sh_flags & SHF_ALLOC);
	}
}

static uint64_t add(uint64_t a, uint64_t b)
{
	return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

int elf_check_sections(const struct elf *elf, struct expt_error *err)
{
	uint64_t sum = 0, headers = 0;
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t segments;

	while ((section = elf_nextscn(elf->handle, section)))
		if (gelf_getshdr(section, &header) && is_loaded(&header))
			sum = add(sum, header.sh_size);
	if (elf_getphdrnum(elf->handle, &segments) == 0)
		headers = segments * sizeof(Elf64_Phdr);
	if (sum <= add(SMALL, elf->data_size * OVERLAP) &&
	    headers <= add(HEADERS, elf->data_size * OVERLAP))
		return 0;
	return expt_refuse(
		err, -EBADMSG,
		"%llu bytes of sections are implausible in a file of %llu bytes",
		(unsigned long long)add(sum, headers),
		(unsigned long long)elf->data_size);
}

/* ---- sections unpacked ---- */

static bool is_debug(const char *name)
{
	return strncmp(name, ".debug", 6) == 0 || strncmp(name, ".gnu.debug", 10) == 0;
}

/* Returns the size in the header of compressed data. Reads only that header: libelf would
 * read the whole section. */
static uint64_t packed_size(const struct elf *elf, const GElf_Shdr *header)
{
	unsigned char bytes[sizeof(Elf64_Chdr)];
	bool is_wide = elf->header.e_ident[EI_CLASS] == ELFCLASS64;
	size_t size = is_wide ? sizeof(Elf64_Chdr) : sizeof(Elf32_Chdr);

	if (header->sh_size < size || header->sh_offset > INT64_MAX ||
	    io_pread_full(elf->fd, bytes, size, (off_t)header->sh_offset) !=
		    (ssize_t)size)
		return 0;
	return number(bytes + (is_wide ? offsetof(Elf64_Chdr, ch_size)
				       : offsetof(Elf32_Chdr, ch_size)),
		      is_wide ? 8 : 4, elf->header.e_ident[EI_DATA] == ELFDATA2MSB);
}

/* Returns the size in the older form, which has no flag: "ZLIB", and the size. */
static uint64_t old_packed_size(const struct elf *elf, const GElf_Shdr *header)
{
	unsigned char bytes[12];

	if (header->sh_size < sizeof(bytes) || header->sh_offset > INT64_MAX ||
	    io_pread_full(elf->fd, bytes, sizeof(bytes), (off_t)header->sh_offset) !=
		    sizeof(bytes) ||
	    memcmp(bytes, "ZLIB", 4) != 0)
		return 0;
	return number(bytes + 4, 8, true);
}

/* Returns the memory that a section takes once libdw has loaded it. */
static uint64_t unpacked_size(const struct elf *elf, const GElf_Shdr *header,
			      const char *name)
{
	uint64_t size = is_loaded(header) || is_debug(name) ? header->sh_size : 0;

	if (header->sh_type == SHT_NOBITS)
		return 0;
	if (header->sh_flags & SHF_COMPRESSED)
		return add(header->sh_size, packed_size(elf, header));
	if (strncmp(name, ".zdebug", 7) == 0)
		return add(header->sh_size, old_packed_size(elf, header));
	return size;
}

static uint64_t unpacked_max(const struct elf *elf)
{
	uint64_t more = elf->data_size * EXPANSION;

	return SMALL + elf->data_size + (more < UNPACKED_MAX ? more : UNPACKED_MAX);
}

int elf_check_unpacked(const struct elf *elf, struct expt_error *err)
{
	uint64_t sum = 0, max = unpacked_max(elf);
	Elf_Scn *section = NULL;
	const char *name;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf->handle, section))) {
		if (!elf_section_header(elf, section, &header, &name))
			continue;
		sum = add(sum, unpacked_size(elf, &header, name));
		if (sum > max)
			return expt_refuse(err, -EBADMSG,
					   "section '%s' expands it to %llu bytes, "
					   "implausible for a file of %llu bytes",
					   name, (unsigned long long)sum,
					   (unsigned long long)elf->data_size);
	}
	return 0;
}
