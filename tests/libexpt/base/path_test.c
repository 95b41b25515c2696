/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/base/path.h"

#include "libexpt/base/cleanup.h"

#include "tests/libexpt/test.h"

static void check_way(const char *from, const char *to, const char *expected)
{
	cleanup_strbuf struct strbuf way = STRBUF_INIT;

	path_add_way(&way, from, to);
	assert_string_equal(strbuf_text(&way), expected);
}

static void a_way_leads_up_and_down(void **state)
{
	check_way("/a/x.er/archives", "/a/store", "../../store");
	check_way("/a/x.er/archives", "/b/store", "../../../b/store");
	check_way("/a/x.er/archives", "/a", "../../");
	check_way("/x.er/archives", "/", "../../");
	check_way("/", "/store", "store");
	check_way("/a", "/a/b/c", "b/c");
	check_way("/a", "/a", "");
}

static void names_that_begin_alike_are_different(void **state)
{
	check_way("/a/store/archives", "/a/stores", "../../stores");
	check_way("/a/stores/archives", "/a/store", "../../store");
}

static void check_join(const char *directory, const char *name, const char *expected)
{
	cleanup_free char *path = path_join(directory, name);

	assert_string_equal(path, expected);
}

static void a_joined_path_has_one_slash_more_at_most(void **state)
{
	check_join("runs", "x.er", "runs/x.er");
	check_join("runs/", "x.er", "runs/x.er");
	check_join("/", "x.er", "/x.er");
}

static void control_characters_are_told_from_text(void **state)
{
	assert_true(text_has_controls("a\nb"));
	assert_true(text_has_controls("\x7f"));
	assert_false(text_has_controls("a b~"));
	assert_false(text_has_controls("\xc3\xa4"));
	assert_false(text_has_controls(""));
}

static void a_clean_path_has_no_empty_components(void **state)
{
	char path[] = "//usr/./lib///..//x.c/.", dots[] = "/.a/..b/.", root[] = "/";

	path_clean(path);
	assert_string_equal(path, "/usr/lib/../x.c");
	path_clean(dots);
	assert_string_equal(dots, "/.a/..b");
	path_clean(root);
	assert_string_equal(root, "/");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_way_leads_up_and_down),
		cmocka_unit_test(a_clean_path_has_no_empty_components),
		cmocka_unit_test(names_that_begin_alike_are_different),
		cmocka_unit_test(a_joined_path_has_one_slash_more_at_most),
		cmocka_unit_test(control_characters_are_told_from_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
