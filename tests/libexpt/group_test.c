/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/libexpt/test.h"

#include <pthread.h>

#include "libexpt/expt.h"

#define HEADER "#analyzer experiment group\n"

static int remove_group(void **state)
{
	remove_all("d");
	remove_all("here.er");
	return 0;
}

static struct expt_group *open_group(const char *path)
{
	struct expt_group *group = NULL;
	struct expt_error err;

	if (expt_group_open(&group, path, &err) < 0)
		fail_msg("%s", err.message);
	return group;
}

static void expect_content(const char *path, const char *expected)
{
	char text[4096];
	FILE *file = fopen(path, "r");

	assert_non_null(file);
	text[fread(text, 1, sizeof text - 1, file)] = '\0';
	fclose(file);
	assert_string_equal(text, expected);
}

static void members_are_below_the_group_or_else_below_here(void **state)
{
	struct expt_group *group;

	make_directory("d");
	make_directory("d/there.er");
	make_directory("here.er");
	write_text("d/all.erg", HEADER "there.er\n/abs/x.er\nhere.er\nnowhere.er\n");
	group = open_group("d/all.erg");
	assert_int_equal(expt_group_count(group), 4);
	assert_string_equal(expt_group_member(group, 0), "d/there.er");
	assert_string_equal(expt_group_member(group, 1), "/abs/x.er");
	assert_string_equal(expt_group_member(group, 2), "here.er");
	assert_string_equal(expt_group_member(group, 3), "d/nowhere.er");
	expt_group_close(group);
}

static void blanks_and_remarks_are_no_members(void **state)
{
	struct expt_group *group;

	make_directory("d");
	make_directory("d/with blank.er");
	write_text("d/all.erg", "#analyzer experiment group, of 1999\n\n# x.er\n   \n"
				"a.er and a remark\r\nwith blank.er  \nlast.er");
	group = open_group("d/all.erg");
	assert_int_equal(expt_group_count(group), 3);
	assert_string_equal(expt_group_member(group, 0), "d/a.er");
	assert_string_equal(expt_group_member(group, 1), "d/with blank.er");
	assert_string_equal(expt_group_member(group, 2), "d/last.er");
	expt_group_close(group);
}

static void a_file_without_the_header_is_no_group(void **state)
{
	struct expt_group *group = NULL;
	struct expt_error err;

	make_directory("d");
	write_text("d/all.erg", "a.er\n");
	assert_int_equal(expt_group_open(&group, "d/all.erg", &err), -EBADMSG);
	assert_string_equal(err.message,
			    "'d/all.erg' is not an experiment group: "
			    "it does not begin with '#analyzer experiment group'");
	assert_int_equal(expt_group_add("d/all.erg", "b.er", &err), -EBADMSG);
	expect_content("d/all.erg", "a.er\n");
	assert_int_equal(expt_group_open(&group, "d/none.erg", &err), -ENOENT);
	assert_int_equal(expt_group_open(&group, "d", &err), -EBADMSG);
	assert_null(group);
}

static void the_first_member_makes_the_group(void **state)
{
	make_directory("d");
	assert_int_equal(expt_group_add("d/all.erg", "a.er", NULL), 0);
	assert_int_equal(expt_group_add("d/all.erg", "b.er", NULL), 0);
	expect_content("d/all.erg", HEADER "a.er\nb.er\n");
}

static void a_last_line_without_its_end_gets_it(void **state)
{
	make_directory("d");
	write_text("d/all.erg", HEADER "a.er");
	assert_int_equal(expt_group_add("d/all.erg", "b.er", NULL), 0);
	expect_content("d/all.erg", HEADER "a.er\nb.er\n");
}

static void what_would_not_be_read_again_is_refused(void **state)
{
	make_directory("d");
	assert_int_equal(expt_group_add("d/all.txt", "a.er", NULL), -EINVAL);
	assert_int_equal(expt_group_add("d/all.erg", "#a.er", NULL), -EINVAL);
	assert_int_equal(expt_group_add("d/all.erg", "a\nb.er", NULL), -EINVAL);
	assert_int_equal(access("d/all.erg", F_OK), -1);
}

static void an_empty_file_is_taken_over_after_a_while(void **state)
{
	make_directory("d");
	write_text("d/all.erg", "");
	assert_int_equal(expt_group_add("d/all.erg", "a.er", NULL), 0);
	expect_content("d/all.erg", HEADER "a.er\n");
}

static void *add_many(void *name)
{
	for (int i = 0; i < 50; i++)
		if (expt_group_add("d/all.erg", name, NULL) < 0)
			return name;
	return NULL;
}

static void many_may_append_at_once(void **state)
{
	pthread_t threads[4];
	char name[] = "some.er";
	struct expt_group *group;
	void *result;

	make_directory("d");
	for (size_t i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, add_many, name);
	for (size_t i = 0; i < 4; i++) {
		pthread_join(threads[i], &result);
		assert_null(result);
	}
	group = open_group("d/all.erg");
	assert_int_equal(expt_group_count(group), 200);
	for (size_t i = 0; i < 200; i++)
		assert_string_equal(expt_group_member(group, i), "d/some.er");
	expt_group_close(group);
}

#define test(name) cmocka_unit_test_teardown(name, remove_group)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(members_are_below_the_group_or_else_below_here),
		test(blanks_and_remarks_are_no_members),
		test(a_file_without_the_header_is_no_group),
		test(the_first_member_makes_the_group),
		test(a_last_line_without_its_end_gets_it),
		test(what_would_not_be_read_again_is_refused),
		test(an_empty_file_is_taken_over_after_a_while),
		test(many_may_append_at_once),
	};

	return cmocka_run_group_tests_name("group", tests, NULL, NULL);
}
