/* SPDX-License-Identifier: Apache-2.0 */
/*
 * disassemble FILE: print the instructions of ranges of an ELF file, which are lines of
 * standard input, "START END" in hexadecimal. An instruction is a line: address, a tab,
 * text. Made for comparisons with other disassemblers.
 *
 * disassemble --random COUNT: disassemble that many random bytes.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/disassembly/disassembly.h"
#include "libexpt/elf/elf.h"

static int fail(const char *what, const struct expt_error *err)
{
	fprintf(stderr, "disassemble: %s: %s\n", what, err->message);
	return 1;
}

static void print_range(struct disassembler *disassembler, const unsigned char *bytes,
			size_t size, uint64_t address)
{
	struct instruction instruction;
	size_t at = 0, length;

	while ((length = disassemble(disassembler, bytes + at, size - at, address + at,
				     &instruction)) > 0) {
		printf("%llx\t%s%s%s\n", (unsigned long long)(address + at),
		       instruction.mnemonic, *instruction.operands ? " " : "",
		       instruction.operands);
		at += length;
	}
}

static int print_file(struct disassembler *disassembler, const struct elf *elf)
{
	unsigned long long start, end;
	struct expt_error err;

	while (scanf("%llx %llx", &start, &end) == 2) {
		uint64_t offset;
		unsigned char *bytes;
		size_t size;

		if (end <= start || !elf_image_offset(elf, start, &offset))
			continue;
		size = elf_code_size(elf, offset, end - start);
		bytes = malloc(size + 1);
		if (!bytes || elf_read_code(elf, offset, bytes, size, &err) < 0)
			return fail("code", &err);
		print_range(disassembler, bytes, size, start);
		free(bytes);
	}
	return 0;
}

/* Bytes end where their memory does, so that a sanitizer sees what is read after them. */
static int try_random(struct disassembler *disassembler, unsigned long count)
{
	unsigned char *bytes = malloc(4096);
	unsigned long shown = 0;

	srandom(1);
	for (unsigned long done = 0; bytes && done < count; done += 4096) {
		struct instruction instruction;
		size_t length;

		for (size_t i = 0; i < 4096; i++)
			bytes[i] = (unsigned char)(random() >> 8);
		for (size_t at = 0; at < 4096; at += length, shown++) {
			length = disassemble(disassembler, bytes + at, 4096 - at, at,
					     &instruction);
			if (length == 0 || length > 4096 - at)
				return 1;
		}
	}
	free(bytes);
	printf("%lu instructions\n", shown);
	return 0;
}

int main(int argc, char *argv[])
{
	struct disassembler *disassembler = NULL;
	struct elf *elf = NULL;
	struct expt_error err;
	int status;

	if (argc < 2)
		return 2;
	if (disassembler_open(&disassembler, EM_X86_64, &err) < 0)
		return fail("cannot start", &err);
	if (argc == 3 && strcmp(argv[1], "--random") == 0) {
		status = try_random(disassembler, strtoul(argv[2], NULL, 10));
	} else {
		if (elf_open(&elf, open(argv[1], O_RDONLY | O_CLOEXEC), &err) < 0)
			return fail(argv[1], &err);
		status = print_file(disassembler, elf);
	}
	elf_close(elf);
	disassembler_close(disassembler);
	return status;
}
