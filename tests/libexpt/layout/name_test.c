/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/libexpt/test.h"

#include "libexpt/expt.h"

static void an_experiment_ends_in_er_behind_something(void **state)
{
	assert_true(expt_name_is_experiment("test.1.er"));
	assert_true(expt_name_is_experiment("/data/x y.er///"));
	assert_true(expt_name_is_experiment("1.er"));
	assert_false(expt_name_is_experiment(".er"));
	assert_false(expt_name_is_experiment("dir/.er/"));
	assert_false(expt_name_is_experiment("test.er/.."));
	assert_false(expt_name_is_experiment("test.erg"));
	assert_false(expt_name_is_experiment(""));
	assert_false(expt_name_is_experiment("/"));
	assert_true(expt_name_is_group("all.erg"));
	assert_false(expt_name_is_group(".erg"));
}

static void descendants_are_ordered_by_their_numbers(void **state)
{
	static const char *const sorted[] = {
		"M_r0.er",
		"M_r10.er",
		"_c1.er",
		"_f1.er",
		"_f1_x1.er",
		"_f1_x2.er",
		"_f2.er",
		"_f02.er",
		"_f10.er",
		"_x1.er",
		"_x99999999999999999999999999.er",
		"_x100000000000000000000000000.er",
	};
	size_t count = sizeof(sorted) / sizeof(*sorted);

	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < count; j++) {
			int order = expt_name_compare(sorted[i], sorted[j]);

			if (i == 6 && j == 7)
				assert_int_not_equal(order, 0);
			else if (i == 7 && j == 6)
				assert_int_not_equal(order, 0);
			else
				assert_int_equal((order > 0) - (order < 0),
						 (i > j) - (i < j));
		}
}

/* The table of experiment-layout.md 2.1, for a wanted name that already exists. */
static void the_next_number_is_one_above_the_largest(void **state)
{
	static const struct {
		const char *present[4], *wanted, *next;
	} cases[] = {
		{ { "test.1.er", "test.2.er" }, "test.1.er", "test.3.er" },
		{ { "test.1.er", "test.2.er", "test.7.er" }, "test.1.er", "test.8.er" },
		{ { "test.1.er", "test.0020.er" }, "test.1.er", "test.21.er" },
		{ { "test.1.er", "test.99x.er" }, "test.1.er", "test.2.er" },
		{ { "test.1.er", "best.9.er" }, "test.1.er", "test.2.er" },
		{ { "test.1.er", "test.1.er.9.er" }, "test.1.er", "test.2.er" },
		{ { "bar.1.er" }, "bar.1.er", "bar.2.er" },
		{ { "test.1.er", "test.20260101123456789.er" },
		  "test.1.er",
		  "test.2.er" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char next[256];
		int dir;

		make_directory("names");
		dir = open("names", O_RDONLY | O_DIRECTORY);
		for (size_t j = 0; j < 4 && cases[i].present[j]; j++)
			close(openat(dir, cases[i].present[j], O_CREAT | O_WRONLY, 0644));
		assert_int_equal(expt_name_next(next, sizeof(next), dir, cases[i].wanted,
						NULL),
				 0);
		assert_string_equal(next, cases[i].next);
		close(dir);
		remove_all("names");
	}
}

static void a_taken_name_without_a_number_has_no_successor(void **state)
{
	static const char *const names[] = { "foo.er", "x12.er", "1.er", "test.x1.er",
					     ".1.er" };
	struct expt_error err;
	char next[256];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		assert_int_equal(expt_name_next(next, sizeof(next), AT_FDCWD, names[i],
						&err),
				 -EEXIST);
}

static void a_number_that_does_not_fit_is_an_error(void **state)
{
	char next[9];

	assert_int_equal(expt_name_next(next, sizeof(next), AT_FDCWD, "test.1.er", NULL),
			 -ENAMETOOLONG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_experiment_ends_in_er_behind_something),
		cmocka_unit_test(descendants_are_ordered_by_their_numbers),
		cmocka_unit_test(the_next_number_is_one_above_the_largest),
		cmocka_unit_test(a_taken_name_without_a_number_has_no_successor),
		cmocka_unit_test(a_number_that_does_not_fit_is_an_error),
	};

	return cmocka_run_group_tests_name("name", tests, NULL, NULL);
}
