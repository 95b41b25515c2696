/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/libexpt/test.h"

#include <sys/file.h>
#include <sys/stat.h>

#include "libexpt/expt.h"

#define DAY 86400
#define NOW 2000000000

/* Makes an experiment whose recording ended that many days before NOW. */
static void make_ended(const char *path, int days)
{
	char name[256], text[512];

	make_directory(path);
	snprintf(text, sizeof(text),
		 "<experiment version=\"12.4\"><process pid=\"7\"/>"
		 "<event kind=\"run\" tstamp=\"5.5\" time=\"%d\"/>"
		 "<event kind=\"exit\" tstamp=\"10.0\"/></experiment>",
		 NOW - days * DAY - 10);
	snprintf(name, sizeof(name), "%s/log.xml", path);
	write_text(name, text);
}

static struct expt_selection *select_below(const char *directory,
					   struct expt_criteria criteria)
{
	struct expt_selection *selection;

	criteria.now = NOW;
	assert_int_equal(expt_selection_open(&selection, &criteria, NULL), 0);
	assert_int_equal(expt_selection_add_directory(selection, directory, NULL), 0);
	assert_int_equal(expt_selection_read(selection, NULL), 0);
	return selection;
}

/* expected: the selected paths, each followed by a blank */
static void assert_selected(struct expt_criteria criteria, const char *expected)
{
	struct expt_selection *selection = select_below("runs", criteria);
	const struct expt_selected *item;
	char names[1024] = "";

	while ((item = expt_selection_next(selection))) {
		strcat(names, item->path + strlen("runs/"));
		strcat(names, " ");
	}
	assert_string_equal(names, expected);
	assert_int_equal(expt_selection_problem_count(selection), 0);
	expt_selection_close(selection);
}

static int make_runs(void **state)
{
	make_directory("runs");
	make_directory("runs/b");
	make_ended("runs/test.1.er", 30);
	make_ended("runs/test.2.er", 20);
	make_ended("runs/test.10.er", 20);
	make_ended("runs/test.er", 1);
	make_ended("runs/test.x.er", 1);
	make_ended("runs/.5.er", 1);
	make_ended("runs/b/test.9.er", 40);
	return 0;
}

static int remove_runs(void **state)
{
	remove_all("runs");
	remove_all("elsewhere");
	return 0;
}

static void ages_have_sharp_limits(void **state)
{
	assert_selected((struct expt_criteria){ .has_older_than = true,
						.older_than_s = 30 * DAY },
			"b/test.9.er test.1.er ");
	assert_selected((struct expt_criteria){ .has_older_than = true,
						.older_than_s = 30 * DAY + 1 },
			"b/test.9.er ");
	assert_selected((struct expt_criteria){ .has_newer_than = true,
						.newer_than_s = DAY },
			"");
	assert_selected((struct expt_criteria){ .has_newer_than = true,
						.newer_than_s = DAY + 1,
						.name = "test.[ex]*" },
			"test.er test.x.er ");
}

static void equal_ages_are_ordered_by_number(void **state)
{
	assert_selected((struct expt_criteria){ .has_older_than = true,
						.older_than_s = 20 * DAY },
			"b/test.9.er test.1.er test.2.er test.10.er ");
}

/* test.1, test.2, test.10 and test have one stem. test.x and .5 have their own, and so do
 * names in another directory. */
static void the_newest_of_each_stem_are_kept(void **state)
{
	assert_selected((struct expt_criteria){ .keep = 1 },
			"test.1.er test.2.er test.10.er ");
	assert_selected((struct expt_criteria){ .keep = 2 }, "test.1.er test.2.er ");
	assert_selected((struct expt_criteria){ .keep = 4 }, "");
}

static void what_is_gone_counts_for_the_limit(void **state)
{
	struct expt_selection *selection =
		select_below("runs", (struct expt_criteria){ .measure = true });
	const struct expt_selected *item;
	uint64_t total = 0;

	while ((item = expt_selection_next(selection)))
		total += item->bytes;
	expt_selection_close(selection);
	selection =
		select_below("runs", (struct expt_criteria){ .has_max_total = true,
							     .max_total = total - 1 });
	item = expt_selection_next(selection);
	assert_non_null(item);
	assert_string_equal(item->path, "runs/b/test.9.er");
	remove_all("runs/b/test.9.er");
	assert_int_equal(expt_selection_remove(selection, item,
					       &(struct expt_remove_options){ 0 }, NULL),
			 -ENOENT);
	assert_null(expt_selection_next(selection));
	expt_selection_close(selection);
}

/* A user who may write below a directory replaces a directory of his own by a link. */
static void a_cleaner_is_not_led_elsewhere(void **state)
{
	const struct expt_remove_options options = { .even_live = true };
	struct expt_selection *selection;
	const struct expt_selected *item;

	make_directory("elsewhere");
	make_ended("elsewhere/test.9.er", 40);
	selection = select_below("runs", (struct expt_criteria){ .name = "test.9.er" });
	item = expt_selection_next(selection);
	assert_non_null(item);
	assert_int_equal(rename("runs/b", "runs/moved"), 0);
	assert_int_equal(symlink("../elsewhere", "runs/b"), 0);
	assert_int_equal(expt_selection_remove(selection, item, &options, NULL), -ENOENT);
	assert_int_equal(access("elsewhere/test.9.er/log.xml", F_OK), 0);

	assert_int_equal(unlink("runs/b"), 0);
	assert_int_equal(rename("elsewhere", "runs/b"), 0);
	assert_int_equal(expt_selection_remove(selection, item, &options, NULL), -ENOENT);
	assert_int_equal(access("runs/b/test.9.er/log.xml", F_OK), 0);
	expt_selection_close(selection);
}

