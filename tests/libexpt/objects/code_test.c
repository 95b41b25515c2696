/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/format.h"
#include "tests/libexpt/objects/mapped.h"

static const char source[] =
	".text\n"
	".globl one\n.type one,@function\none: call two\n je 1f\n lea two(%rip),%rax\n"
	" nop\n1: ret\n.size one,.-one\n"
	".globl two\n.type two,@function\ntwo: jmp one+5\n.byte 6\n.size two,.-two\n";

/* Makes an experiment with an object of the source, and returns the function one. */
static const struct expt_function *open_one(void)
{
	char path[4096];
	uint64_t text, size;
	struct elf *elf;

	compile("object", "cc -shared -nostdlib -Wl,-Bsymbolic -Wl,-z,noseparate-code",
		"s", source);
	elf = open_elf("object");
	assert_true(elf_section(elf, ".text", &text, &size));
	elf_close(elf);
	snprintf(path, sizeof(path), "%s/object", here);
	add_segment(BASE, 8192, path);
	open_experiment();
	return at(BASE + text);
}

static struct expt_instructions *open_instructions(const struct expt_function *function)
{
	struct expt_instructions *instructions = NULL;
	struct expt_error err;

	if (expt_instructions_open(&instructions, function, EXPT_NAME_LONG, &err) < 0)
		fail_msg("%s", err.message);
	return instructions;
}

/* Write "mnemonic operands" of the next instruction, without addresses. */
static const char *next_text(struct expt_instructions *instructions,
			     struct expt_instruction *next)
{
	static char text[300];
	const char *name;

	if (!expt_instructions_next(instructions, next))
		return NULL;
	name = strchr(next->operands, '<');
	snprintf(text, sizeof(text), "%s %s", next->mnemonic,
		 name ? name : next->operands);
	return text;
}

static void bytes_are_those_of_the_file(void **state)
{
	const struct expt_function *one = open_one();
	struct expt_code code, again;

	assert_int_equal(expt_function_code(one, &code, NULL), 0);
	assert_int_equal(code.size, expt_function_size(one));
	assert_int_equal(code.bytes[0], 0xe8);
	assert_int_equal(code.bytes[code.size - 1], 0xc3);
	assert_int_equal(expt_function_code(one, &again, NULL), 0);
	assert_ptr_equal(again.bytes, code.bytes);
}

static void targets_have_names(void **state)
{
	const struct expt_function *one = open_one();
	struct expt_instructions *instructions = open_instructions(one);
	struct expt_instruction next;

	assert_string_equal(next_text(instructions, &next), "call <two>");
	assert_int_equal(next.kind, EXPT_INSTRUCTION_CALL);
	assert_int_equal(next.offset, 0);
	assert_int_equal(next.size, 5);
	assert_string_equal(expt_function_name(next.target.function, EXPT_NAME_LONG),
			    "two");
	assert_int_equal(next.target.offset, 0);
	assert_string_equal(next_text(instructions, &next), "je <one+0xf>");
	assert_int_equal(next.kind, EXPT_INSTRUCTION_BRANCH);
	assert_ptr_equal(next.target.function, one);
	assert_int_equal(next.target.offset, 15);
	assert_string_equal(next_text(instructions, &next), "lea 0x2(%rip),%rax");
	assert_true(next.memory.is_known);
	assert_false(next.target.is_known);
	assert_string_equal(expt_function_name(next.memory.function, EXPT_NAME_LONG),
			    "two");
	assert_string_equal(next_text(instructions, &next), "nop ");
	assert_int_equal(next.kind, EXPT_INSTRUCTION_OTHER);
	assert_string_equal(next_text(instructions, &next), "ret ");
	assert_int_equal(next.kind, EXPT_INSTRUCTION_RETURN);
	assert_null(next_text(instructions, &next));
	expt_instructions_close(instructions);
}

