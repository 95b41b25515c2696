/* SPDX-License-Identifier: Apache-2.0 */
/* Parts that a compiler moved out of a function, and their function. */
#include "tests/libexpt/objects/mapped.h"

#define FUNCTION(name) ".type " name ",@function\n" name ": .skip 16\n.size " name ",16\n"
#define GLOBAL(name)   ".globl " name "\n" FUNCTION(name)

static uint64_t text;

/* Assemble two source files to one object, and open an experiment with it. */
static void open_assembled(const char *first, const char *second)
{
	uint64_t size;
	struct elf *elf;
	char path[4096];

	write_text("first.s", first);
	write_text("second.s", second);
	compile("object", "cc -shared -nostdlib -Wl,-z,noseparate-code first.s second.s",
		"s", "");
	elf = open_elf("object");
	assert_true(elf_section(elf, ".text", &text, &size));
	elf_close(elf);
	snprintf(path, sizeof(path), "%s/object", here);
	add_segment(BASE, 8192, path);
	open_experiment();
}

static const struct expt_function *function(int i)
{
	return at(BASE + text + (uint64_t)i * 16 + 3);
}

static const struct expt_function *whole(int i)
{
	return expt_function_whole(function(i));
}

static const char *whole_name(int i, enum expt_name_form form)
{
	return expt_function_name(whole(i), form);
}

static void a_part_belongs_to_its_function(void **state)
{
	open_assembled(".file \"a.c\"\n.text\n" GLOBAL("_Z1fi") FUNCTION("_Z1fi.cold")
			       FUNCTION("_Z1fi.part.0") GLOBAL("g") FUNCTION("g.isra.0"),
		       "");
	assert_ptr_equal(whole(0), function(0));
	assert_ptr_equal(whole(1), function(0));
	assert_ptr_equal(whole(2), function(0));
	assert_ptr_equal(whole(3), function(3));
	assert_ptr_equal(whole(4), function(3));
	assert_ptr_equal(expt_function_whole(whole(4)), function(3));
	/* they can be seen apart */
	assert_string_equal(expt_function_name(function(2), EXPT_NAME_LONG),
			    "f(int) [clone .part.0]");
}

static void a_function_without_code_of_its_name_is_one_row(void **state)
{
	open_assembled(".file \"a.c\"\n.text\n" FUNCTION("_Z1fi.constprop.0")
			       FUNCTION("_Z1fi.constprop.0.cold")
				       FUNCTION("_Z1fi.constprop.1"),
		       "");
	assert_ptr_equal(whole(2), whole(1));
	assert_ptr_equal(whole(1), whole(0));
	assert_ptr_not_equal(whole(0), function(0));
	assert_ptr_equal(expt_function_whole(whole(0)), whole(0));
	assert_string_equal(whole_name(0, EXPT_NAME_LONG), "f(int)");
	assert_string_equal(whole_name(0, EXPT_NAME_SHORT), "f");
	assert_string_equal(whole_name(0, EXPT_NAME_MANGLED), "_Z1fi");
	assert_int_equal(expt_function_offset(whole(2)), text);
	assert_int_equal(expt_function_size(whole(2)), 16);
	assert_ptr_equal(expt_function_object(whole(0)),
			 expt_function_object(function(0)));
	assert_null(expt_function_aliases(whole(0)));
}

static void functions_of_one_name_stay_apart(void **state)
{
	open_assembled(".file \"a.c\"\n.text\n" FUNCTION("f") FUNCTION("f.cold")
			       FUNCTION("g.constprop.0"),
		       ".file \"b.c\"\n.text\n" FUNCTION("f") FUNCTION("f.cold")
			       FUNCTION("g.constprop.0") FUNCTION("g.constprop.1"));
	assert_ptr_equal(whole(1), function(0));
	assert_ptr_equal(whole(4), function(3));
	assert_ptr_not_equal(whole(2), whole(5));
	assert_ptr_equal(whole(5), whole(6));
	assert_string_equal(whole_name(2, EXPT_NAME_LONG), "g");
}

