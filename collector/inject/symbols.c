/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/inject/symbols.h"

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "collector/base/gnu_hash.h"
#include "collector/inject/maps.h"

#define SEGMENTS_MAX 64
#define DYNAMIC_MAX  128
#define NAME_SIZE    64

struct library {
	int memory;
	uint64_t base, bias;
	uint64_t symbols, names, hashes; /* addresses */
};

/* The loader adds the bias to these in memory, but not for every library. */
static uint64_t place(const struct library *library, uint64_t address)
{
	return address < library->base ? address + library->bias : address;
}

static void take_dynamic(struct library *library, const Elf64_Dyn *entry)
{
	if (entry->d_tag == DT_SYMTAB)
		library->symbols = place(library, entry->d_un.d_ptr);
	else if (entry->d_tag == DT_STRTAB)
		library->names = place(library, entry->d_un.d_ptr);
	else if (entry->d_tag == DT_GNU_HASH)
		library->hashes = place(library, entry->d_un.d_ptr);
}

static bool read_dynamic(struct library *library, uint64_t address, size_t size)
{
	Elf64_Dyn entries[DYNAMIC_MAX];
	size_t count = size / sizeof(*entries);

	if (count > DYNAMIC_MAX ||
	    !memory_read(library->memory, address, entries, count * sizeof(*entries)))
		return false;
	for (size_t i = 0; i < count && entries[i].d_tag != DT_NULL; i++)
		take_dynamic(library, &entries[i]);
	return library->symbols && library->names && library->hashes;
}

static bool open_library(struct library *library, int memory, uint64_t base)
{
	Elf64_Phdr segments[SEGMENTS_MAX];
	const Elf64_Phdr *dynamic = NULL;
	Elf64_Ehdr header;

	*library = (struct library){ .memory = memory, .base = base, .bias = base };
	if (!memory_read(memory, base, &header, sizeof(header)) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
	    header.e_phnum > SEGMENTS_MAX ||
	    !memory_read(memory, base + header.e_phoff, segments,
			 header.e_phnum * sizeof(*segments)))
		return false;
	for (size_t i = 0; i < header.e_phnum; i++) {
		if (segments[i].p_type == PT_LOAD && segments[i].p_offset == 0)
			library->bias = base - segments[i].p_vaddr;
		if (segments[i].p_type == PT_DYNAMIC)
			dynamic = &segments[i];
	}
	return dynamic &&
	       read_dynamic(library, library->bias + dynamic->p_vaddr, dynamic->p_memsz);
}

/* Returns the address, if the symbol has the name and is defined. */
static uint64_t check_symbol(const struct library *library, uint32_t index,
			     const char *name)
{
	char text[NAME_SIZE];
	Elf64_Sym symbol;

	if (!memory_read(library->memory, library->symbols + index * sizeof(symbol),
			 &symbol, sizeof(symbol)) ||
	    symbol.st_shndx == SHN_UNDEF ||
	    !memory_read_text(library->memory, library->names + symbol.st_name, text,
			      sizeof(text)) ||
	    strcmp(text, name) != 0)
		return 0;
	return library->bias + symbol.st_value;
}

/* The memory may hold anything: a real chain has a few symbols. */
#define CHAIN_MAX 10000

/* Follow one chain of the table. In the last hash of a chain the lowest bit is set. */
static uint64_t follow_chain(const struct library *library, uint64_t chains,
			     uint32_t first, uint32_t index, const char *name)
{
	uint32_t hash, wanted = gnu_hash(name);
	uint64_t found;

	for (int steps = 0;
	     steps < CHAIN_MAX &&
	     memory_read(library->memory, chains + (index - first) * sizeof(hash), &hash,
			 sizeof(hash));
	     steps++, index++) {
		if ((hash | 1) == (wanted | 1)) {
			found = check_symbol(library, index, name);
			if (found)
				return found;
		}
		if (hash & 1)
			break;
	}
	return 0;
}

uint64_t symbols_find(int memory, uint64_t base, const char *name)
{
	struct {
		uint32_t buckets, first, filters, shift;
	} head;
	struct library library;
	uint64_t buckets;
	uint32_t index;

	if (!open_library(&library, memory, base) ||
	    !memory_read(memory, library.hashes, &head, sizeof(head)) ||
	    head.buckets == 0)
		return 0;
	buckets = library.hashes + sizeof(head) + head.filters * sizeof(uint64_t);
	if (!memory_read(memory, buckets + gnu_hash(name) % head.buckets * sizeof(index),
			 &index, sizeof(index)) ||
	    index < head.first)
		return 0;
	return follow_chain(&library, buckets + head.buckets * sizeof(index), head.first,
			    index, name);
}