static void an_experiment_is_selected_once(void **state)
{
	struct expt_selection *selection;
	const struct expt_selected *item;

	assert_int_equal(expt_selection_open(&selection,
					     &(struct expt_criteria){ .now = NOW }, NULL),
			 0);
	assert_int_equal(expt_selection_add_directory(selection, "runs", NULL), 0);
	assert_int_equal(expt_selection_add_directory(selection, "runs/b/", NULL), 0);
	assert_int_equal(expt_selection_add_directory(selection, "runs/../runs", NULL),
			 0);
	assert_int_equal(expt_selection_add(selection, "runs/b/test.9.er", NULL), 0);
	assert_int_equal(expt_selection_lock(selection, 0, NULL), 0);
	assert_int_equal(expt_selection_read(selection, NULL), 0);
	assert_int_equal(expt_selection_count(selection), 7);
	item = expt_selection_next(selection);
	assert_non_null(item);
	assert_string_equal(item->path, "runs/b/test.9.er");
	assert_true(item->is_named);
	assert_int_equal(item->ended_at, NOW - 40 * DAY);
	expt_selection_close(selection);
}

static void a_locked_directory_is_busy(void **state)
{
	struct expt_selection *other = select_below("runs", (struct expt_criteria){ 0 });
	struct expt_selection *selection;
	struct expt_error err;

	assert_int_equal(expt_selection_lock(other, 0, NULL), 0);
	selection = select_below("runs", (struct expt_criteria){ 0 });
	assert_int_equal(expt_selection_lock(selection, 0, &err), -EBUSY);
	assert_string_equal(err.message,
			    "'runs' is locked: another er_rm is cleaning it");
	expt_selection_close(other);
	assert_int_equal(expt_selection_lock(selection, 0, &err), 0);
	expt_selection_close(selection);
}

/* Every user who may read the directory can lock it. */
static void a_lock_on_the_directory_itself_means_nothing(void **state)
{
	int dir = open("runs", O_RDONLY | O_DIRECTORY);
	struct expt_selection *selection =
		select_below("runs", (struct expt_criteria){ 0 });

	assert_int_equal(flock(dir, LOCK_EX), 0);
	assert_int_equal(expt_selection_lock(selection, 0, NULL), 0);
	expt_selection_close(selection);
	close(dir);
}

/* A hostile user made these, to make cleaners wait forever or write elsewhere. */
static void other_files_of_the_locks_name_are_no_lock(void **state)
{
	struct expt_selection *selection;
	char name[128], other[128];
	struct stat status;
	int fd;

	snprintf(name, sizeof(name), "runs/.er_rm.%u.lock", geteuid());
	snprintf(other, sizeof(other), "%s", "runs/precious");
	write_text(other, "precious");
	for (int kind = 0; kind < 3; kind++) {
		if (kind == 0)
			assert_int_equal(symlink("precious", name), 0);
		else if (kind == 1)
			assert_int_equal(link(other, name), 0);
		else
			assert_int_equal(mkfifo(name, 0644), 0);
		fd = open(other, O_RDONLY);
		assert_int_equal(flock(fd, LOCK_EX), 0);
		selection = select_below("runs", (struct expt_criteria){ 0 });
		assert_int_equal(expt_selection_lock(selection, 0, NULL), 0);
		expt_selection_close(selection);
		close(fd);
		assert_int_equal(lstat(name, &status), 0);
		assert_int_equal(unlink(name), 0);
	}
	assert_int_equal(stat(other, &status), 0);
	assert_int_equal(status.st_size, 8);
	assert_int_equal(unlink(other), 0);
}

static void a_regular_expression_is_checked(void **state)
{
	struct expt_selection *selection;
	struct expt_error err;

	assert_int_equal(expt_selection_open(&selection,
					     &(struct expt_criteria){ .comment = "a[" },
					     &err),
			 -EINVAL);
	assert_non_null(strstr(err.message, "'a[' is not a regular expression"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(ages_have_sharp_limits, make_runs,
						remove_runs),
		cmocka_unit_test_setup_teardown(equal_ages_are_ordered_by_number,
						make_runs, remove_runs),
		cmocka_unit_test_setup_teardown(the_newest_of_each_stem_are_kept,
						make_runs, remove_runs),
		cmocka_unit_test_setup_teardown(what_is_gone_counts_for_the_limit,
						make_runs, remove_runs),
		cmocka_unit_test_setup_teardown(a_cleaner_is_not_led_elsewhere, make_runs,
						remove_runs),
		cmocka_unit_test_setup_teardown(an_experiment_is_selected_once, make_runs,
						remove_runs),
		cmocka_unit_test_setup_teardown(a_locked_directory_is_busy, make_runs,
						remove_runs),
		cmocka_unit_test_setup_teardown(
			a_lock_on_the_directory_itself_means_nothing, make_runs,
			remove_runs),
		cmocka_unit_test_setup_teardown(other_files_of_the_locks_name_are_no_lock,
						make_runs, remove_runs),
		cmocka_unit_test(a_regular_expression_is_checked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