static void a_part_may_belong_to_a_global_function_of_another_file(void **state)
{
	open_assembled(".file \"a.c\"\n.text\n" GLOBAL("f"),
		       ".file \"b.c\"\n.text\n" FUNCTION("f.cold") ".hidden h\n" GLOBAL(
			       "h") FUNCTION("h.cold"));
	assert_ptr_equal(whole(1), function(0));
	assert_ptr_equal(whole(3), function(2));
}

static void numbers_of_the_linker_tell_functions_apart(void **state)
{
	open_assembled(".file \"a.c\"\n.text\n" FUNCTION("f") FUNCTION("f.lto_priv.0")
			       FUNCTION("f.lto_priv.1") FUNCTION("f.lto_priv.1.cold"),
		       "");
	assert_ptr_equal(whole(0), function(0));
	assert_ptr_not_equal(whole(1), whole(0));
	assert_ptr_not_equal(whole(1), whole(2));
	assert_ptr_equal(whole(3), whole(2));
	assert_string_equal(whole_name(1, EXPT_NAME_LONG), "f");
	assert_string_equal(whole_name(1, EXPT_NAME_MANGLED), "f.lto_priv.0");
	assert_int_equal(expt_function_offset(whole(3)), text + 32);
}

static void functions_of_go_may_be_called_cold(void **state)
{
	open_assembled(".file \"a.go\"\n.text\n" GLOBAL("main")
			       GLOBAL("main.cold") ".section .gopclntab,\"a\"\n.skip 8\n",
		       "");
	assert_ptr_equal(whole(1), function(1));
}

static void code_without_a_name_is_its_own_whole(void **state)
{
	open_assembled(".text\n" GLOBAL("f") ".skip 16\n", "");
	assert_ptr_equal(whole(1), function(1));
	assert_ptr_equal(expt_function_whole(at(3)), at(3)); /* <Unknown> */
}

/* The functions that gcc makes of a program, by the names that nm shows. */
static void gcc_moves_parts_out_of_functions(void **state)
{
	char line[200], path[4096], *name;
	unsigned long address;
	size_t parts = 0;
	FILE *names;

	compile("program", "cc -O2 -no-pie -Wl,-z,noseparate-code", "c",
		"#include <stdlib.h>\n"
		"#define N __attribute__((noinline))\n"
		"N void fail(int x) { if (x) abort(); }\n"
		"N int f(int x) { if (x < 0) { fail(x); abort(); } return x * 3; }\n"
		"static N int g(int x, int y) { if (x == y) abort(); return x % y; }\n"
		"int main(int c, char **v) { return f(c) + g(c, 7) + g(c + 1, 7); }\n");
	assert_true(
		run("nm program | grep -E ' t .*[.](cold|constprop|part|isra)' > names"));
	snprintf(path, sizeof(path), "%s/program", here);
	add_segment(0x400000, 8192, path);
	open_experiment();
	names = fopen("names", "re");
	while (fgets(line, sizeof(line), names) &&
	       sscanf(line, "%lx t %m[^\n]", &address, &name) == 2) {
		const struct expt_function *part = at(address);

		assert_string_equal(expt_function_name(part, EXPT_NAME_LONG), name);
		*strchr(name, '.') = '\0';
		assert_string_equal(expt_function_name(expt_function_whole(part),
						       EXPT_NAME_LONG),
				    name);
		free(name);
		parts++;
	}
	fclose(names);
	assert_true(parts > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_part_belongs_to_its_function, start,
						stop),
		cmocka_unit_test_setup_teardown(
			a_function_without_code_of_its_name_is_one_row, start, stop),
		cmocka_unit_test_setup_teardown(functions_of_one_name_stay_apart, start,
						stop),
		cmocka_unit_test_setup_teardown(
			a_part_may_belong_to_a_global_function_of_another_file, start,
			stop),
		cmocka_unit_test_setup_teardown(
			numbers_of_the_linker_tell_functions_apart, start, stop),
		cmocka_unit_test_setup_teardown(functions_of_go_may_be_called_cold, start,
						stop),
		cmocka_unit_test_setup_teardown(code_without_a_name_is_its_own_whole,
						start, stop),
		cmocka_unit_test_setup_teardown(gcc_moves_parts_out_of_functions, start,
						stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
