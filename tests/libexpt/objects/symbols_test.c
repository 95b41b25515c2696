/* SPDX-License-Identifier: Apache-2.0 */
/* The rules by which symbols become functions. gprofng.t compares the results with
 * gprofng's. */
#include "tests/libexpt/objects/assembled.h"

static void all_bindings_count_and_only_functions_do(void **state)
{
	struct object object;

	assemble(
		&object,
		".text\n" FUNCTION("a") ".skip 8\n" SIZE("a", 8)
			LOCAL("b") ".skip 8\n" SIZE("b", 8) ".weak c\n" FUNCTION(
				"c") ".skip 8\n" SIZE("c",
						      8) ".globl label\nlabel:\n.skip 8\n"
							 ".globl thing\n.type "
							 "thing,@object\nthing: .skip 8\n"
							 ".size thing,8\n" FUNCTION(
								 "d") ".skip 8\n" SIZE("d",
										       8));
	assert_string_equal(name_at(&object, 0), "a");
	assert_string_equal(name_at(&object, 15), "b");
	assert_string_equal(name_at(&object, 16), "c");
	assert_string_equal(name_at(&object, 24), "-24");
	assert_string_equal(name_at(&object, 39), "-24");
	assert_string_equal(name_at(&object, 40), "d");
	release(&object);
}

static void the_shortest_long_form_wins(void **state)
{
	static const struct {
		const char *names[3], *winner;
	} groups[] = {
		{ { "z2g", "a2l" }, "a2l" },
		{ { "g7long_name", "g7s" }, "g7s" },
		{ { "_g10", "g10" }, "g10" },
		{ { "g32", "w32", "a32" }, "a32" },
		{ { "seven77", "_ZN1A1bEv" }, "A::b()" },
		{ { "_ZN1A1dEv", "s5555" }, "s5555" },
		{ { "_Z1ci", "a00000" }, "a00000" },
		/* constructors demangle to equal names: the smaller symbol wins */
		{ { "_ZN1AC2Ev", "_ZN1AC1Ev" }, "A::A()" },
	};

	for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++) {
		char text[1000] = ".text\n", *end = text + strlen(text);
		struct object object;

		for (int k = 0; k < 3 && groups[i].names[k]; k++)
			end += sprintf(end, ".globl %1$s\n.type %1$s,@function\n%1$s:\n",
				       groups[i].names[k]);
		sprintf(end, ".skip 8\n.size %s,8\n", groups[i].names[0]);
		assemble(&object, text);
		assert_string_equal(name_at(&object, 4), groups[i].winner);
		release(&object);
	}
}

static void a_function_ends_where_the_next_one_starts(void **state)
{
	struct object object;

	assemble(&object, ".text\n" FUNCTION("outer") ".skip 8\n" FUNCTION(
				  "inner") ".skip 24\n" SIZE("outer", 24) SIZE("inner", 8)
				  FUNCTION("next") ".skip 8\n" SIZE("next", 8));
	assert_string_equal(name_at(&object, 7), "outer");
	assert_string_equal(name_at(&object, 8), "inner");
	assert_string_equal(name_at(&object, 15), "inner");
	/* the rest of the larger one is a gap */
	assert_string_equal(name_at(&object, 16), "-16");
	assert_string_equal(name_at(&object, 31), "-16");
	assert_string_equal(name_at(&object, 32), "next");
	release(&object);
}

static void the_largest_size_at_an_address_counts(void **state)
{
	struct object object;

	assemble(&object,
		 ".text\n" FUNCTION("bb") FUNCTION("aaa") ".skip 32\n" SIZE("bb", 4)
			 SIZE("aaa", 16) FUNCTION("next") ".skip 8\n");
	assert_string_equal(name_at(&object, 15), "bb");
	assert_string_equal(name_at(&object, 16), "-16");
	release(&object);
}

