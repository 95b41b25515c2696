/* SPDX-License-Identifier: Apache-2.0 */
/* Names in archives/, equal to those of gprofng. */
#include "libexpt/archives/name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "libexpt/expt.h"

static void the_code_is_made_from_the_directory(void **state)
{
	static const struct {
		const char *path, *name;
	} cases[] = {
		{ "/vmlinuz", "vmlinuz_dzn00000000" },
		{ "a.out", "a.out_dbrs1000000" },
		{ "./a.out", "a.out_dbrs1000000" },
		{ "/usr/bin/cc1", "cc1_UHyILZt997d" },
		{ "/usr/include/stdio.h", "stdio.h_odUhlsh5dr6" },
		{ "../src/x.c", "x.c_aDBhbvlIX67" },
		{ "/usr/bin/", "_UHyILZt997d" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char name[ARCHIVE_NAME_SIZE];

		assert_int_equal(expt_archive_name(name, cases[i].path),
				 strlen(cases[i].name));
		assert_string_equal(name, cases[i].name);
	}
}

static void a_long_base_gets_a_second_code(void **state)
{
	char path[300] = "/usr/bin/", name[ARCHIVE_NAME_SIZE], expected[300];

	memset(path + 9, 'n', 250);
	assert_int_equal(expt_archive_name(name, path), 255);
	memset(expected, 'n', 231);
	strcpy(expected + 231, "_UHyILZt997d_mSIJDuZRH6c");
	assert_string_equal(name, expected);

	path[9 + 243] = '\0';
	assert_int_equal(expt_archive_name(name, path), 255);
	assert_memory_equal(name, path + 9, 243);
	assert_string_equal(name + 243, "_UHyILZt997d");
}

static void a_description_has_a_suffix(void **state)
{
	char name[ARCHIVE_NAME_SIZE];

	expt_archive_description_name(name, "/usr/bin/cc1");
	assert_string_equal(name, "cc1_UHyILZt997d.archive");
}

static void no_description_name_is_too_long(void **state)
{
	char path[4096] = "/usr/bin/", name[ARCHIVE_NAME_SIZE];

	memset(path + 9, 'n', 235);
	assert_int_equal(expt_archive_description_name(name, path), 255);
	assert_string_equal(name + 235, "_UHyILZt997d.archive");
	memset(path + 9, 'n', 250);
	assert_int_equal(expt_archive_description_name(name, path), 255);
	assert_string_equal(name + 223, "_UHyILZt997d_mSIJDuZRH6c.archive");
	memset(path + 9, 'n', sizeof(path) - 10);
	assert_int_equal(expt_archive_description_name(name, path), 255);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_code_is_made_from_the_directory),
		cmocka_unit_test(a_long_base_gets_a_second_code),
		cmocka_unit_test(a_description_has_a_suffix),
		cmocka_unit_test(no_description_name_is_too_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
