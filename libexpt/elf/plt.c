/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stub jumps to the address in its slot of the global offset table, and a relocation of
 * the slot names the target. The order of stubs need not be that of the relocations, so
 * the jumps are decoded.
 */
#include "libexpt/elf/plt.h"

#include <errno.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/idmap.h"
#include "libexpt/common/error.h"
#include "libexpt/elf/private.h"

struct stub {
	uint64_t address, end, slot;
	const char *name;  /* "": not known */
	uint64_t resolver; /* address, or 0 */
};

struct reader {
	const struct elf *elf;
	uint64_t got; /* to which i386's stubs of libraries refer */
	struct {
		struct stub *items;
		size_t count, capacity;
	} stubs;
	struct idmap by_slot;
};

/* ---- stubs ------------------------------------------------------------------------- */

#define JUMP_SIZE 6

/* Get the slot through which the instruction of x86 at an address jumps. */
static bool jump_slot(uint64_t *slot, const struct reader *reader,
		      const unsigned char *code, uint64_t address)
{
	bool is_64 = reader->elf->header.e_machine == EM_X86_64;
	uint32_t field = (uint32_t)code[2] | (uint32_t)code[3] << 8 |
			 (uint32_t)code[4] << 16 | (uint32_t)code[5] << 24;

	if (code[0] != 0xff || (code[1] != 0x25 && (is_64 || code[1] != 0xa3)))
		return false;
	if (is_64)
		*slot = address + JUMP_SIZE + (uint64_t)(int64_t)(int32_t)field;
	else
		*slot = (uint32_t)(code[1] == 0xa3 ? reader->got + field : field);
	return true;
}

/* Returns the size of the prefixes before the jump at place: endbr32, endbr64, bnd. */
static size_t prefix_size(const unsigned char *code, size_t place)
{
	size_t size = place >= 1 && code[place - 1] == 0xf2;
	const unsigned char *end = code + place - size;

	if (place - size >= 4 && memcmp(end - 4, "\xf3\x0f\x1e", 3) == 0 &&
	    (end[-1] == 0xfa || end[-1] == 0xfb))
		size += 4;
	return size;
}

static int add_stub(struct reader *reader, uint64_t address, uint64_t end, uint64_t slot)
{
	struct stub *last = reader->stubs.count > 0
				    ? &reader->stubs.items[reader->stubs.count - 1]
				    : NULL;
	struct stub *new;

	if (last && last->end == end && last->address == address)
		reader->stubs.count--; /* nothing comes before the first jump */
	else if (last && last->end == end)
		last->end = address;
	new = array_add(&reader->stubs);
	if (!new)
		return -ENOMEM;
	*new = (struct stub){ .address = address, .end = end, .slot = slot, .name = "" };
	return 0;
}

static int read_section(struct reader *reader, Elf_Scn *section, const GElf_Shdr *header)
{
	uint64_t address = header->sh_addr, end, slot;
	const unsigned char *code;
	Elf_Data *data;
	size_t place = 0;
	int rc;

	if (header->sh_size == 0 ||
	    __builtin_add_overflow(address, header->sh_size, &end))
		return 0;
	rc = add_stub(reader, address, end, 0);
	if (rc < 0 || header->sh_type != SHT_PROGBITS ||
	    header->sh_size > ELF_TABLE_LIMIT ||
	    (reader->elf->header.e_machine != EM_X86_64 &&
	     reader->elf->header.e_machine != EM_386))
		return rc;
	errno = 0;
	data = elf_rawdata(section, NULL);
	if (!data || !data->d_buf || data->d_size != header->sh_size)
		return errno == ENOMEM ? -ENOMEM : 0;
	code = data->d_buf;
	while (rc == 0 && place + JUMP_SIZE <= data->d_size) {
		size_t prefix;

		if (!jump_slot(&slot, reader, code + place, address + place)) {
			place++;
			continue;
		}
		prefix = prefix_size(code, place);
		rc = add_stub(reader, address + place - prefix, end, slot);
		place += JUMP_SIZE;
	}
	return rc;
}

