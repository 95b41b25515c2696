/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/watch/globals.h"

#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

/* Parts of each object: those of the program itself are smaller, as most variables of
 * interest are there. */
#define PARTS_OF_PROGRAM 64
#define PARTS_OF_LIBRARY 4
#define PART_MIN	 256

static struct {
	_Atomic uint64_t address, size;
} ranges[WATCH_GLOBALS_MAX];
static bool is_open;
static _Atomic size_t range_count;
static _Atomic unsigned version;

struct filling {
	size_t count;
	bool is_program; /* the first object */
};

static void add_parts(struct filling *filling, uint64_t start, uint64_t size)
{
	uint64_t parts = filling->is_program ? PARTS_OF_PROGRAM : PARTS_OF_LIBRARY;
	uint64_t part = (size / parts + PART_MIN) / PART_MIN * PART_MIN;

	for (uint64_t at = 0; at < size && filling->count < WATCH_GLOBALS_MAX;
	     at += part) {
		size_t i = filling->count++;

		atomic_store(&ranges[i].size, 0);
		atomic_store(&ranges[i].address, start + at);
		atomic_store(&ranges[i].size, size - at < part ? size - at : part);
	}
}

static bool is_ours(const char *path)
{
	const char *name = strrchr(path, '/');

	return strncmp(name ? name + 1 : path, "libcollector", strlen("libcollector")) ==
	       0;
}

/* Returns the end of what the dynamic linker makes read-only: tables of addresses. */
static uint64_t fixed_end(const struct dl_phdr_info *object)
{
	for (size_t i = 0; i < object->dlpi_phnum; i++)
		if (object->dlpi_phdr[i].p_type == PT_GNU_RELRO)
			return object->dlpi_phdr[i].p_vaddr +
			       object->dlpi_phdr[i].p_memsz;
	return 0;
}

static int add_object(struct dl_phdr_info *object, size_t size, void *data)
{
	struct filling *filling = data;
	uint64_t fixed = fixed_end(object);

	for (size_t i = 0; i < object->dlpi_phnum && !is_ours(object->dlpi_name); i++) {
		const ElfW(Phdr) *part = &object->dlpi_phdr[i];
		uint64_t start = part->p_vaddr, end = start + part->p_memsz;

		if (part->p_type != PT_LOAD || (part->p_flags & PF_W) == 0)
			continue;
		if (fixed > start && fixed <= end)
			start = fixed;
		add_parts(filling, object->dlpi_addr + start, end - start);
	}
	filling->is_program = false;
	return 0;
}

void watch_globals_open(void)
{
	is_open = true;
	watch_globals_refresh();
}

void watch_globals_refresh(void)
{
	struct filling filling = { .is_program = true };

	if (!is_open)
		return;
	dl_iterate_phdr(add_object, &filling);
	atomic_store(&range_count, filling.count);
	atomic_fetch_add(&version, 1);
}

size_t watch_globals_count(unsigned *now)
{
	*now = atomic_load(&version);
	return atomic_load(&range_count);
}

struct watch_range watch_globals_at(size_t i)
{
	return (struct watch_range){
		.address = atomic_load(&ranges[i].address),
		.size = atomic_load(&ranges[i].size),
	};
}
