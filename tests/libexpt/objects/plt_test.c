/* SPDX-License-Identifier: Apache-2.0 */
/* Stubs of procedure linkage tables are named as by objdump. */
#include "tests/libexpt/objects/mapped.h"

#include <glob.h>
#include <limits.h>

#define PROGRAM                                                                     \
	"#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"            \
	"int (*const taken)(const char *) = puts;\n"                                \
	"int main(int count, char **words)\n"                                       \
	"{ return taken(words[0]) + puts(\"\") + abs(getchar()) + atoi(words[0])\n" \
	"+ (int)strlen(words[0]) + (memchr(words[0], 'x', 9) != 0)\n"               \
	"+ (strchr(words[0], count) != 0); }\n"

/* Map the file whole, with equal offsets and addresses. */
static void open_mapped(const char *path, const struct elf *elf)
{
	char real[PATH_MAX], identity[100] = "";

	assert_non_null(realpath(path, real));
	if (*elf_build_id(elf))
		snprintf(identity, sizeof(identity), "buildid=\"%s\"", elf_build_id(elf));
	add_segment_as(BASE, UINT64_C(1) << 30, 0, 5, "0.0", real, identity);
	open_experiment();
}

/* Write the labels of stubs by objdump, "<address> <name>". */
static void list_stubs(const char *path)
{
	assert_true(run("objdump -d -j .plt -j .plt.sec -j .plt.got %s 2>/dev/null | "
			"sed -n 's/^\\([0-9a-f]*\\) <\\(.*@plt\\)>:/\\1 \\2/p' > stubs",
			path));
}

/* Compare all stubs. Returns how many there are. */
static size_t compare_stubs(const char *path, const struct elf *elf)
{
	char line[8192], name[8192];
	size_t count = 0;
	unsigned long address;
	FILE *stubs;

	list_stubs(path);
	stubs = fopen("stubs", "re");
	assert_non_null(stubs);
	while (fgets(line, sizeof(line), stubs) &&
	       sscanf(line, "%lx %8191s", &address, name) == 2) {
		struct expt_place place;
		uint64_t offset;

		assert_true(elf_image_offset(elf, address, &offset));
		expt_place(expt, BASE + offset, 0, &place);
		assert_true(place.is_plt);
		assert_int_equal(place.offset, 0);
		/* objdump has no names of resolvers */
		if (strncmp(name, "*ABS*", 5) != 0)
			assert_string_equal(expt_function_name(place.function,
							       EXPT_NAME_MANGLED),
					    name);
		expt_place(expt, BASE + offset + 7, 0, &place);
		assert_true(place.is_plt);
		count++;
	}
	fclose(stubs);
	return count;
}

static size_t check(const char *path)
{
	struct elf *elf = open_elf(path);
	size_t count;

	open_mapped(path, elf);
	count = compare_stubs(path, elf);
	elf_close(elf);
	return count;
}

static void assert_program(const char *driver, size_t least)
{
	size_t count;

	compile("program", driver, "c", PROGRAM);
	count = check("program");
	if (count < least)
		fail_msg("%s: %zu stubs", driver, count);
	stop(NULL);
}

static void stubs_are_named_after_their_targets(void **state)
{
	assert_program("cc -O2 -Wl,-z,lazy", 4);
	assert_program("cc -O2 -Wl,-z,now", 4);
	assert_program("cc -O2 -no-pie -Wl,-z,lazy", 4);
	assert_program("cc -O2 -fcf-protection -Wl,-z,ibtplt", 4);
	assert_program("cc -O2 -shared -fPIC -Wl,-z,now", 4);
	assert_program("cc -O2 -s", 4);
}

static void stubs_of_other_linkers_have_names_too(void **state)
{
	if (!run("command -v ld.lld clang >/dev/null"))
		skip();
	assert_program("clang -O2 -fuse-ld=lld", 4);
	assert_program("clang -O2 -fuse-ld=lld -Wl,-z,now", 4);
}

static void stubs_of_i386_have_names_too(void **state)
{
	static const char program[] = "int other(int), more(int);\nint f(int i)\n"
				      "{ return other(i) + more(i + 1); }\n";

	if (!run("echo | cc -m32 -nostdlib -shared -x c -o small - 2>/dev/null"))
		skip();
	compile("small", "cc -m32 -O2 -nostdlib -shared -fPIC", "c", program);
	assert_int_equal(check("small"), 2);
	stop(NULL);
	compile("library", "cc -m32 -O2 -nostdlib -shared -fPIC", "c",
		"int other(int i) { return i; }\nint more(int i) { return i; }\n");
	compile("small",
		"cc -m32 -O2 -fno-pie -no-pie -nostdlib -Wl,-e,f,--no-as-needed "
		"./library",
		"c", program);
	assert_int_equal(check("small"), 2);
}

