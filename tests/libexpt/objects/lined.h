/* SPDX-License-Identifier: Apache-2.0 */
/* A library with source lines, mapped in an experiment. */
#ifndef TESTS_LIBEXPT_OBJECTS_LINED_H
#define TESTS_LIBEXPT_OBJECTS_LINED_H

#include "tests/libexpt/objects/mapped.h"

#include <sys/stat.h>

#include "libexpt/archives/name.h"
#include "libexpt/base/path.h"

static const char program[] = "static inline __attribute__((always_inline)) int\n"
			      "inner(int x)\n"
			      "{\n"
			      "	volatile int y = x;\n"
			      "	return y * 3;\n"
			      "}\n"
			      "int outer(int x)\n"
			      "{\n"
			      "	return inner(x) +\n"
			      "	       inner(x + 1);\n"
			      "}\n"
			      "int other(int x)\n"
			      "{\n"
			      "	return x + 1;\n"
			      "}\n";

static inline const struct elf_symbol *find_symbol(const struct elf_symbols *symbols,
						   const char *name)
{
	for (size_t i = 0; i < symbols->count; i++)
		if (strcmp(symbols->items[i].name, name) == 0)
			return &symbols->items[i];
	fail_msg("no %s", name);
	return NULL;
}

/* Gets the place of the function in lib.so. */
static inline void find_function(const char *name, uint64_t *offset, uint64_t *size)
{
	struct elf_symbols symbols = { .items = NULL };
	struct elf *elf = open_elf("lib.so");
	const struct elf_symbol *symbol;

	assert_int_equal(elf_read_symbols(&symbols, elf, elf, NULL), 0);
	symbol = find_symbol(&symbols, name);
	*offset = symbol->offset;
	*size = symbol->size;
	free(symbols.items);
	elf_close(elf);
}

static inline const char *library(void)
{
	static char path[4096];

	snprintf(path, sizeof(path), "%s/lib.so", here);
	return path;
}

/* Opens an experiment in which lib.so was mapped, with the identity that it has now. */
static inline void map_library(const char *path)
{
	char identity[200];
	struct elf *elf = open_elf("lib.so");
	struct stat status;

	assert_int_equal(stat("lib.so", &status), 0);
	snprintf(identity, sizeof(identity),
		 "buildid=\"%s\" fsize=\"%lld\" mtime=\"%lld.%09ld\"", elf_build_id(elf),
		 (long long)status.st_size, (long long)status.st_mtim.tv_sec,
		 status.st_mtim.tv_nsec);
	elf_close(elf);
	add_segment_as(BASE, 0x10000, 0, 5, "0.0", path, identity);
	open_experiment();
}

static inline void make_library_with(const char *flags)
{
	char driver[300];

	snprintf(driver, sizeof(driver),
		 "cc -shared -fPIC -O2 -Wl,--build-id=sha1 -Wl,-z,noseparate-code %s",
		 flags);
	remove_all("lib.so");
	compile("lib.so", driver, "c", program);
}

static inline size_t positions_at(uint64_t offset, const struct expt_position **positions)
{
	struct expt_place place;

	expt_place(expt, BASE + offset, 0, &place);
	return expt_place_positions(&place, positions);
}

static inline void archive(const char *file, const char *path)
{
	char name[ARCHIVE_NAME_SIZE];

	make_directory("test.1.er");
	make_directory("test.1.er/archives");
	expt_archive_name(name, path);
	assert_true(run("cp -p %s test.1.er/archives/%s", file, name));
}

#endif