static void without_a_size_a_function_reaches_to_the_next(void **state)
{
	struct object object;
	struct symbol_range range;

	assemble(&object,
		 ".text\n" FUNCTION("first") ".skip 8\nlabel: .skip 8\n" FUNCTION(
			 "second") ".skip 8\n.section .other,\"ax\"\n.skip "
				   "8\n" FUNCTION("last") ".skip 40\n");
	assert_string_equal(name_at(&object, 15), "first");
	assert_string_equal(name_at(&object, 31), "second");
	assert_string_equal(name_at(&object, 32), "last");
	symbol_find(&object.table, text_start(&object) + 32, &range);
	assert_int_equal(range.end, elf_code_end(object.elf));
	assert_int_equal(range.end - range.start, 40);
	release(&object);
}

static void gaps_begin_at_the_end_of_the_function_before(void **state)
{
	struct object object;
	struct symbol_range range;

	assemble(&object, ".text\n.skip 16\n" FUNCTION("one") ".skip 16\n" SIZE("one", 10)
				  FUNCTION("two") ".skip 64\n" SIZE("two", 8));
	symbol_find(&object.table, text_start(&object) + 3, &range);
	assert_int_equal(range.start, 0); /* of the image */
	assert_int_equal(range.end, text_start(&object) + 16);
	assert_string_equal(name_at(&object, 26), "-26");
	/* the last function extends to the end of the code, including what follows it */
	symbol_find(&object.table, text_start(&object) + 50, &range);
	assert_int_equal(range.start, text_start(&object) + 40);
	assert_int_equal(range.end, elf_code_end(object.elf));
	symbol_find(&object.table, elf_code_end(object.elf) + 4000, &range);
	assert_int_equal(range.start, text_start(&object) + 40);
	symbol_find(&object.table, UINT64_MAX, &range);
	assert_int_equal(range.count, 0);
	release(&object);
}

static void stubs_cover_the_plt(void **state)
{
	struct symbol_range range;
	struct object object;
	uint64_t plt, size;

	compile("program", "cc -Wl,-z,lazy", "c",
		"#include <stdio.h>\n#include <stdlib.h>\n"
		"int main(void) { puts(\"\"); return abs(getchar()); }\n");
	read_object(&object, "program");
	assert_true(elf_section(object.elf, ".plt", &plt, &size));
	for (uint64_t i = 0; i < size; i++) {
		symbol_find(&object.table, plt + i, &range);
		assert_true(range.is_plt);
		assert_int_equal(range.count, 1);
		assert_true(range.start >= plt && range.end <= plt + size);
	}
	release(&object);
}

static void names_only_in_dynsym_count(void **state)
{
	struct object object;

	assemble(&object, ".text\n" FUNCTION("exported") ".skip 8\n" SIZE("exported", 8)
				  LOCAL("internal") ".skip 8\n" SIZE("internal", 8)
					  FUNCTION("both") ".skip 8\n" SIZE("both", 8));
	release(&object);
	assert_true(run("strip -N exported -o stripped object"));
	read_object(&object, "stripped");
	assert_string_equal(name_at(&object, 0), "exported");
	assert_string_equal(name_at(&object, 8), "internal");
	assert_string_equal(name_at(&object, 16), "both");
	release(&object);
	assert_true(run("strip -o stripped object"));
	read_object(&object, "stripped");
	assert_string_equal(name_at(&object, 0), "exported");
	assert_string_equal(name_at(&object, 8), "-8");
	assert_string_equal(name_at(&object, 16), "both");
	release(&object);
}

static void where_symtab_names_an_address_dynsym_does_not(void **state)
{
	struct object object;

	write_text("object.map", "V1 { global: *; };\n");
	compile("object", LIBRARY " -Wl,--version-script=object.map", "s",
		".text\n" FUNCTION("f_one") ".skip 8\n" SIZE("f_one",
							     8) ".symver f_one,x@V1\n");
	read_object(&object, "object");
	/* .dynsym has a plain x there, which would be shorter than x@V1 */
	assert_string_equal(name_at(&object, 0), "x@V1");
	release(&object);
}

