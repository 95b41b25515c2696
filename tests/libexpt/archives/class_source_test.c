/* SPDX-License-Identifier: Apache-2.0 */
/* Source files of Java classes: their paths, and the packages to which files belong. */
#include "libexpt/archives/class_source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

static void the_path_is_that_of_the_package(void **state)
{
	static const struct {
		const char *class, *source, *path;
	} cases[] = {
		{ "pkg/sub/Cell", "Cell.java", "pkg/sub/Cell.java" },
		{ "pkg/Cell$Part$1", "Cell.java", "pkg/Cell.java" },
		{ "pkg/CellKt", "cell.kt", "pkg/cell.kt" },
		{ "Main", "Main.java", "Main.java" },
		{ "pkg/Cell$Part", "", "pkg/Cell.java" },
		{ "pkg/Cell", "<Unknown>", "pkg/Cell.java" },
		{ "pkg/Cell", "../../etc/passwd", "pkg/Cell.java" },
		{ "pkg/Cell", "..", "pkg/Cell.java" },
		{ "pkg/Cell", ".", "pkg/Cell.java" },
		{ "$Proxy1", "", ".java" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct strbuf path = STRBUF_INIT;

		class_source_path(&path, cases[i].class, strlen(cases[i].class),
				  cases[i].source, strlen(cases[i].source));
		assert_string_equal(strbuf_text(&path), cases[i].path);
		strbuf_release(&path);
	}
}

static bool fits(const char *text, size_t length, const char *path)
{
	int fd = memfd_create("source", MFD_CLOEXEC);
	bool result;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, length), length);
	result = class_source_fits(fd, path);
	close(fd);
	return result;
}

static void a_file_is_of_its_package_only(void **state)
{
	static const struct {
		const char *text, *path;
		bool fits;
	} cases[] = {
		{ "package a.b;\nclass C {}\n", "a/b/C.java", true },
		{ "/*\n * package deal\n */\n\n  package a.b ; // ours\n", "a/b/C.java",
		  true },
		{ "package a.b;", "a/b/C.java", true },
		{ "package a.b;\r\n", "a/b/C.java", true },
		{ "package a.c;\n", "a/b/C.java", false },
		{ "package a;\n", "a/b/C.java", false },
		{ "package a.b.c;\n", "a/b/C.java", false },
		{ "package a.bb;\n", "a/b/C.java", false },
		{ "package a.b;\n", "C.java", false },
		{ "class C {}\n", "C.java", true },
		{ "class C {}\n", "a/C.java", false },
		{ "package is what this is\nclass C {}\n", "C.java", true },
		{ "packages;\npackage\ta;\n", "a/C.java", true },
		{ "", "a/C.java", false },
		{ "", "C.java", true },
		{ "package a.b\nfun main() {}\n", "a/b/main.kt", true },
		{ "fun main() {}\n", "a/b/main.kt", true },
		{ "package a\n", "a/b/main.kt", false },
		{ "package a\npackage b\n", "a/b/C.scala", true },
		{ "package aa\npackage b\n", "a/b/C.scala", false },
		{ "package a {\n", "a/C.scala", true },
		{ "package \xe3\x82\xab\xe3\x83\x8a;\n",
		  "\xe3\x82\xab\xe3\x83\x8a/C.java", true },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		if (fits(cases[i].text, strlen(cases[i].text), cases[i].path) !=
		    cases[i].fits)
			fail_msg("case %zu: '%s' as %s", i, cases[i].text, cases[i].path);
}

static void bytes_of_any_kind_are_read(void **state)
{
	static const char nul[] = "package a\0b;\npackage a.b;\n";
	char *large = malloc(100000);

	assert_non_null(large);
	assert_true(fits(nul, sizeof(nul) - 1, "a/b/C.java"));
	memset(large, 'x', 100000);
	assert_false(fits(large, 100000, "a/b/C.java"));
	memset(large, '\n', 100000);
	memcpy(large + 65536 - 8, "package a.b;", 12);
	assert_false(fits(large, 100000, "a/b/C.java"));
	free(large);
	assert_false(class_source_fits(-1, "a/b/C.java"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_path_is_that_of_the_package),
		cmocka_unit_test(a_file_is_of_its_package_only),
		cmocka_unit_test(bytes_of_any_kind_are_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
