/* SPDX-License-Identifier: Apache-2.0 */
/* tests/libexpt/disassembly.t compares with objdump; this is what it does not show. */
#include "libexpt/disassembly/disassembly.h"

#include <elf.h>

#include "tests/libexpt/test.h"

static struct disassembler *disassembler;

static int start(void **state)
{
	struct expt_error err;

	if (disassembler_open(&disassembler, EM_X86_64, &err) == 0)
		return 0;
	print_message("%s\n", err.message);
	return -1;
}

static int stop(void **state)
{
	disassembler_close(disassembler);
	disassembler = NULL;
	return 0;
}

/* Reads an instruction at address 0x1000 from the bytes of a string literal. */
#define READ(instruction, bytes)                                                     \
	disassemble(disassembler, (const unsigned char *)(bytes), sizeof(bytes) - 1, \
		    0x1000, (instruction))

static void calls_and_branches_are_told_apart(void **state)
{
	static const struct {
		const char *bytes;
		size_t size;
		enum expt_instruction_kind kind;
		uint64_t target; /* 0: none */
	} cases[] = {
		{ "\xe8\x0b\0\0\0", 5, EXPT_INSTRUCTION_CALL, 0x1010 },
		{ "\xff\xd0", 2, EXPT_INSTRUCTION_CALL, 0 },
		{ "\xe9\xfb\xff\xff\xff", 5, EXPT_INSTRUCTION_JUMP, 0x1000 },
		{ "\xeb\xfe", 2, EXPT_INSTRUCTION_JUMP, 0x1000 },
		{ "\xff\x25\x10\0\0\0", 6, EXPT_INSTRUCTION_JUMP, 0 },
		{ "\x3e\xff\xe0", 3, EXPT_INSTRUCTION_JUMP, 0 },
		{ "\x74\x0e", 2, EXPT_INSTRUCTION_BRANCH, 0x1010 },
		{ "\x0f\x8f\x0a\0\0\0", 6, EXPT_INSTRUCTION_BRANCH, 0x1010 },
		{ "\xe2\x0e", 2, EXPT_INSTRUCTION_BRANCH, 0x1010 },
		{ "\xc3", 1, EXPT_INSTRUCTION_RETURN, 0 },
		{ "\xf3\xc3", 2, EXPT_INSTRUCTION_RETURN, 0 },
		{ "\xc2\x08\0", 3, EXPT_INSTRUCTION_RETURN, 0 },
		{ "\xff\xc0", 2, EXPT_INSTRUCTION_OTHER, 0 },
		{ "\xff\x30", 2, EXPT_INSTRUCTION_OTHER, 0 },
		{ "\x06", 1, EXPT_INSTRUCTION_BAD, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct instruction found;

		assert_int_equal(disassemble(disassembler,
					     (const unsigned char *)cases[i].bytes,
					     cases[i].size, 0x1000, &found),
				 cases[i].size);
		assert_int_equal(found.kind, cases[i].kind);
		assert_int_equal(found.has_target, cases[i].target != 0);
		assert_int_equal(found.target, cases[i].target);
	}
}

static void memory_relative_to_the_instruction_has_an_address(void **state)
{
	struct instruction found;

	assert_int_equal(READ(&found, "\x48\x8b\x05\xf9\xff\xff\xff"), 7);
	assert_string_equal(found.mnemonic, "mov");
	assert_string_equal(found.operands, "-0x7(%rip),%rax");
	assert_true(found.has_memory);
	assert_int_equal(found.memory, 0x1000);
	assert_int_equal(READ(&found, "\x48\x8b\x45\xf9"), 4);
	assert_false(found.has_memory);
	/* With a constant after the displacement, and with EVEX. */
	assert_int_equal(READ(&found, "\xc7\x05\x06\0\0\0\x01\0\0\0"), 10);
	assert_int_equal(found.memory, 0x1010);
	assert_int_equal(READ(&found, "\x62\xf1\xfe\x48\x6f\x05\x06\0\0\0"), 10);
	assert_string_equal(found.mnemonic, "vmovdqu64");
	assert_int_equal(found.memory, 0x1010);
}

static void an_instruction_that_is_cut_off_is_one_byte(void **state)
{
	struct instruction found;

	assert_int_equal(READ(&found, "\xe8\x0b\0\0"), 1);
	assert_string_equal(found.mnemonic, INSTRUCTION_BAD);
	assert_int_equal(found.kind, EXPT_INSTRUCTION_BAD);
	assert_false(found.has_target);
	assert_int_equal(READ(&found, "\x62\xf1"), 1);
	assert_int_equal(READ(&found, "\x66"), 1);
	assert_int_equal(READ(&found, ""), 0);
}

static void endless_prefixes_end(void **state)
{
	unsigned char bytes[64];
	struct instruction found;
	size_t size;

	memset(bytes, 0x66, sizeof(bytes));
	for (size_t at = 0; at < sizeof(bytes); at += size) {
		size = disassemble(disassembler, bytes + at, sizeof(bytes) - at, at,
				   &found);
		assert_in_range(size, 1, 15);
		assert_int_equal(found.kind, EXPT_INSTRUCTION_BAD);
	}
}

static void another_processor_is_refused(void **state)
{
	struct disassembler *none = NULL;
	struct expt_error err;

	assert_int_equal(disassembler_open(&none, EM_S390, &err), -ENOTSUP);
	assert_string_equal(err.message, "cannot disassemble code of ELF machine 22");
	assert_null(none);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)
		TEST(calls_and_branches_are_told_apart),
		TEST(memory_relative_to_the_instruction_has_an_address),
		TEST(an_instruction_that_is_cut_off_is_one_byte),
		TEST(endless_prefixes_end),
		TEST(another_processor_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
