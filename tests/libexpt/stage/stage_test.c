/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/libexpt/test.h"

#include <dirent.h>
#include <stdbool.h>
#include <sys/file.h>

#include "libexpt/stage/aside.h"
#include "libexpt/stage/clean.h"
#include "libexpt/stage/commit.h"

static bool exists(const char *path)
{
	struct stat status;

	return lstat(path, &status) == 0;
}

/* Counts the entries of the current directory with this suffix. */
static int count_names(const char *suffix)
{
	DIR *directory = opendir(".");
	struct dirent *entry;
	int count = 0;

	while ((entry = readdir(directory))) {
		size_t length = strlen(entry->d_name), tail = strlen(suffix);

		if (length >= tail && strcmp(entry->d_name + length - tail, suffix) == 0)
			count++;
	}
	closedir(directory);
	return count;
}

static void put(int dir, const char *name, const char *text)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL, 0644);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
}

static int clean_up(void **state)
{
	remove_all("a.er");
	return 0;
}

static void a_stage_is_hidden_until_its_commit(void **state)
{
	struct stage stage = STAGE_INIT;
	struct expt_error err;
	struct stat status;

	assert_int_equal(stage_open(&stage, "a.er", false, &err), 0);
	put(stage.dir, "log.xml", "x");
	assert_false(exists("a.er"));
	assert_int_equal(stat(stage.name, &status), 0);
	assert_int_equal(status.st_mode & 07777, 0700);
	assert_int_equal(stage_commit(&stage, false, true, 0755, &err), 0);
	assert_true(exists("a.er/log.xml"));
	assert_int_equal(stat("a.er", &status), 0);
	assert_int_equal(status.st_mode & 07777, 0755);
	assert_int_equal(count_names(".part"), 0);
}

static void a_released_stage_leaves_nothing(void **state)
{
	struct stage stage = STAGE_INIT;

	assert_int_equal(stage_open(&stage, "a.er", false, NULL), 0);
	assert_int_equal(mkdirat(stage.dir, "archives", 0755), 0);
	put(stage.dir, "log.xml", "x");
	stage_release(&stage);
	assert_int_equal(count_names(".part"), 0);
	assert_int_equal(stage.dir, -1);
}

static void a_taken_name_is_refused_at_the_start_and_at_the_end(void **state)
{
	struct stage stage = STAGE_INIT;
	struct expt_error err;

	make_directory("a.er");
	assert_int_equal(stage_open(&stage, "a.er", false, &err), -EEXIST);
	assert_int_equal(rmdir("a.er"), 0);
	assert_int_equal(stage_open(&stage, "a.er", false, &err), 0);
	make_directory("a.er");
	write_text("a.er/notes", "mine");
	assert_int_equal(stage_commit(&stage, false, true, 0755, &err), -EEXIST);
	stage_release(&stage);
	assert_true(exists("a.er/notes"));
	assert_int_equal(count_names(".part"), 0);
}

static void an_experiment_is_replaced_in_one_moment(void **state)
{
	struct stage stage = STAGE_INIT;
	struct expt_error err;

	make_directory("a.er");
	write_text("a.er/notes", "old");
	assert_int_equal(stage_open(&stage, "a.er", true, &err), 0);
	put(stage.dir, "log.xml", "new");
	assert_int_equal(stage_commit(&stage, true, true, 0755, &err), 0);
	assert_true(exists("a.er/log.xml"));
	assert_false(exists("a.er/notes"));
	assert_int_equal(count_names(".part") + count_names(".del"), 0);
}

static void only_an_experiment_is_replaced(void **state)
{
	struct stage stage = STAGE_INIT;
	struct expt_error err;

	make_directory("a.er");
	write_text("a.er/thesis.tex", "mine");
	assert_int_equal(stage_open(&stage, "a.er", true, &err), -EBADMSG);
	assert_non_null(strstr(err.message, "thesis.tex"));
	assert_true(exists("a.er/thesis.tex"));
}

static void only_an_experiment_that_took_the_name_meanwhile_is_replaced(void **state)
{
	struct stage stage = STAGE_INIT;

	assert_int_equal(stage_open(&stage, "a.er", true, NULL), 0);
	put(stage.dir, "log.xml", "new");
	make_directory("a.er");
	write_text("a.er/thesis.tex", "mine");
	assert_int_equal(stage_commit(&stage, true, true, 0755, NULL), -EBADMSG);
	assert_true(exists("a.er/thesis.tex"));
	assert_int_equal(rename("a.er/thesis.tex", "a.er/notes"), 0);
	assert_int_equal(stage_commit(&stage, true, true, 0755, NULL), 0);
	assert_true(exists("a.er/log.xml"));
	assert_false(exists("a.er/notes"));
	assert_int_equal(count_names(".part") + count_names(".del"), 0);
}