static void stubs_are_named_after_their_targets(void **state)
{
	struct expt_instruction next;
	struct expt_instructions *instructions;
	uint64_t text, size;
	char path[4096];
	struct elf *elf;

	compile("object", "cc -shared -nostdlib -Wl,-z,lazy,-z,noseparate-code", "s",
		".text\n.globl f\n.type f,@function\nf: call _ZN1a3twoEi@plt\n"
		"call *puts@GOTPCREL(%rip)\n.size f,.-f\n");
	elf = open_elf("object");
	assert_true(elf_section(elf, ".text", &text, &size));
	elf_close(elf);
	snprintf(path, sizeof(path), "%s/object", here);
	add_segment(BASE, 8192, path);
	open_experiment();
	instructions = open_instructions(at(BASE + text));
	assert_string_equal(next_text(instructions, &next), "call <a::two(int)@plt>");
	assert_string_equal(expt_function_name(next.target.function, EXPT_NAME_MANGLED),
			    "_ZN1a3twoEi@plt");
	assert_non_null(next_text(instructions, &next));
	assert_int_equal(next.kind, EXPT_INSTRUCTION_CALL);
	assert_false(next.target.is_known);
	expt_instructions_close(instructions);
}

static void bytes_that_are_no_instruction_are_shown(void **state)
{
	const struct expt_function *one = open_one();
	struct expt_instructions *instructions;
	struct expt_instruction next;
	struct expt_code code;

	assert_int_equal(expt_function_code(one, &code, NULL), 0);
	instructions =
		open_instructions(at(BASE + expt_function_offset(one) + code.size));
	assert_string_equal(next_text(instructions, &next), "jmp <one+0x5>");
	assert_int_equal(next.kind, EXPT_INSTRUCTION_JUMP);
	assert_string_equal(next_text(instructions, &next), "(bad) ");
	assert_int_equal(next.kind, EXPT_INSTRUCTION_BAD);
	assert_int_equal(next.size, 1);
	assert_null(next_text(instructions, &next));
	expt_instructions_close(instructions);
}

static void a_missing_file_is_a_reason(void **state)
{
	const struct expt_function *one = open_one();
	struct expt_error err;
	struct expt_code code;

	remove_all("object");
	assert_int_equal(expt_function_code(one, &code, &err), -ENOENT);
	assert_non_null(strstr(err.message, "/object' is not available: cannot open '"));
	assert_int_equal(expt_function_code(one, &code, &err), -ENOENT);
	assert_non_null(strstr(err.message, "/object' is not available: cannot open '"));
}

static void what_is_unknown_has_no_code(void **state)
{
	struct expt_error err;
	struct expt_code code;

	open_experiment();
	assert_int_equal(expt_function_code(at(0x1000), &code, &err), -ENOENT);
	assert_string_equal(err.message, "'<Unknown>' has no code");
}

/* ---- dynamic code ---- */

/* Add a function to a dyntext file: its header, and its code, padded to 16 bytes. */
static void add_code(const char *path, uint64_t address, int64_t time_ns,
		     const char *code)
{
	struct dyntext_header header = { { DYNTEXT_HEADER, sizeof(header) },
					 time_ns,
					 address };
	struct dyntext_record record = { DYNTEXT_CODE, sizeof(record) + 16 };
	char bytes[16] = { 0 };
	FILE *file = fopen(path, "a");

	assert_non_null(file);
	memcpy(bytes, code, strlen(code));
	assert_int_equal(fwrite(&header, sizeof(header), 1, file), 1);
	assert_int_equal(fwrite(&record, sizeof(record), 1, file), 1);
	assert_int_equal(fwrite(bytes, sizeof(bytes), 1, file), 1);
	assert_int_equal(fclose(file), 0);
}

static const char *first_text(const struct expt_function *function)
{
	struct expt_instructions *instructions = open_instructions(function);
	struct expt_instruction next;
	const char *text = next_text(instructions, &next);

	expt_instructions_close(instructions);
	return text;
}

