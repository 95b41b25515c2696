/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints the source positions of addresses, one hexadecimal address on each line of the
 * standard input, in the form of addr2line -a -i -f.
 *
 * usage: positions OBJECT [DEBUG [COMMON]]
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include "libexpt/dwarf/dwarf.h"

static struct elf *open_elf(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct expt_error error;
	struct elf *elf;

	if (fd < 0)
		return NULL;
	if (elf_open(&elf, fd, &error) < 0)
		errx(1, "%s: %s", path, error.message);
	return elf;
}

static struct elf *find_package(void *context, const struct split_units *units)
{
	char path[4096];

	if (units->count == 0)
		return NULL;
	snprintf(path, sizeof(path), "%s.dwp", (const char *)context);
	return open_elf(path);
}

static struct elf *find_unit(void *context, const struct split_unit *unit)
{
	(void)context;
	return open_elf(unit->path);
}

static void print(struct dwarf *dwarf, const struct elf *object, uint64_t address)
{
	const struct dwarf_position *positions;
	uint64_t offset;
	size_t count = 0;

	printf("0x%016llx\n", (unsigned long long)address);
	if (elf_image_offset(object, address, &offset))
		count = dwarf_positions(dwarf, offset, &positions);
	for (size_t i = 0; i < count; i++) {
		const struct dwarf_position *position = &positions[i];

		printf("%s\n", position->function ? position->function->name : "??");
		printf("%s:", position->path ? position->path->path : "??");
		if (position->line)
			printf("%u\n", position->line);
		else
			puts("?");
	}
	if (count == 0)
		puts("??\n??:0");
}

int main(int argc, char *argv[])
{
	struct dwarf_sources sources = {
		.find_package = find_package,
		.find_unit = find_unit,
		.context = argv[1],
	};
	struct expt_error error;
	unsigned long long address;
	struct dwarf *dwarf;
	struct elf *object;

	if (argc < 2 || argc > 4)
		errx(2, "usage: positions OBJECT [DEBUG [COMMON]]");
	object = open_elf(argv[1]);
	sources.object = object;
	sources.debug = open_elf(argv[argc > 2 ? 2 : 1]);
	sources.common = argc > 3 ? open_elf(argv[3]) : NULL;
	if (!object || !sources.debug)
		err(1, "cannot open it");
	if (dwarf_open(&dwarf, &sources, &error) < 0)
		errx(1, "%s", error.message);
	while (scanf("%llx", &address) == 1)
		print(dwarf, object, address);
	dwarf_close(dwarf);
	elf_close(object);
	return 0;
}
