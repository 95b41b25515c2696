/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/libexpt/test.h"

#include "libexpt/remote/private.h"

static void a_colon_before_the_first_slash_makes_a_host(void **state)
{
	static const char *const remote[] = {
		"desk:",   "desk:runs",	       "desk:/a:b", "me@desk:x.er",
		"[::1]:x", "me@[fe80::1%e0]:", "a b:c",	    "-x:y"
	};
	static const char *const local[] = { "",   "desk",     "./desk:runs", "/a:b",
					     ":x", "runs/a:b", "x.er/a:" };

	for (size_t i = 0; i < sizeof(remote) / sizeof(*remote); i++)
		assert_true(expt_name_is_remote(remote[i]));
	for (size_t i = 0; i < sizeof(local) / sizeof(*local); i++)
		assert_false(expt_name_is_remote(local[i]));
}

static void the_host_part_ends_at_one_colon(void **state)
{
	assert_int_equal(expt_name_host("desk:runs"), strlen("desk"));
	assert_int_equal(expt_name_host("me@[::1]:a:b"), strlen("me@[::1]"));
	assert_int_equal(expt_name_host("desk:runs/a]:b.er"), strlen("desk"));
	assert_int_equal(expt_name_host("desk:[a]:b.er"), strlen("desk"));
	assert_int_equal(expt_name_host("./a:b"), 0);
	assert_int_equal(expt_name_host(":x"), 0);
}

static void expect_split(const char *operand, const char *host, const char *address,
			 const char *path)
{
	char *got_host, *got_address, *got_path;

	assert_int_equal(remote_split(&got_host, &got_address, &got_path, operand, NULL),
			 0);
	assert_string_equal(got_host, host);
	assert_string_equal(got_address, address);
	assert_string_equal(got_path, path);
	free(got_host);
	free(got_address);
	free(got_path);
}

static void brackets_are_for_addresses_with_colons(void **state)
{
	expect_split("desk:a:b", "desk", "desk", "a:b");
	expect_split("me@desk:", "me@desk", "me@desk", "");
	expect_split("[::1]:/data", "[::1]", "::1", "/data");
	expect_split("me@[fe80::1%e0]:x:y", "me@[fe80::1%e0]", "me@fe80::1%e0", "x:y");
}

static void what_could_be_an_option_is_no_host(void **state)
{
	static const char *const bad[] = {
		"-oProxyCommand=x:y", "me@-x:y", "@desk:y", "me@:y", "[-x]:y",
		"me@[-oX]:y"
	};
	char *host, *address, *path;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_int_equal(remote_split(&host, &address, &path, bad[i], NULL),
				 -EINVAL);
		free(host);
		free(address);
		free(path);
	}
}

static void expect_path(const char *path, const char *expected)
{
	struct strbuf out = STRBUF_INIT;

	assert_int_equal(remote_path(&out, path), 0);
	assert_string_equal(out.text, expected);
	strbuf_release(&out);
}

static void a_path_over_there_is_never_an_option(void **state)
{
	expect_path("", "./");
	expect_path("~", "./");
	expect_path("~/runs/", "./runs");
	expect_path("-x", "./-x");
	expect_path("runs//", "./runs");
	expect_path("/", "/");
	expect_path("/data/x.er/", "/data/x.er");
	expect_path("~me/x", "./~me/x");
}

/* Some login shells treat these characters specially even within single quotes. */
static void the_commands_have_nothing_that_needs_care(void **state)
{
	assert_null(strpbrk(remote_receiver, "'\\!\n"));
	assert_null(strpbrk(remote_sender, "'\\!\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_colon_before_the_first_slash_makes_a_host),
		cmocka_unit_test(the_host_part_ends_at_one_colon),
		cmocka_unit_test(brackets_are_for_addresses_with_colons),
		cmocka_unit_test(what_could_be_an_option_is_no_host),
		cmocka_unit_test(a_path_over_there_is_never_an_option),
		cmocka_unit_test(the_commands_have_nothing_that_needs_care),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
