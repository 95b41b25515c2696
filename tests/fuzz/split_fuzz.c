/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz objects with split debug data, and the files and packages that hold the rest of
 * it. Names found are absolute, and a number that was found is found again. */
#include <stdlib.h>
#include <sys/mman.h>

#include "libexpt/base/array.h"
#include "libexpt/base/io.h"
#include "libexpt/elf/split.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	int fd = memfd_create("elf", MFD_CLOEXEC);
	struct split_units units = { .items = NULL };
	struct split_numbers numbers = { .items = NULL };
	struct elf *elf;

	if (fd < 0 || io_write_all(fd, bytes, size) < 0)
		abort();
	if (elf_open(&elf, fd, NULL) < 0)
		return 0;
	elf_split_units(&units, elf, NULL);
	for (size_t i = 0; i < units.count; i++)
		if (*units.items[i].path != '/')
			abort();
	elf_split_numbers(&numbers, elf);
	for (size_t i = 0; i < numbers.count; i++)
		if (!split_numbers_have(&numbers, numbers.items[i]))
			abort();
	split_units_release(&units);
	array_release(&numbers);
	elf_close(elf);
	return 0;
}
