/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/names/outlined.h"

#include "tests/libexpt/test.h"

/* Returns the function's name in the name of its part; "": it is none. */
static const char *function_of(const char *name)
{
	static char text[100];

	snprintf(text, sizeof(text), "%.*s", (int)outlined_function_length(name), name);
	return text;
}

static const char *plain(const char *name)
{
	static char text[100];

	snprintf(text, sizeof(text), "%.*s",
		 (int)outlined_plain_length(name, strlen(name)), name);
	return text;
}

static void parts_and_copies_have_a_function(void **state)
{
	static const char *const names[] = {
		"f.cold",
		"f.cold.1",
		"f.part.0",
		"f.isra.0",
		"f.constprop.12",
		"f.part.0.cold",
		"f.specialized.1",
		"f.part.0.isra.3",
		"f.constprop.0.isra.0.cold",
		"f.part.0.lto_priv.0",
		"f.cold.1.llvm.123",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		assert_string_equal(function_of(names[i]), "f");
	assert_string_equal(function_of("_Z3thri.part.0.cold"), "_Z3thri");
	assert_string_equal(function_of("a.b.cold"), "a.b");
}

static void other_suffixes_belong_to_the_function(void **state)
{
	assert_string_equal(function_of("f.lto_priv.0.cold"), "f.lto_priv.0");
	assert_string_equal(function_of("f.llvm.123.cold.1"), "f.llvm.123");
	assert_string_equal(function_of("f.lto_priv.0"), "");
	assert_string_equal(plain("f.lto_priv.0"), "f");
	assert_string_equal(plain("f.llvm.17299"), "f");
	assert_string_equal(plain("f.__uniq.1234.llvm.17"), "f");
	assert_string_equal(plain("f.part.0.cold"), "f");
}

static void other_names_are_no_parts(void **state)
{
	static const char *const names[] = {
		"",	     "f",	".cold",       "cold",
		"f.part",    "f.isra",	"f.constprop", "f.cold.x",
		"f.cold.",   "fcold",	"f._omp_fn.0", "inner.0",
		"f.coldest", "f.cold1", "f.1",	       "0",
		".0",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		assert_string_equal(function_of(names[i]), "");
		assert_string_equal(plain(names[i]), names[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_and_copies_have_a_function),
		cmocka_unit_test(other_suffixes_belong_to_the_function),
		cmocka_unit_test(other_names_are_no_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
