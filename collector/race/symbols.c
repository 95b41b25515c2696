/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/race/symbols.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <sys/stat.h>

#include "collector/base/system.h"

/* The executable as a file, mapped */
struct image {
	const char *bytes;
	size_t size;
	uintptr_t bias; /* of addresses in memory */
};

/* The program's functions for strings may be those of a sanitizer, which does not work
 * yet. */
static bool is_same(const char *a, const char *b)
{
	for (; *a == *b; a++, b++)
		if (*a == '\0')
			return true;
	return false;
}

static int take_bias(struct dl_phdr_info *info, size_t size, void *bias)
{
	(void)size;
	*(uintptr_t *)bias = info->dlpi_addr;
	return 1; /* the first one is the executable */
}

static bool open_image(struct image *image)
{
	int fd = sys_openat(AT_FDCWD, "/proc/self/exe", O_RDONLY | O_CLOEXEC, 0);
	struct stat status;

	*image = (struct image){ 0 };
	if (fd < 0)
		return false;
	if (sys_fstat(fd, &status) == 0 && status.st_size > (off_t)sizeof(Elf64_Ehdr)) {
		image->size = (size_t)status.st_size;
		image->bytes = sys_mmap(image->size, PROT_READ, MAP_PRIVATE, fd, 0);
	}
	sys_close(fd);
	dl_iterate_phdr(take_bias, &image->bias);
	return image->bytes != NULL;
}

/* Returns a part of the file, or NULL if it is not all there. */
static const void *part(const struct image *image, uint64_t offset, uint64_t size)
{
	return offset <= image->size && size <= image->size - offset
		       ? image->bytes + offset
		       : NULL;
}

static void take_symbol(const struct image *image, const Elf64_Sym *symbol,
			const char *name, struct symbol *symbols, size_t count)
{
	if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_shndx == SHN_UNDEF)
		return;
	for (size_t i = 0; i < count; i++)
		if (!symbols[i].address && is_same(symbols[i].name, name))
			symbols[i].address = (void *)(image->bias + symbol->st_value);
}

static void read_table(const struct image *image, const Elf64_Shdr *table,
		       const Elf64_Shdr *names, struct symbol *symbols, size_t count)
{
	const Elf64_Sym *all = part(image, table->sh_offset, table->sh_size);
	const char *strings = part(image, names->sh_offset, names->sh_size);

	if (!all || !strings || names->sh_size == 0 ||
	    strings[names->sh_size - 1] != '\0')
		return;
	for (size_t i = 0; i < table->sh_size / sizeof(*all); i++)
		if (all[i].st_name < names->sh_size)
			take_symbol(image, &all[i], strings + all[i].st_name, symbols,
				    count);
}

static void read_image(const struct image *image, struct symbol *symbols, size_t count)
{
	const Elf64_Ehdr *header = (const void *)image->bytes;
	const Elf64_Shdr *sections =
		part(image, header->e_shoff, header->e_shnum * sizeof(*sections));

	for (size_t i = 0; sections && i < header->e_shnum; i++)
		if (sections[i].sh_type == SHT_SYMTAB &&
		    sections[i].sh_link < header->e_shnum)
			read_table(image, &sections[i], &sections[sections[i].sh_link],
				   symbols, count);
}

static bool have_all(const struct symbol *symbols, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!symbols[i].address)
			return false;
	return true;
}

bool symbols_find(struct symbol *symbols, size_t count)
{
	struct image image;

	for (size_t i = 0; i < count; i++)
		symbols[i].address = dlsym(RTLD_DEFAULT, symbols[i].name);
	if (have_all(symbols, count) || !open_image(&image))
		return have_all(symbols, count);
	read_image(&image, symbols, count);
	sys_munmap((void *)image.bytes, image.size);
	return have_all(symbols, count);
}