static void an_ifunc_is_a_function(void **state)
{
	struct object object;

	assemble(&object, ".text\n.globl chosen\n.type chosen,@gnu_indirect_function\n"
			  "chosen:\n.skip 8\n" SIZE("chosen", 8)
				  FUNCTION("f") ".skip 8\n" SIZE("f", 8));
	assert_string_equal(name_at(&object, 3), "chosen");
	release(&object);
}

static void an_object_without_symbols_is_one_gap(void **state)
{
	struct symbol_range range;
	struct object object;

	assemble(&object, ".text\nlabel: .skip 40\n");
	assert_int_equal(object.table.symbols.count, 0);
	symbol_find(&object.table, 20, &range);
	assert_int_equal(range.start, 0);
	assert_int_equal(range.end, elf_code_end(object.elf));
	release(&object);
}

/* ---- entry points ------------------------------------------------------------------ */

#define ENTRY_CODE                                                \
	".text\n.skip 8\n.globl _start\n_start: .cfi_startproc\n" \
	".cfi_undefined rip\n.skip 24\n.cfi_endproc\n.skip 200\n"

static void assert_entry(const char *driver, const char *code, uint64_t place,
			 const char *name, uint64_t size)
{
	struct symbol_range range;
	struct object object;

	compile("program", driver, "s", code);
	assert_true(run("strip program"));
	read_object(&object, "program");
	assert_string_equal(name_at(&object, place), name);
	symbol_find(&object.table, text_start(&object) + place, &range);
	if (size > 0)
		assert_int_equal(range.end - range.start, size);
	release(&object);
}

static void the_entry_point_of_a_stripped_program_has_a_name(void **state)
{
	static const char *const drivers[] = { "cc -nostdlib -no-pie",
					       "cc -nostdlib -pie",
					       "cc -nostdlib -static-pie" };

	for (size_t i = 0; i < sizeof(drivers) / sizeof(*drivers); i++) {
		/* as far as its unwind rules say */
		assert_entry(drivers[i], ENTRY_CODE, 31, "_start", 24);
		assert_entry(drivers[i], ENTRY_CODE, 32, "-32", 0);
		/* without them it is short */
		assert_entry(drivers[i],
			     ".text\n.skip 8\n.globl _start\n_start: .skip 200\n", 71,
			     "_start", 64);
	}
	/* what has a name keeps it */
	assert_entry("cc -nostdlib -pie -rdynamic -Wl,-e,main",
		     ".text\n.skip 8\n" FUNCTION("main") ".skip 24\n" SIZE("main", 24), 9,
		     "main", 24);
}

/* Old linkers name the beginning of a library's code as its entry point. */
static void the_entry_point_of_a_library_is_none(void **state)
{
	assert_entry(LIBRARY " -Wl,-e,first",
		     ".text\n.globl first\n.hidden first\nfirst: .skip 40\n", 0, "--4096",
		     0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_bindings_count_and_only_functions_do),
		cmocka_unit_test(the_shortest_long_form_wins),
		cmocka_unit_test(a_function_ends_where_the_next_one_starts),
		cmocka_unit_test(the_largest_size_at_an_address_counts),
		cmocka_unit_test(without_a_size_a_function_reaches_to_the_next),
		cmocka_unit_test(gaps_begin_at_the_end_of_the_function_before),
		cmocka_unit_test(stubs_cover_the_plt),
		cmocka_unit_test(names_only_in_dynsym_count),
		cmocka_unit_test(where_symtab_names_an_address_dynsym_does_not),
		cmocka_unit_test(an_ifunc_is_a_function),
		cmocka_unit_test(an_object_without_symbols_is_one_gap),
		cmocka_unit_test(the_entry_point_of_a_stripped_program_has_a_name),
		cmocka_unit_test(the_entry_point_of_a_library_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
