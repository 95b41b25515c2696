/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/libexpt/test.h"

#include "libexpt/tree/leave_out.h"
#include "libexpt/tree/measure.h"
#include "libexpt/tree/remove.h"
#include "libexpt/tree/tree.h"

static int make_experiment(void **state)
{
	make_directory("a.er");
	make_directory("a.er/archives");
	make_directory("a.er/_f1.er");
	write_text("a.er/_f1.er/profile", "12345");
	write_text("a.er/_f1.er/log.xml", "1");
	write_text("a.er/log.xml", "123");
	write_text("a.er/archives/b_code", "1234");
	write_text("a.er/archives/.b_code.abcdef.part", "1");
	assert_int_equal(symlink("../x", "a.er/archives/link_code"), 0);
	make_directory("a.er/._f2.er.record.part"); /* not part of the experiment yet */
	write_text("a.er/._f2.er.record.part/map.xml", "1");
	write_text("a.er/.map.xml.record.part", "1");
	return 0;
}

static int remove_experiment(void **state)
{
	remove_all("a.er");
	return 0;
}

static int read_tree(struct tree *tree, const char *left_out, struct expt_error *err)
{
	int dir = open("a.er", O_RDONLY | O_DIRECTORY),
	    rc = tree_read(tree, dir, left_out, err);

	close(dir);
	return rc;
}

static void files_are_listed_in_a_fixed_order(void **state)
{
	static const char *const names[] = {
		"",
		"_f1.er",
		"archives",
		"log.xml",
		"_f1.er/log.xml",
		"_f1.er/profile",
		"archives/b_code",
		"archives/link_code",
	};
	struct tree tree;

	assert_int_equal(read_tree(&tree, NULL, NULL), 0);
	assert_int_equal(tree.count, sizeof(names) / sizeof(*names));
	for (size_t i = 0; i < tree.count; i++)
		assert_string_equal(tree.items[i].name, names[i]);
	assert_int_equal(tree.items[1].first, 4);
	assert_int_equal(tree.items[1].children, 2);
	assert_int_equal(tree.items[5].directory, 1);
	assert_int_equal(tree.items[5].size, 5);
	assert_string_equal(tree.items[5].base, "profile");
	assert_string_equal(tree.items[7].target, "../x");
	tree_release(&tree);
}

static void a_name_can_be_left_out(void **state)
{
	struct tree tree;

	assert_int_equal(read_tree(&tree, "archives", NULL), 0);
	assert_int_equal(tree.count, 5);
	tree_release(&tree);
}

static void what_is_no_file_is_refused_by_name(void **state)
{
	struct expt_error err;
	struct tree tree;

	assert_int_equal(mkfifo("a.er/_f1.er/iotrace", 0644), 0);
	assert_int_equal(read_tree(&tree, NULL, &err), -EBADMSG);
	assert_non_null(strstr(err.message, "'_f1.er/iotrace'"));
	tree_release(&tree);
	unlink("a.er/_f1.er/iotrace");
	assert_int_equal(symlink("/etc/passwd", "a.er/notes"), 0);
	assert_int_equal(read_tree(&tree, NULL, &err), -EBADMSG);
	assert_non_null(strstr(err.message, "'notes'"));
	tree_release(&tree);
}

static void removal_empties_the_directory(void **state)
{
	char name[64];
	int dir;

	for (int i = 0; i < 3000; i++) {
		snprintf(name, sizeof(name), "a.er/archives/object_%d_with_a_long_name",
			 i);
		write_text(name, "");
	}
	dir = open("a.er", O_RDONLY | O_DIRECTORY);
	assert_int_equal(tree_unlink(dir, NULL, NULL), 0);
	close(dir);
	assert_int_equal(rmdir("a.er"), 0);
}

static void removal_does_not_follow_links(void **state)
{
	int dir;

	make_directory("other");
	write_text("other/file", "x");
	assert_int_equal(symlink("../other", "a.er/other"), 0);
	dir = open("a.er", O_RDONLY | O_DIRECTORY);
	assert_int_equal(tree_unlink(dir, NULL, NULL), 0);
	close(dir);
	assert_int_equal(access("other/file", F_OK), 0);
	remove_all("other");
}

static void endless_depth_is_an_error(void **state)
{
	struct expt_error err;
	int dir, top = open("a.er", O_RDONLY | O_DIRECTORY), fd = dup(top);

	for (int i = 0; i < TREE_DEPTH_MAX + 10; i++) {
		assert_int_equal(mkdirat(fd, "d", 0755), 0);
		dir = openat(fd, "d", O_RDONLY | O_DIRECTORY);
		close(fd);
		fd = dir;
	}
	close(fd);
	assert_int_equal(tree_unlink(top, NULL, &err), -ELOOP);
	close(top);
}

static void what_is_left_out_takes_all_below_it_along(void **state)
{
	static const char *const names[] = { "", "archives", "log.xml", "archives/b_code",
					     "archives/link_code" };
	bool is_left_out[8] = { [1] = true };
	struct tree tree;

	assert_int_equal(read_tree(&tree, NULL, NULL), 0);
	assert_int_equal(tree_leave_out(&tree, is_left_out), 0);
	assert_int_equal(tree.count, sizeof(names) / sizeof(*names));
	for (size_t i = 0; i < tree.count; i++)
		assert_string_equal(tree.items[i].name, names[i]);
	assert_int_equal(tree.items[0].first, 1);
	assert_int_equal(tree.items[0].children, 2);
	assert_int_equal(tree.items[1].first, 3);
	assert_int_equal(tree.items[1].children, 2);
	assert_int_equal(tree.items[2].children, 0);
	assert_int_equal(tree.items[3].directory, 1);
	tree_release(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(files_are_listed_in_a_fixed_order,
						make_experiment, remove_experiment),
		cmocka_unit_test_setup_teardown(a_name_can_be_left_out, make_experiment,
						remove_experiment),
		cmocka_unit_test_setup_teardown(what_is_left_out_takes_all_below_it_along,
						make_experiment, remove_experiment),
		cmocka_unit_test_setup_teardown(what_is_no_file_is_refused_by_name,
						make_experiment, remove_experiment),
		cmocka_unit_test_setup_teardown(removal_empties_the_directory,
						make_experiment, remove_experiment),
		cmocka_unit_test_setup_teardown(removal_does_not_follow_links,
						make_experiment, remove_experiment),
		cmocka_unit_test_setup_teardown(endless_depth_is_an_error,
						make_experiment, remove_experiment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