static uint64_t got_address(const struct elf *elf)
{
	static const char *const names[] = { ".got.plt", ".got" };
	GElf_Shdr header;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		Elf_Scn *section = elf_find_section(elf, names[i]);

		if (section && gelf_getshdr(section, &header))
			return header.sh_addr;
	}
	return 0;
}

static int read_stubs(struct reader *reader)
{
	Elf_Scn *section = NULL;
	const char *name;
	GElf_Shdr header;
	int rc = 0;

	reader->got = got_address(reader->elf);
	while (rc == 0 && (section = elf_nextscn(reader->elf->handle, section)))
		if (elf_section_header(reader->elf, section, &header, &name) &&
		    elf_is_plt(name) && (header.sh_flags & SHF_ALLOC))
			rc = read_section(reader, section, &header);
	for (size_t i = 0; rc == 0 && i < reader->stubs.count; i++) {
		uint32_t *index =
			reader->stubs.items[i].slot
				? idmap_add(&reader->by_slot, reader->stubs.items[i].slot)
				: NULL;

		if (index)
			*index = (uint32_t)i;
		else if (reader->stubs.items[i].slot)
			rc = -ENOMEM;
	}
	return rc;
}

/* ---- relocations ------------------------------------------------------------------- */

struct symbol_source {
	Elf_Data *symbols;
	struct elf_names names;
};

static int open_symbols(struct symbol_source *source, const struct elf *elf, size_t index)
{
	Elf_Scn *section = index > 0 ? elf_getscn(elf->handle, index) : NULL;
	GElf_Shdr header;

	*source = (struct symbol_source){ 0 };
	if (!section || !gelf_getshdr(section, &header) ||
	    (header.sh_type != SHT_DYNSYM && header.sh_type != SHT_SYMTAB) ||
	    header.sh_size > ELF_TABLE_LIMIT)
		return 0;
	errno = 0;
	source->symbols = elf_getdata(section, NULL);
	if (!source->symbols)
		return errno == ENOMEM ? -ENOMEM : 0;
	if (!source->symbols->d_buf || source->symbols->d_type != ELF_T_SYM)
		source->symbols = NULL;
	return elf_read_names(&source->names, elf, header.sh_link);
}

static const char *symbol_name(const struct symbol_source *source, uint64_t index)
{
	GElf_Sym symbol;

	if (!source->symbols || index > INT32_MAX ||
	    !gelf_getsym(source->symbols, (int)index, &symbol) ||
	    symbol.st_name >= source->names.size)
		return "";
	return source->names.text + symbol.st_name;
}

static bool get_relocation(GElf_Rela *relocation, Elf_Data *data, size_t i)
{
	GElf_Rel short_form;

	if (data->d_type == ELF_T_RELA)
		return gelf_getrela(data, (int)i, relocation);
	if (!gelf_getrel(data, (int)i, &short_form))
		return false;
	*relocation = (GElf_Rela){ short_form.r_offset, short_form.r_info, 0 };
	return true;
}

/* Without a symbol, the addend is the address of a resolver. */
static void apply(struct reader *reader, const struct symbol_source *source,
		  const GElf_Rela *relocation)
{
	uint32_t i = idmap_find(&reader->by_slot, relocation->r_offset);
	uint64_t symbol = GELF_R_SYM(relocation->r_info);

	if (i == IDMAP_NONE)
		return;
	if (symbol > 0)
		reader->stubs.items[i].name = symbol_name(source, symbol);
	else
		reader->stubs.items[i].resolver = (uint64_t)relocation->r_addend;
}

static int read_relocations(struct reader *reader, Elf_Scn *section,
			    const GElf_Shdr *header)
{
	struct symbol_source source;
	GElf_Rela relocation;
	Elf_Data *data;
	size_t size, count;
	int rc;

	errno = 0;
	data = elf_getdata(section, NULL);
	if (!data || !data->d_buf ||
	    (data->d_type != ELF_T_RELA && data->d_type != ELF_T_REL))
		return errno == ENOMEM ? -ENOMEM : 0;
	rc = open_symbols(&source, reader->elf, header->sh_link);
	size = gelf_fsize(reader->elf->handle, data->d_type, 1, EV_CURRENT);
	count = size ? data->d_size / size : 0;
	for (size_t i = 0; rc == 0 && i < count && i <= INT32_MAX; i++)
		if (get_relocation(&relocation, data, i))
			apply(reader, &source, &relocation);
	return rc;
}

