/* SPDX-License-Identifier: Apache-2.0 */
/* The object without a file that the kernel maps into every process: its functions by
 * name. */

#include "collector/common/vdso.h"

#include <elf.h>
#include <link.h>
#include <sys/auxv.h>

#include "collector/base/text.h"
#include "collector/common/map_text.h"

struct vdso {
	uintptr_t start, load_offset, end;
	const ElfW(Sym) * symbols;
	const char *strings;
	size_t symbol_count;
};

/* A GNU hash table does not contain the number of symbols: the end of the last chain
 * gives it. */
static size_t count_by_gnu_hash(const uint32_t *table)
{
	const uint32_t *buckets = table + 4 + table[2] * 2;
	const uint32_t *chains = buckets + table[0];
	uint32_t last = 0;

	for (uint32_t i = 0; i < table[0]; i++)
		if (buckets[i] > last)
			last = buckets[i];
	if (last < table[1])
		return 0;
	while ((chains[last - table[1]] & 1) == 0)
		last++;
	return last + 1;
}

static void read_dynamic(struct vdso *vdso, const ElfW(Dyn) * dynamic)
{
	for (; dynamic->d_tag != DT_NULL; dynamic++) {
		const void *value =
			(const void *)(vdso->load_offset + dynamic->d_un.d_ptr);

		switch (dynamic->d_tag) {
		case DT_SYMTAB:
			vdso->symbols = value;
			break;
		case DT_STRTAB:
			vdso->strings = value;
			break;
		case DT_HASH:
			vdso->symbol_count = ((const uint32_t *)value)[1];
			break;
		case DT_GNU_HASH:
			if (vdso->symbol_count == 0)
				vdso->symbol_count = count_by_gnu_hash(value);
			break;
		}
	}
}

static bool find_vdso(struct vdso *vdso)
{
	const ElfW(Ehdr) *header = (const void *)getauxval(AT_SYSINFO_EHDR);
	const ElfW(Phdr) * segment;

	if (!header)
		return false;
	*vdso = (struct vdso){ .start = (uintptr_t)header,
			       .load_offset = (uintptr_t)header };
	segment = (const void *)((const char *)header + header->e_phoff);
	for (int i = 0; i < header->e_phnum; i++, segment++) {
		if (segment->p_type == PT_LOAD) {
			vdso->load_offset =
				vdso->start + segment->p_offset - segment->p_vaddr;
			vdso->end =
				vdso->load_offset + segment->p_vaddr + segment->p_memsz;
		}
	}
	segment = (const void *)((const char *)header + header->e_phoff);
	for (int i = 0; i < header->e_phnum; i++, segment++)
		if (segment->p_type == PT_DYNAMIC)
			read_dynamic(vdso, (const void *)(vdso->load_offset +
							  segment->p_vaddr));
	return vdso->symbols && vdso->strings;
}

void vdso_compose(struct text *text, uintptr_t address, uint64_t relative_ns)
{
	struct vdso vdso;
	uintptr_t shift;

	if (!find_vdso(&vdso))
		return;
	shift = address != 0 ? address - vdso.start : 0;
	for (size_t i = 0; i < vdso.symbol_count; i++) {
		const ElfW(Sym) *symbol = &vdso.symbols[i];

		if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_size == 0 ||
		    ELF64_ST_BIND(symbol->st_info) != STB_GLOBAL)
			continue;
		text_add(text, "<event kind=\"map\" object=\"dynfunc\" name=\"[vdso]\" "
			       "vaddr=\"0x");
		text_add_hex(text, vdso.load_offset + symbol->st_value + shift, 16);
		text_add(text, "\"");
		text_add_number(text, "size", (int64_t)symbol->st_size);
		text_add_attribute(text, "funcname", vdso.strings + symbol->st_name);
		text_add(text, "/>\n");
	}
	map_event_begin(text, "function", relative_ns, vdso.start + shift);
	text_add_number(text, "size", (int64_t)(vdso.end - vdso.start));
	text_add(text, " name=\"[vdso]\"/>\n");
}
