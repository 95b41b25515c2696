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
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	assert_string_equal(text, expected);
}

static void groups_name_no_groups(void **state)
{
	struct expt_group *group = NULL;
	struct expt_error err;

	make_directory("d");
	write_text("d/all.erg", HEADER "a.er\nall.erg\n");
	assert_int_equal(expt_group_open(&group, "d/all.erg", &err), -EBADMSG);
	assert_string_equal(err.message, "'d/all.erg' contains the group 'd/all.erg': a "
					 "group can contain only experiments");
	write_text("d/all.erg", HEADER "a.er\n/other.erg/ # why\n");
	assert_int_equal(expt_group_open(&group, "d/all.erg", &err), -EBADMSG);
	assert_null(group);
}

static void no_names_are_lost_behind_a_nul(void **state)
{
	static const char text[] = HEADER "a.er\n\0b.er\n";
	struct expt_group *group = NULL;
	struct expt_error err;
	FILE *file;

	make_directory("d");
	file = fopen("d/all.erg", "w");
	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, sizeof(text) - 1, file), sizeof(text) - 1);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(expt_group_open(&group, "d/all.erg", &err), -EBADMSG);
	assert_string_equal(err.message,
			    "'d/all.erg' is damaged: it contains a NUL byte");
	assert_null(group);
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

/* ---- other names ---- */

static void a_copy_keeps_all_but_the_names(void **state)
{
	const char *const names[] = { "new.er", NULL, "#odd.er" };
	struct expt_group *group;

	make_directory("d");
	write_text("d/all.erg", HEADER "# remark\n\nsub/a.er  \n/abs/b.er\nc.er trailer");
	group = open_group("d/all.erg");
	assert_int_equal(expt_group_write(group, names, "d/copy.erg", false, NULL), 0);
	expect_content("d/copy.erg",
		       HEADER "# remark\n\nnew.er  \n/abs/b.er\n./#odd.er trailer");
	assert_int_equal(expt_group_write(group, names, "d/copy.erg", false, NULL),
			 -EEXIST);
	assert_int_equal(expt_group_write(group, names, "d/copy.erg", true, NULL), 0);
	assert_int_equal(expt_group_write(group, names, "d/copy.txt", false, NULL),
			 -EINVAL);
	expt_group_close(group);
}

static void names_that_would_be_read_differently_are_refused(void **state)
{
	static const char *const bad[] = { "", "a\nb.er", "a.er ", "a\r.er" };
	struct expt_group *group;

	make_directory("d");
	write_text("d/all.erg", HEADER "a.er\n");
	group = open_group("d/all.erg");
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_int_equal(expt_group_write(group, &bad[i], "d/x.erg", false, NULL),
				 -EINVAL);
		assert_int_equal(access("d/x.erg", F_OK), -1);
	}
	expt_group_close(group);
}

static void a_moved_experiment_gets_its_new_name(void **state)
{
	char here[4000], text[8192], expected[8192];

	assert_non_null(getcwd(here, sizeof(here)));
	make_directory("d");
	make_directory("d/runs");
	snprintf(text, sizeof(text),
		 HEADER "a.er\nb.er\n%s/d/a.er\n./a.er\nruns/../a.er\n", here);
	write_text("d/all.erg", text);
	assert_int_equal(expt_group_rename("d/all.erg", "d/a.er/", "d/runs/new.er", NULL),
			 4);
	snprintf(expected, sizeof(expected),
		 HEADER "runs/new.er\nb.er\n%s/d/runs/new.er\nruns/new.er\nruns/new.er\n",
		 here);
	expect_content("d/all.erg", expected);
	assert_int_equal(expt_group_rename("d/all.erg", "d/a.er", "d/x.er", NULL), 0);
	assert_int_equal(expt_group_rename("d/all.erg", "d/b.er", "b.er", NULL), 1);
	snprintf(expected, sizeof(expected),
		 HEADER
		 "runs/new.er\n%s/b.er\n%s/d/runs/new.er\nruns/new.er\nruns/new.er\n",
		 here, here);
	expect_content("d/all.erg", expected);
}

static void a_name_from_here_is_changed_where_nothing_is_below_the_group(void **state)
{
	make_directory("d");
	make_directory("d/other.er");
	write_text("d/all.erg", HEADER "here.er\nother.er\n");
	assert_int_equal(expt_group_rename("d/all.erg", "here.er", "d/now.er", NULL), 1);
	expect_content("d/all.erg", HEADER "now.er\nother.er\n");
	assert_int_equal(expt_group_rename("d/all.erg", "other.er", "d/now.er", NULL), 0);
}