/* Larger ones, of whatever compiler: C++ names, .plt.got, thousands of stubs. */
static void stubs_of_the_system_have_names(void **state)
{
	static const char *const patterns[] = {
		"/usr/lib/x86_64-linux-gnu/libstdc++.so.6",
		"/usr/lib/x86_64-linux-gnu/libc.so.6",
		"/usr/lib/x86_64-linux-gnu/libcrypto.so.3",
		"/usr/lib/gcc/x86_64-linux-gnu/*/cc1",
	};
	size_t count = 0;

	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++) {
		glob_t found;

		if (glob(patterns[i], 0, NULL, &found) == 0) {
			count += check(found.gl_pathv[0]);
			globfree(&found);
		}
		stop(NULL);
		start(state);
	}
	print_message("%zu stubs\n", count);
}

static const char *stub_name(const struct elf *elf, const char *wanted,
			     enum expt_name_form form)
{
	uint64_t offset, size;

	assert_true(elf_section(elf, ".plt", &offset, &size));
	for (uint64_t i = 0; i < size; i++) {
		const struct expt_function *stub = at(BASE + offset + i);

		if (strcmp(expt_function_name(stub, EXPT_NAME_MANGLED), wanted) == 0)
			return expt_function_name(stub, form);
	}
	fail_msg("no stub %s", wanted);
	return NULL;
}

static void stubs_have_all_forms_of_their_targets_names(void **state)
{
	struct elf *elf;

	compile("object", "g++ -O2 -shared -fPIC -Wl,-z,lazy", "cc",
		"namespace ns { int f(int) noexcept; }\nint g() { return ns::f(2) + 1; "
		"}\n");
	elf = open_elf("object");
	open_mapped("object", elf);
	assert_string_equal(stub_name(elf, "_ZN2ns1fEi@plt", EXPT_NAME_LONG),
			    "ns::f(int)@plt");
	assert_string_equal(stub_name(elf, "_ZN2ns1fEi@plt", EXPT_NAME_SHORT),
			    "ns::f@plt");
	/* the code that calls the dynamic linker is no function's */
	assert_string_equal(stub_name(elf, "@plt", EXPT_NAME_LONG), "@plt");
	elf_close(elf);
}

/* A static program calls the functions that it chooses at its start through stubs. */
static void stubs_of_chosen_functions_are_named_after_them(void **state)
{
	struct elf *elf;

	compile("object", "cc -O2 -static -nostdlib -Wl,-e,f", "c",
		"static int one(void) { return 1; }\n"
		"static int (*choose(void))(void) { return one; }\n"
		"int chosen(void) __attribute__((ifunc(\"choose\")));\n"
		"int f(void) { return chosen() + 1; }\n"
		"int _start(void) { return f(); }\n");
	elf = open_elf("object");
	open_mapped("object", elf);
	stub_name(elf, "choose@plt", EXPT_NAME_LONG);
	elf_close(elf);
}

static void descriptions_name_them_as_well(void **state)
{
	struct elf *elf;
	struct expt_error err;

	compile("program", "cc -O2 -Wl,--build-id=sha1", "c", PROGRAM);
	elf = open_elf("program");
	open_mapped("program", elf);
	expt_close(expt);
	if (expt_archive("test.1.er",
			 &(struct expt_archive_options){ .mode = EXPT_ARCHIVE_ON },
			 &err) < 0)
		fail_msg("%s", err.message);
	assert_true(run("mv program moved"));
	assert_int_equal(expt_open(&expt, "test.1.er", &err), 0);
	assert_true(compare_stubs("moved", elf) > 3);
	elf_close(elf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(stubs_are_named_after_their_targets,
						start, stop),
		cmocka_unit_test_setup_teardown(stubs_of_other_linkers_have_names_too,
						start, stop),
		cmocka_unit_test_setup_teardown(stubs_of_i386_have_names_too, start,
						stop),
		cmocka_unit_test_setup_teardown(stubs_of_the_system_have_names, start,
						stop),
		cmocka_unit_test_setup_teardown(
			stubs_have_all_forms_of_their_targets_names, start, stop),
		cmocka_unit_test_setup_teardown(
			stubs_of_chosen_functions_are_named_after_them, start, stop),
		cmocka_unit_test_setup_teardown(descriptions_name_them_as_well, start,
						stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
