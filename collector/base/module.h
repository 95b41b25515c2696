/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A module as the dynamic linker knows it: its symbols, their versions and its
 * relocations, read in the memory of the process. It may be damaged: nothing is read
 * outside the segments that its program headers name.
 */
#ifndef COLLECTOR_BASE_MODULE_H
#define COLLECTOR_BASE_MODULE_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct relocations {
	const ElfW(Rela) * first;
	size_t count;
};

struct module {
	uintptr_t base;
	const ElfW(Phdr) * headers;
	unsigned header_count;
	const ElfW(Sym) * symbols;
	const char *names;
	size_t names_size;
	const uint32_t *hash, *gnu_hash;
	const ElfW(Half) * versions;  /* of each symbol */
	const char *defined, *needed; /* lists of versions */
	size_t defined_count, needed_count;
	const void *calls_table;  /* DT_PLTGOT */
	struct relocations calls; /* DT_JMPREL */
	struct relocations data;  /* DT_RELA, without the relative ones */
};

/* Both are valid while dl_iterate_phdr() calls its function. The first one is enough for
 * module_holds(). False: there is no dynamic section. */
struct module module_at(const struct dl_phdr_info *info);
bool module_read(struct module *module, const struct dl_phdr_info *info);

/* Returns whether that memory is part of one segment. */
bool module_holds(const struct module *module, const void *memory, size_t size);

/* Find a function as the dynamic linker does: a symbol without a version suits every
 * version. version may be NULL: the default one, or else another one. NULL: the module
 * does not define it. */
void *module_find(const struct module *module, const char *name, const char *version);

/* Returns the address in the PLT of the program that stands for a function of another
 * module, in all modules; NULL: there is none. */
void *module_find_plt(const struct module *module, const char *name, const char *version);

/* libc defines it, and it is the first module to define most of what it defines. */
bool module_is_libc(const struct module *module);

/* One more than the last index of a symbol that the module defines. */
size_t module_symbol_count(const struct module *module);
/* NULL: there is no such symbol, or it has no name. */
const ElfW(Sym) * module_symbol(const struct module *module, size_t index);
const char *module_symbol_name(const struct module *module, const ElfW(Sym) * symbol);
/* The first bytes of the name; 0: it is shorter. Cheaper than the name. */
uint32_t module_symbol_start(const struct module *module, const ElfW(Sym) * symbol);

/* The version that the module defines for this symbol, or needs of it; NULL: none. */
struct module_version {
	const char *name;
	bool is_hidden; /* not the default one */
};
struct module_version module_version(const struct module *module, size_t index);
/* Returns whether the module defines that version for some symbol, or needs it. */
bool module_has_version(const struct module *module, const char *name);

#endif