static void what_is_set_aside_can_be_put_back(void **state)
{
	struct stage_aside aside;

	make_directory("a.er");
	write_text("a.er/notes", "old");
	assert_int_equal(stage_set_aside(&aside, AT_FDCWD, "a.er", NULL), 0);
	assert_false(exists("a.er"));
	assert_int_equal(stage_clean(AT_FDCWD, "a.er"), 0);
	stage_put_back(&aside);
	assert_true(exists("a.er/notes"));

	assert_int_equal(stage_set_aside(&aside, AT_FDCWD, "a.er", NULL), 0);
	stage_discard(&aside);
	assert_false(exists("a.er"));
	assert_int_equal(count_names(".del"), 0);
	assert_int_equal(stage_set_aside(&aside, AT_FDCWD, "a.er", NULL), -EAGAIN);
}

static void abandoned_stages_and_removals_are_cleaned(void **state)
{
	struct stage stage = STAGE_INIT;

	make_directory(".a.er.abcdef.part");
	write_text(".a.er.abcdef.part/log.xml", "x");
	make_directory(".a.er.ghijkl.del");
	make_directory(".b.er.abcdef.part");
	make_directory(".a.er.abcdefg.part");
	assert_int_equal(stage_open(&stage, "a.er", false, NULL), 0);
	assert_false(exists(".a.er.abcdef.part"));
	assert_false(exists(".a.er.ghijkl.del"));
	assert_true(exists(".b.er.abcdef.part"));
	assert_true(exists(".a.er.abcdefg.part"));
	stage_release(&stage);
	assert_int_equal(rmdir(".b.er.abcdef.part"), 0);
	assert_int_equal(rmdir(".a.er.abcdefg.part"), 0);
}

static void a_stage_in_use_is_left_alone(void **state)
{
	struct stage first = STAGE_INIT, second = STAGE_INIT;
	char name[256];

	assert_int_equal(stage_open(&first, "a.er", false, NULL), 0);
	strcpy(name, first.name);
	assert_int_equal(stage_open(&second, "./a.er/", false, NULL), 0);
	assert_true(exists(name));
	stage_release(&second);
	assert_int_equal(stage_commit(&first, false, true, 0755, NULL), 0);
	assert_true(exists("a.er"));
}

static void a_link_in_place_of_a_stage_is_not_followed(void **state)
{
	make_directory("other");
	write_text("other/file", "x");
	assert_int_equal(symlink("other", ".a.er.abcdef.part"), 0);
	assert_int_equal(stage_clean(AT_FDCWD, "a.er"), 0);
	assert_true(exists("other/file"));
	remove_all("other");
	unlink(".a.er.abcdef.part");
}

static void names_of_any_length_have_stages(void **state)
{
	char name[256];

	for (size_t length = 236; length <= 255; length++) {
		struct stage stage = STAGE_INIT;

		memset(name, 'n', length);
		strcpy(name + length - 3, ".er");
		assert_int_equal(stage_open(&stage, name, false, NULL), 0);
		assert_int_equal(stage_commit(&stage, false, false, 0755, NULL), 0);
		assert_true(exists(name));
		assert_int_equal(stage_remove(AT_FDCWD, name, NULL), 0);
		assert_false(exists(name));
		assert_int_equal(count_names(".del"), 0);
	}
}

static void names_that_are_no_names_are_refused(void **state)
{
	static const char *const names[] = { "",   "/",	   "//", ".",
					     "..", "a/..", "./", "a/../" };
	struct stage stage = STAGE_INIT;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		assert_int_equal(stage_open(&stage, names[i], true, NULL), -EINVAL);
	assert_int_equal(stage_open(&stage, "missing/a.er", true, NULL), -ENOENT);
}

static void a_removal_takes_unwritable_directories(void **state)
{
	make_directory("a.er");
	make_directory("a.er/_f1.er");
	write_text("a.er/_f1.er/log.xml", "x");
	chmod("a.er/_f1.er", 0);
	chmod("a.er", 0);
	assert_int_equal(stage_remove(AT_FDCWD, "a.er", NULL), 0);
	assert_false(exists("a.er"));
	assert_int_equal(count_names(".del"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(a_stage_is_hidden_until_its_commit, clean_up),
		cmocka_unit_test(a_released_stage_leaves_nothing),
		cmocka_unit_test_teardown(
			a_taken_name_is_refused_at_the_start_and_at_the_end, clean_up),
		cmocka_unit_test_teardown(an_experiment_is_replaced_in_one_moment,
					  clean_up),
		cmocka_unit_test_teardown(only_an_experiment_is_replaced, clean_up),
		cmocka_unit_test_teardown(
			only_an_experiment_that_took_the_name_meanwhile_is_replaced,
			clean_up),
		cmocka_unit_test_teardown(what_is_set_aside_can_be_put_back, clean_up),
		cmocka_unit_test(abandoned_stages_and_removals_are_cleaned),
		cmocka_unit_test_teardown(a_stage_in_use_is_left_alone, clean_up),
		cmocka_unit_test(a_link_in_place_of_a_stage_is_not_followed),
		cmocka_unit_test(names_of_any_length_have_stages),
		cmocka_unit_test(names_that_are_no_names_are_refused),
		cmocka_unit_test(a_removal_takes_unwritable_directories),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