static void what_is_no_group_is_not_changed(void **state)
{
	static const char zero[] = HEADER "a.er\n\0b.er\n";

	make_directory("d");
	write_text("d/all.erg", "a.er\n");
	assert_int_equal(expt_group_rename("d/all.erg", "d/a.er", "d/b.er", NULL),
			 -EBADMSG);
	expect_content("d/all.erg", "a.er\n");
	write_bytes("d/all.erg", zero, sizeof(zero) - 1);
	assert_int_equal(expt_group_rename("d/all.erg", "d/a.er", "d/b.er", NULL),
			 -EBADMSG);
	assert_int_equal(expt_group_rename("d/none.erg", "d/a.er", "d/b.er", NULL),
			 -ENOENT);
}

static void a_group_keeps_its_mode_and_its_link(void **state)
{
	struct stat status;

	make_directory("d");
	write_text("d/all.erg", HEADER "a.er\n");
	assert_int_equal(chmod("d/all.erg", 0640), 0);
	assert_int_equal(symlink("all.erg", "d/link.erg"), 0);
	assert_int_equal(expt_group_rename("d/link.erg", "d/a.er", "d/b.er", NULL), 1);
	expect_content("d/all.erg", HEADER "b.er\n");
	assert_int_equal(lstat("d/link.erg", &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	assert_int_equal(stat("d/all.erg", &status), 0);
	assert_int_equal(status.st_mode & 07777, 0640);
}

/* Locks, waits, writes, like gprofng, which does not expect that files are replaced. */
static void *add_as_others_do(void *failure)
{
	for (int i = 0; i < 100; i++) {
		int fd = open("d/all.erg", O_RDWR | O_APPEND);
		struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

		if (fd < 0 || fcntl(fd, F_OFD_SETLKW, &lock) < 0 ||
		    write(fd, "some.er\n", 8) != 8)
			return failure;
		close(fd);
		usleep(1000);
	}
	return NULL;
}

static void no_line_is_lost_while_names_change(void **state)
{
	char some[] = "some.er";
	struct expt_group *group;
	pthread_t threads[2];
	void *result;

	make_directory("d");
	write_text("d/all.erg", HEADER "1.er\n");
	pthread_create(&threads[0], NULL, add_as_others_do, some);
	pthread_create(&threads[1], NULL, add_many, some);
	for (int i = 1; i < 40; i++) {
		char from[32], to[32];

		snprintf(from, sizeof(from), "d/%d.er", i);
		snprintf(to, sizeof(to), "d/%d.er", i + 1);
		assert_int_equal(expt_group_rename("d/all.erg", from, to, NULL), 1);
	}
	for (size_t i = 0; i < 2; i++) {
		pthread_join(threads[i], &result);
		assert_null(result);
	}
	group = open_group("d/all.erg");
	assert_int_equal(expt_group_count(group), 151);
	assert_string_equal(expt_group_member(group, 0), "d/40.er");
	for (size_t i = 1; i < 151; i++)
		assert_string_equal(expt_group_member(group, i), "d/some.er");
	expt_group_close(group);
}

#define test(name) cmocka_unit_test_teardown(name, remove_group)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(groups_name_no_groups),
		test(no_names_are_lost_behind_a_nul),
		test(members_are_below_the_group_or_else_below_here),
		test(blanks_and_remarks_are_no_members),
		test(a_file_without_the_header_is_no_group),
		test(the_first_member_makes_the_group),
		test(a_last_line_without_its_end_gets_it),
		test(what_would_not_be_read_again_is_refused),
		test(an_empty_file_is_taken_over_after_a_while),
		test(many_may_append_at_once),
		test(a_copy_keeps_all_but_the_names),
		test(names_that_would_be_read_differently_are_refused),
		test(a_moved_experiment_gets_its_new_name),
		test(a_name_from_here_is_changed_where_nothing_is_below_the_group),
		test(what_is_no_group_is_not_changed),
		test(a_group_keeps_its_mode_and_its_link),
		test(no_line_is_lost_while_names_change),
	};

	return cmocka_run_group_tests_name("group", tests, NULL, NULL);
}
