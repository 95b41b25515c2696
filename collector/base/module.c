/* SPDX-License-Identifier: Apache-2.0 */
/* Modules in memory. libc's dladdr() and dlsym() would see less: not the definition that
 * a version chooses, and the program's PLT where it has the address of a function. */

#include "collector/base/module.h"

#include <string.h>

#include "collector/base/gnu_hash.h"

#define BASE_VERSION 1 /* of symbols without a version */
#define HIDDEN	     0x8000

bool module_holds(const struct module *module, const void *memory, size_t size)
{
	uintptr_t at = (uintptr_t)memory - module->base;

	for (unsigned i = 0; i < module->header_count; i++) {
		const ElfW(Phdr) *header = &module->headers[i];

		if (header->p_type == PT_LOAD && (header->p_flags & PF_R) != 0 &&
		    at >= header->p_vaddr && size <= header->p_memsz &&
		    at - header->p_vaddr <= header->p_memsz - size)
			return true;
	}
	return false;
}

/* ---- the dynamic section ---- */

/* libc adds the base to most of the addresses there, but not to all. NULL: not here. */
static const void *locate(const struct module *module, uintptr_t address, size_t size)
{
	const void *here = (const void *)address;

	if (address == 0)
		return NULL;
	if (module_holds(module, here, size))
		return here;
	here = (const void *)(module->base + address);
	return module_holds(module, here, size) ? here : NULL;
}

struct dynamic {
	uintptr_t symbols, names, hash, gnu_hash, versions, defined, needed, calls, data,
		calls_table;
	size_t names_size, calls_size, calls_kind, data_size, relative_count;
};

static void take_entry(struct module *module, struct dynamic *dynamic,
		       const ElfW(Dyn) * entry)
{
	const struct {
		ElfW(Sxword) tag;
		size_t *value;
	} wanted[] = {
		{ DT_SYMTAB, &dynamic->symbols },
		{ DT_STRTAB, &dynamic->names },
		{ DT_STRSZ, &dynamic->names_size },
		{ DT_HASH, &dynamic->hash },
		{ DT_GNU_HASH, &dynamic->gnu_hash },
		{ DT_VERSYM, &dynamic->versions },
		{ DT_VERDEF, &dynamic->defined },
		{ DT_VERDEFNUM, &module->defined_count },
		{ DT_VERNEED, &dynamic->needed },
		{ DT_VERNEEDNUM, &module->needed_count },
		{ DT_PLTGOT, &dynamic->calls_table },
		{ DT_JMPREL, &dynamic->calls },
		{ DT_PLTRELSZ, &dynamic->calls_size },
		{ DT_PLTREL, &dynamic->calls_kind },
		{ DT_RELA, &dynamic->data },
		{ DT_RELASZ, &dynamic->data_size },
		{ DT_RELACOUNT, &dynamic->relative_count },
	};

	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		if (wanted[i].tag == entry->d_tag)
			*wanted[i].value = entry->d_un.d_val;
}

static struct relocations relocations(const struct module *module, uintptr_t address,
				      size_t size)
{
	const ElfW(Rela) *first = locate(module, address, size);

	return (struct relocations){ first, first ? size / sizeof(*first) : 0 };
}

static void take_dynamic(struct module *module, const struct dynamic *dynamic)
{
	module->names = locate(module, dynamic->names, dynamic->names_size);
	module->names_size = module->names ? dynamic->names_size : 0;
	module->symbols = locate(module, dynamic->symbols, sizeof(ElfW(Sym)));
	module->hash = locate(module, dynamic->hash, 8);
	module->gnu_hash = locate(module, dynamic->gnu_hash, 16);
	module->versions = locate(module, dynamic->versions, 2);
	module->defined = locate(module, dynamic->defined, sizeof(ElfW(Verdef)));
	module->needed = locate(module, dynamic->needed, sizeof(ElfW(Verneed)));
	module->calls_table = locate(module, dynamic->calls_table, 16);
	if (dynamic->calls_kind == DT_RELA)
		module->calls = relocations(module, dynamic->calls, dynamic->calls_size);
	module->data = relocations(module, dynamic->data, dynamic->data_size);
	if (dynamic->relative_count <= module->data.count) {
		module->data.first += dynamic->relative_count;
		module->data.count -= dynamic->relative_count;
	}
}

struct module module_at(const struct dl_phdr_info *info)
{
	return (struct module){ .base = info->dlpi_addr,
				.headers = info->dlpi_phdr,
				.header_count = info->dlpi_phnum };
}

