/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/patch/wrappers.h"

#include <string.h>

#include "collector/base/gnu_hash.h"
#include "collector/base/memory.h"

#define WRAPPERS_MAX 1024
#define BUCKETS	     2048
#define STARTS	     4096

static MEMORY_APART struct {
	struct wrapper all[WRAPPERS_MAX];
	uint16_t buckets[BUCKETS];    /* counted from 1 */
	uint64_t starts[STARTS / 64]; /* a bit for each hash of three letters */
	unsigned count;
} table;

static struct wrapper *wrapper_at(unsigned number)
{
	return number > 0 ? &table.all[number - 1] : NULL;
}

bool wrappers_are_of(const struct module *module)
{
	return module_has_version(module, "ERKIT_PRIVATE");
}

/* ---- what our libraries define ---- */

void wrappers_clear(void)
{
	memset(table.buckets, 0, sizeof(table.buckets));
	memset(table.starts, 0, sizeof(table.starts));
	table.count = 0;
}

static unsigned hash_of_start(uint32_t start)
{
	return start * UINT32_C(2654435761) / (UINT32_MAX / STARTS + 1);
}

bool wrappers_have(uint32_t start)
{
	unsigned hash = hash_of_start(start);

	return (table.starts[hash / 64] >> hash % 64 & 1) != 0;
}

static bool is_same_version(const char *one, const char *other)
{
	return !one || !other || strcmp(one, other) == 0;
}

/* Returns whether there are wrappers of this function, which the new one calls. */
static bool replace(const char *name, uint32_t hash, const char *version, uintptr_t ours)
{
	struct wrapper *wrapper = wrapper_at(table.buckets[hash % BUCKETS]);
	bool has_replaced = false;

	for (; wrapper; wrapper = wrapper_at(wrapper->next)) {
		if (wrapper->hash != hash || strcmp(wrapper->name, name) != 0 ||
		    !is_same_version(wrapper->version.name, version))
			continue;
		wrapper->ours = ours;
		has_replaced = true;
	}
	return has_replaced;
}

static void add(const char *name, struct module_version version, uintptr_t ours)
{
	uint32_t hash = gnu_hash(name);
	uint16_t *bucket = &table.buckets[hash % BUCKETS];

	if (replace(name, hash, version.name, ours) || table.count == WRAPPERS_MAX)
		return;
	table.all[table.count++] = (struct wrapper){ .name = name,
						     .version = version,
						     .hash = hash,
						     .next = *bucket,
						     .ours = ours };
	*bucket = (uint16_t)table.count;
}

/* A version of our own libraries is for none but themselves. */
static bool is_of_library(const char *version)
{
	return !version || strncmp(version, "GLIBC_", 6) == 0 ||
	       strncmp(version, "GOMP_", 5) == 0 || strncmp(version, "OMP_", 4) == 0;
}

void wrappers_add(const struct module *module)
{
	size_t count = module_symbol_count(module);

	for (size_t i = 1; i < count; i++) {
		const ElfW(Sym) *symbol = module_symbol(module, i);
		struct module_version version = module_version(module, i);
		const char *name = symbol ? module_symbol_name(module, symbol) : NULL;

		if (name && symbol->st_shndx != SHN_UNDEF &&
		    ELF64_ST_TYPE(symbol->st_info) == STT_FUNC &&
		    is_of_library(version.name)) {
			unsigned start =
				hash_of_start(module_symbol_start(module, symbol));

			table.starts[start / 64] |= UINT64_C(1) << start % 64;
			add(name, version, module->base + symbol->st_value);
		}
	}
}

/* ---- what the program was bound to ---- */

void wrappers_unbind_far(void)
{
	for (unsigned i = 0; i < table.count; i++) {
		if (table.all[i].is_far)
			table.all[i].real = 0;
		table.all[i].rivals = RIVALS_UNKNOWN;
	}
}

static bool is_sanitizer(const struct module *module)
{
	return module_find(module, "__sanitizer_report_error_summary", NULL) != NULL;
}

void wrappers_bind(const struct module *module, enum wrappers_place place)
{
	bool is_kept = place == WRAPPERS_PROGRAM || is_sanitizer(module);

	for (unsigned i = 0; i < table.count; i++) {
		struct wrapper *wrapper = &table.all[i];

		if (place == WRAPPERS_PROGRAM)
			wrapper->plt = (uintptr_t)module_find_plt(module, wrapper->name,
								  wrapper->version.name);
		if (wrapper->real != 0)
			continue;
		wrapper->real = (uintptr_t)module_find(module, wrapper->name,
						       wrapper->version.name);
		wrapper->is_kept = is_kept;
		wrapper->is_far = place == WRAPPERS_FAR;
	}
}

struct rival {
	const struct wrapper *wrapper;
	bool is_found;
};

static int find_rival(struct dl_phdr_info *info, size_t size, void *data)
{
	struct rival *rival = data;
	struct module module;
	void *function;

	if (!module_read(&module, info) || wrappers_are_of(&module))
		return 0;
	function =
		module_find(&module, rival->wrapper->name, rival->wrapper->version.name);
	rival->is_found = function && (uintptr_t)function != rival->wrapper->real;
	return rival->is_found;
}

bool wrapper_has_rivals(struct wrapper *wrapper)
{
	struct rival rival = { wrapper, false };

	if (wrapper->rivals == RIVALS_UNKNOWN) {
		dl_iterate_phdr(find_rival, &rival);
		wrapper->rivals = rival.is_found ? RIVALS_FOUND : RIVALS_NONE;
	}
	return wrapper->rivals == RIVALS_FOUND;
}

/* ---- */

struct wrapper *wrappers_find(const struct module *module, size_t index, const char *name)
{
	uint32_t hash = gnu_hash(name);
	struct wrapper *wrapper = wrapper_at(table.buckets[hash % BUCKETS]);
	struct module_version version;

	while (wrapper && (wrapper->hash != hash || strcmp(wrapper->name, name) != 0))
		wrapper = wrapper_at(wrapper->next);
	if (!wrapper)
		return NULL;
	version = module_version(module, index);
	for (; wrapper; wrapper = wrapper_at(wrapper->next))
		if (strcmp(wrapper->name, name) == 0 &&
		    (version.name ? is_same_version(wrapper->version.name, version.name)
				  : !wrapper->version.is_hidden))
			return wrapper;
	return NULL;
}
