/* SPDX-License-Identifier: Apache-2.0 */
/* The function symbols of an ELF file, from all of its tables. */
#include <errno.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/common/error.h"
#include "libexpt/elf/private.h"
#include "libexpt/format.h"

int elf_read_names(struct elf_names *names, const struct elf *elf, size_t index)
{
	Elf_Scn *section = elf_getscn(elf->handle, index);
	GElf_Shdr header;
	Elf_Data *data;

	*names = (struct elf_names){ 0 };
	if (!section || !gelf_getshdr(section, &header) || header.sh_type != SHT_STRTAB ||
	    header.sh_size > ELF_TABLE_LIMIT)
		return 0;
	errno = 0;
	data = elf_rawdata(section, NULL);
	if (!data || !data->d_buf)
		return errno == ENOMEM ? -ENOMEM : 0;
	names->text = data->d_buf;
	names->size = data->d_size;
	while (names->size > 0 && names->text[names->size - 1] != '\0')
		names->size--;
	return 0;
}

/* IFUNCs are functions, too; gprofng leaves them nameless. */
static bool is_function(const GElf_Sym *symbol)
{
	unsigned type = GELF_ST_TYPE(symbol->st_info);

	return (type == STT_FUNC || type == STT_GNU_IFUNC) &&
	       symbol->st_shndx != SHN_UNDEF;
}

/* Count the files of a table: local symbols follow that of their source file. A file
 * without a name comes before those whose file the linker did not keep. */
static bool begins_file(const GElf_Sym *symbol, const struct elf_names *names, size_t i,
			uint32_t *file)
{
	if (GELF_ST_TYPE(symbol->st_info) != STT_FILE)
		return false;
	*file = symbol->st_name < names->size && names->text[symbol->st_name]
			? (uint32_t)i
			: 0;
	return true;
}

static int add_symbols(struct elf_symbols *symbols, Elf_Data *data,
		       const struct elf_names *names, const struct elf *image,
		       enum elf_table table)
{
	size_t size = gelf_fsize(image->handle, ELF_T_SYM, 1, EV_CURRENT);
	size_t count = size ? data->d_size / size : 0;
	uint32_t file = 0;
	GElf_Sym symbol;
	uint64_t offset;

	for (size_t i = 1; i < count && i <= INT32_MAX; i++) {
		struct elf_symbol *new;

		if (!gelf_getsym(data, (int)i, &symbol) ||
		    begins_file(&symbol, names, i, &file) || !is_function(&symbol) ||
		    symbol.st_name >= names->size || !names->text[symbol.st_name] ||
		    !elf_image_offset(image, symbol.st_value, &offset))
			continue;
		new = array_add(symbols);
		if (!new)
			return -ENOMEM;
		*new = (struct elf_symbol){ .name = names->text + symbol.st_name,
					    .offset = offset,
					    .size = symbol.st_size,
					    .table = table };
		if (GELF_ST_BIND(symbol.st_info) == STB_LOCAL)
			new->file = file;
	}
	return 0;
}

bool elf_has_symtab(const struct elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf->handle, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB)
			return true;
	return false;
}

static enum elf_table table_of(const GElf_Shdr *header, const char *name)
{
	if (header->sh_type == SHT_DYNSYM)
		return ELF_TABLE_DYNSYM;
	return strcmp(name, SEPARATE_SYMTAB_SECTION) == 0 ? ELF_TABLE_ELSEWHERE
							  : ELF_TABLE_SYMTAB;
}

int elf_read_symbols(struct elf_symbols *symbols, const struct elf *elf,
		     const struct elf *image, struct expt_error *err)
{
	Elf_Scn *section = NULL;
	const char *name;
	GElf_Shdr header;
	int rc = 0;

	if (elf->header.e_ident[EI_CLASS] != image->header.e_ident[EI_CLASS])
		return 0;
	while (rc == 0 && (section = elf_nextscn(elf->handle, section))) {
		struct elf_names names;
		Elf_Data *data;

		if (!elf_section_header(elf, section, &header, &name) ||
		    header.sh_size > ELF_TABLE_LIMIT ||
		    (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM))
			continue;
		rc = elf_read_names(&names, elf, header.sh_link);
		errno = 0;
		data = elf_getdata(section, NULL);
		if (!data && errno == ENOMEM)
			rc = -ENOMEM;
		if (rc == 0 && data && data->d_buf && data->d_type == ELF_T_SYM)
			rc = add_symbols(symbols, data, &names, image,
					 table_of(&header, name));
	}
	return rc < 0 ? expt_fail(err, rc, "cannot read the symbol tables") : 0;
}