bool module_read(struct module *module, const struct dl_phdr_info *info)
{
	struct dynamic dynamic = { 0 };
	const ElfW(Dyn) *entry = NULL;

	*module = module_at(info);
	for (unsigned i = 0; i < module->header_count; i++)
		if (module->headers[i].p_type == PT_DYNAMIC)
			entry = (const void *)(module->base + module->headers[i].p_vaddr);
	if (!entry)
		return false;
	for (; module_holds(module, entry, sizeof(*entry)) && entry->d_tag != DT_NULL;
	     entry++)
		take_entry(module, &dynamic, entry);
	take_dynamic(module, &dynamic);
	return module->symbols && module->names;
}

/* ---- symbols ---- */

const ElfW(Sym) * module_symbol(const struct module *module, size_t index)
{
	const ElfW(Sym) *symbol = module->symbols + index;

	return module_holds(module, symbol, sizeof(*symbol)) ? symbol : NULL;
}

static const char *name_at(const struct module *module, size_t offset)
{
	const char *name = module->names + offset;

	if (offset >= module->names_size ||
	    !memchr(name, '\0', module->names_size - offset))
		return NULL;
	return name;
}

const char *module_symbol_name(const struct module *module, const ElfW(Sym) * symbol)
{
	return symbol->st_name == 0 ? NULL : name_at(module, symbol->st_name);
}

uint32_t module_symbol_start(const struct module *module, const ElfW(Sym) * symbol)
{
	uint32_t start = 0;

	if (symbol->st_name < module->names_size &&
	    module->names_size - symbol->st_name >= sizeof(start))
		memcpy(&start, module->names + symbol->st_name, sizeof(start));
	return start & 0xffffff;
}

/* ---- versions ---- */

/* These search for a name, or, if it is NULL, for a number. */

static const char *version_defined(const struct module *module, size_t number,
				   const char *name)
{
	const char *at = module->defined;

	for (size_t i = 0; at && i < module->defined_count; i++) {
		const ElfW(Verdef) *version = (const void *)at;
		const ElfW(Verdaux) * text;
		const char *own;

		if (!module_holds(module, version, sizeof(*version)))
			return NULL;
		text = (const void *)(at + version->vd_aux);
		if (!module_holds(module, text, sizeof(*text)))
			return NULL;
		own = name_at(module, text->vda_name);
		if (name ? own && strcmp(own, name) == 0 : version->vd_ndx == number)
			return own;
		if (version->vd_next == 0)
			break;
		at += version->vd_next;
	}
	return NULL;
}

static const char *version_of_file(const struct module *module,
				   const ElfW(Verneed) * file, size_t number,
				   const char *name)
{
	const char *at = (const char *)file + file->vn_aux;

	for (unsigned i = 0; i < file->vn_cnt; i++) {
		const ElfW(Vernaux) *version = (const void *)at;
		const char *own;

		if (!module_holds(module, version, sizeof(*version)))
			return NULL;
		own = name_at(module, version->vna_name);
		if (name ? own && strcmp(own, name) == 0
			 : (version->vna_other & ~HIDDEN) == number)
			return own;
		if (version->vna_next == 0)
			break;
		at += version->vna_next;
	}
	return NULL;
}

static const char *version_needed(const struct module *module, size_t number,
				  const char *name)
{
	const char *at = module->needed;

	for (size_t i = 0; at && i < module->needed_count; i++) {
		const ElfW(Verneed) *file = (const void *)at;
		const char *own;

		if (!module_holds(module, file, sizeof(*file)))
			return NULL;
		own = version_of_file(module, file, number, name);
		if (own)
			return own;
		if (file->vn_next == 0)
			break;
		at += file->vn_next;
	}
	return NULL;
}

struct module_version module_version(const struct module *module, size_t index)
{
	struct module_version version = { NULL, false };
	const ElfW(Half) *entry = module->versions ? module->versions + index : NULL;
	unsigned number;

	if (!entry || !module_holds(module, entry, sizeof(*entry)))
		return version;
	number = *entry & ~HIDDEN;
	version.is_hidden = (*entry & HIDDEN) != 0;
	if (number > BASE_VERSION) {
		version.name = version_needed(module, number, NULL);
		if (!version.name)
			version.name = version_defined(module, number, NULL);
	}
	return version;
}

bool module_has_version(const struct module *module, const char *name)
{
	return version_defined(module, 0, name) || version_needed(module, 0, name);
}

/* ---- lookup ---- */

/* Those that choose their code when they are bound (IFUNC) have no address of their own.
 */
static bool is_function(const ElfW(Sym) * symbol)
{
	int type = ELF64_ST_TYPE(symbol->st_info);

	return type == STT_FUNC || type == STT_NOTYPE;
}