static int name_stubs(struct reader *reader)
{
	Elf_Scn *section = NULL;
	const char *name;
	GElf_Shdr header;
	bool is_limited;
	int rc = 0;

	while (rc == 0 && (section = elf_nextscn(reader->elf->handle, section)))
		if (elf_section_header(reader->elf, section, &header, &name) &&
		    elf_is_plt_relocations(name, &is_limited) &&
		    (header.sh_type == SHT_RELA || header.sh_type == SHT_REL) &&
		    header.sh_size <=
			    (is_limited ? ELF_RELOCATIONS_LIMIT : ELF_TABLE_LIMIT))
			rc = read_relocations(reader, section, &header);
	return rc;
}

/* ---- result ------------------------------------------------------------------------ */

/* Neighbours without a name become one, such as the code that calls the linker. */
static int add_symbol(struct elf_plt *plt, const struct reader *reader,
		      const struct stub *stub)
{
	struct elf_symbols *symbols = &plt->stubs;
	struct elf_symbol *last = symbols->count ? &symbols->items[symbols->count - 1]
						 : NULL;
	struct elf_resolved *resolved = NULL;
	uint64_t offset, resolver = 0, size = stub->end - stub->address;
	struct elf_symbol *new;

	if (!elf_image_offset(reader->elf, stub->address, &offset))
		return 0;
	if (stub->resolver && elf_image_offset(reader->elf, stub->resolver, &resolver)) {
		resolved = array_add(&plt->resolved);
		if (!resolved)
			return -ENOMEM;
		*resolved = (struct elf_resolved){ offset, resolver };
	} else if (last && !*last->name && !*stub->name &&
		   last->offset + last->size == offset &&
		   (plt->resolved.count == 0 ||
		    plt->resolved.items[plt->resolved.count - 1].stub != last->offset)) {
		last->size += size;
		return 0;
	}
	new = array_add(symbols);
	if (!new)
		return -ENOMEM;
	*new = (struct elf_symbol){
		.name = stub->name, .offset = offset, .size = size, .table = ELF_TABLE_PLT
	};
	return 0;
}

int elf_read_plt(struct elf_plt *plt, const struct elf *elf, struct expt_error *err)
{
	struct reader reader = { .elf = elf };
	int rc = read_stubs(&reader);

	*plt = (struct elf_plt){ 0 };
	if (rc == 0 && reader.by_slot.count > 0)
		rc = name_stubs(&reader);
	for (size_t i = 0; rc == 0 && i < reader.stubs.count; i++)
		rc = add_symbol(plt, &reader, &reader.stubs.items[i]);
	array_release(&reader.stubs);
	idmap_release(&reader.by_slot);
	if (rc == 0)
		return 0;
	elf_plt_release(plt);
	return expt_fail(err, rc, "procedure linkage table");
}

void elf_plt_release(struct elf_plt *plt)
{
	array_release(&plt->stubs);
	array_release(&plt->resolved);
}

/* ---- sections ---------------------------------------------------------------------- */

static bool is_one_of(const char *name, const char *const *names)
{
	while (*names && strcmp(name, *names) != 0)
		names++;
	return *names;
}

bool elf_is_plt(const char *name)
{
	static const char *const names[] = { ".plt", ".plt.sec", ".plt.got", ".plt.bnd",
					     NULL };

	return is_one_of(name, names);
}

bool elf_is_plt_relocations(const char *name, bool *is_limited)
{
	static const char *const own[] = { ".rela.plt", ".rel.plt", NULL };
	static const char *const others[] = { ".rela.dyn", ".rel.dyn", NULL };

	*is_limited = is_one_of(name, others);
	return *is_limited || is_one_of(name, own);
}