static void dynamic_code_is_that_of_its_time(void **state)
{
	struct expt_instructions *instructions;
	struct expt_instruction next;

	add_function(0x7000, 4, "0.1", "early");
	add_unmap("0.5", 0x7000);
	add_function(0x7000, 4, "0.6", "late");
	open_experiment();
	add_code("test.1.er/dyntext", 0x7000, 100000000, "\x90\xeb\xfd\xc3");
	add_code("test.1.er/dyntext", 0x8000, 100000000, "\xcc\xcc\xcc\xcc");
	add_code("test.1.er/dyntext", 0x7000, 600000000, "\xf4\xc3\xc3\xc3");
	assert_string_equal(first_text(at_time(0x7000, 600000000)), "hlt ");
	instructions = open_instructions(at_time(0x7001, 200000000));
	assert_string_equal(next_text(instructions, &next), "nop ");
	assert_int_equal(next.address, 0x7000);
	assert_string_equal(next_text(instructions, &next), "jmp <early>");
	assert_string_equal(next_text(instructions, &next), "ret ");
	assert_null(next_text(instructions, &next));
	expt_instructions_close(instructions);
}

static void a_part_has_its_part_of_the_code(void **state)
{
	struct expt_code code;

	add_part(0x7002, 2, "[vdso]", "part");
	add_function(0x7000, 16, "0.0", "[vdso]");
	open_experiment();
	add_code("test.1.er/dyntext", 0x7000, 0, "\x90\x90\xf4\xc3");
	assert_string_equal(first_text(at(0x7003)), "hlt ");
	assert_int_equal(expt_function_code(at(0x7003), &code, NULL), 0);
	assert_int_equal(code.size, 2);
	assert_int_equal(code.address, 0x7002);
}

static void a_descendant_has_code_of_its_own_or_its_founders(void **state)
{
	struct expt *descendant = NULL;
	struct expt_place place;

	make_directory("test.1.er");
	add_function(0x7000, 4, "0.0", "own");
	add_function(0x8000, 4, "0.0", "inherited");
	write_experiment("test.1.er/_f1.er");
	open_experiment();
	add_code("test.1.er/dyntext", 0x7000, 0, "\xcc");
	add_code("test.1.er/dyntext", 0x8000, 0, "\xf4");
	add_code("test.1.er/_f1.er/dyntext", 0x7000, 0, "\x90");
	assert_int_equal(expt_descendant_open(&descendant, expt, 0, NULL), 0);
	expt_place(descendant, 0x7000, 0, &place);
	assert_string_equal(first_text(place.function), "nop ");
	expt_place(descendant, 0x8000, 0, &place);
	expt_close(descendant);
	assert_string_equal(first_text(place.function), "hlt ");
}

static void code_that_was_not_recorded_is_a_reason(void **state)
{
	struct dyntext_record damaged = { DYNTEXT_HEADER, 4 };
	struct expt_error err;
	struct expt_code code;

	add_function(0x7000, 4, "0.0", "f");
	open_experiment();
	assert_int_equal(expt_function_code(at(0x7000), &code, &err), -ENOENT);
	assert_string_equal(err.message, "the code of 'f' was not recorded");
	write_bytes("test.1.er/dyntext", &damaged, sizeof(damaged));
	add_code("test.1.er/dyntext", 0x7000, 0, "\x90");
	assert_int_equal(expt_function_code(at(0x7000), &code, &err), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)
		TEST(bytes_are_those_of_the_file),
		TEST(targets_have_names),
		TEST(stubs_are_named_after_their_targets),
		TEST(bytes_that_are_no_instruction_are_shown),
		TEST(a_missing_file_is_a_reason),
		TEST(what_is_unknown_has_no_code),
		TEST(dynamic_code_is_that_of_its_time),
		TEST(a_part_has_its_part_of_the_code),
		TEST(a_descendant_has_code_of_its_own_or_its_founders),
		TEST(code_that_was_not_recorded_is_a_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