/* A symbol that may be the one, and how well it suits. */
struct found {
	const ElfW(Sym) * symbol;
	bool is_hidden;
	bool is_defined; /* which is wanted: a function of this module, or of another one
			  */
};

/* Returns true if no other symbol suits better. */
static bool judge(const struct module *module, size_t index, const char *name,
		  const char *wanted, struct found *found)
{
	const ElfW(Sym) *symbol = module_symbol(module, index);
	const char *own = symbol ? module_symbol_name(module, symbol) : NULL;
	struct module_version version;

	if (!own || (symbol->st_shndx != SHN_UNDEF) != found->is_defined ||
	    symbol->st_value == 0 || !is_function(symbol) || strcmp(own, name) != 0)
		return false;
	version = module_version(module, index);
	if (wanted && version.name && strcmp(version.name, wanted) != 0)
		return false;
	if (!found->symbol || found->is_hidden) {
		found->symbol = symbol;
		found->is_hidden = version.is_hidden;
	}
	return !version.is_hidden || wanted;
}

static void find_by_gnu_hash(const struct module *module, const char *name,
			     const char *version, struct found *found)
{
	const uint32_t *table = module->gnu_hash, *buckets, *chain;
	uint32_t count = table[0], first = table[1], words = table[2], index;
	const uint64_t *bloom = (const void *)(table + 4);
	uint32_t hash = gnu_hash(name);

	buckets = (const void *)(bloom + words);
	if (count == 0 || words == 0 ||
	    !module_holds(module, bloom, words * sizeof(*bloom)) ||
	    !module_holds(module, buckets, count * sizeof(*buckets)))
		return;
	if ((bloom[hash / 64 % words] >> hash % 64 &
	     bloom[hash / 64 % words] >> (hash >> (table[3] & 31)) % 64 & 1) == 0)
		return;
	index = buckets[hash % count];
	for (chain = buckets + count - first; index >= first; index++) {
		if (!module_holds(module, chain + index, sizeof(*chain)) ||
		    ((chain[index] | 1) == (hash | 1) &&
		     judge(module, index, name, version, found)) ||
		    (chain[index] & 1) != 0)
			return;
	}
}

static void find_by_hash(const struct module *module, const char *name,
			 const char *version, struct found *found)
{
	const uint32_t *table = module->hash, *buckets = table + 2, *chain;
	uint32_t hash = 0, index;

	for (const char *at = name; *at; at++) {
		hash = (hash << 4) + (unsigned char)*at;
		hash = (hash ^ (hash >> 24 & 0xf0)) & 0x0fffffff;
	}
	chain = buckets + table[0];
	if (table[0] == 0 ||
	    !module_holds(module, buckets,
			  ((size_t)table[0] + table[1]) * sizeof(*buckets)))
		return;
	index = buckets[hash % table[0]];
	for (uint32_t steps = 0; index != 0 && index < table[1] && steps < table[1];
	     steps++) {
		if (judge(module, index, name, version, found))
			return;
		index = chain[index];
	}
}

static void *find(const struct module *module, const char *name, const char *version,
		  bool is_defined)
{
	struct found found = { NULL, false, is_defined };

	if (module->gnu_hash)
		find_by_gnu_hash(module, name, version, &found);
	else if (module->hash)
		find_by_hash(module, name, version, &found);
	return found.symbol ? (void *)(module->base + found.symbol->st_value) : NULL;
}

void *module_find(const struct module *module, const char *name, const char *version)
{
	return find(module, name, version, true);
}

void *module_find_plt(const struct module *module, const char *name, const char *version)
{
	return find(module, name, version, false);
}

bool module_is_libc(const struct module *module)
{
	return module_find(module, "gnu_get_libc_version", NULL) != NULL;
}

/* The last chain that begins in a bucket ends with the last symbol. */
static size_t count_by_gnu_hash(const struct module *module)
{
	const uint32_t *table = module->gnu_hash, *buckets, *chain;
	uint32_t count = table[0], first = table[1], last = 0;

	buckets = (const void *)((const uint64_t *)(const void *)(table + 4) + table[2]);
	if (!module_holds(module, buckets, count * sizeof(*buckets)))
		return 0;
	for (uint32_t i = 0; i < count; i++)
		if (buckets[i] > last)
			last = buckets[i];
	if (last < first)
		return first;
	for (chain = buckets + count - first;
	     module_holds(module, chain + last, sizeof(*chain)) && (chain[last] & 1) == 0;
	     last++)
		;
	return last + (size_t)1;
}

size_t module_symbol_count(const struct module *module)
{
	if (module->gnu_hash)
		return count_by_gnu_hash(module);
	return module->hash ? module->hash[1] : 0;
}
