/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/libexpt/test.h"

#include <sys/resource.h>

#include "libexpt/tree/directories.h"
#include "libexpt/tree/remove.h"
#include "libexpt/tree/tree.h"

static int make_tree(void **state)
{
	make_directory("t");
	make_directory("t/a");
	make_directory("t/a/b");
	make_directory("t/empty");
	write_text("t/file", "");
	write_text("t/a/b/deep", "");
	return 0;
}

static int remove_tree(void **state)
{
	remove_all("t");
	remove_all("other");
	return 0;
}

static int look(void *context, const struct directory *directory,
		const struct directory_name *name, struct expt_error *err)
{
	return name->type == DT_DIR ? directory->kind + 7 : 0;
}

static int read_all(struct directories *directories)
{
	const struct directories_reading reading = { .look = look,
						     .keeps = true,
						     .threads = 2 };
	int root = open("t", O_RDONLY | O_DIRECTORY);

	assert_int_equal(directories_read(directories, root, &reading, NULL), 0);
	assert_int_equal(directories_sort(directories), 0);
	return root;
}

static void release(struct directories *directories, int root)
{
	directories_release(directories);
	close(root);
}

static void every_directory_is_read_with_its_names(void **state)
{
	struct directories directories;
	struct directory_name name;
	int root = read_all(&directories);
	const struct directory *b = directories_find(&directories, "a/b");
	size_t at = 0;

	assert_int_equal(directories.count, 4);
	assert_null(directories_find(&directories, "b"));
	assert_string_equal(b->base, "b");
	assert_int_equal(b->depth, 2);
	assert_int_equal(b->kind, 14);
	assert_string_equal(directories.items[b->parent].path, "a");
	assert_true(b->is_complete && !b->is_empty && b->fd >= 0);
	assert_true(directories_next_name(b, &at, &name));
	assert_string_equal(name.text, "deep");
	assert_int_equal(name.type, DT_REG);
	assert_false(directories_next_name(b, &at, &name));
	assert_true(directories_find(&directories, "empty")->is_empty);
	release(&directories, root);
}

static void few_descriptors_are_opened_again(void **state)
{
	const struct rlimit few = { 16, 16 };
	struct rlimit before;
	struct directories directories;
	int root, opened = -1, rc;

	for (int i = 0; i < 40; i++) {
		char name[32];

		snprintf(name, sizeof(name), "t/a/d%d", i);
		make_directory(name);
	}
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	assert_int_equal(setrlimit(RLIMIT_NOFILE,
				   &(struct rlimit){ few.rlim_cur, before.rlim_max }),
			 0);
	root = read_all(&directories);
	assert_int_equal(directories.count, 44);
	assert_int_equal(directories.items[43].fd, -1);
	rc = directories_open(&directories, 43, &opened);
	assert_true(rc >= 0 && opened == rc);
	close(opened);
	assert_int_equal(tree_unlink_listed(&directories, 0, NULL), 0);
	assert_int_equal(rmdir("t"), 0);
	release(&directories, root);
	setrlimit(RLIMIT_NOFILE, &before);
}

static void what_has_appeared_is_not_removed(void **state)
{
	struct directories directories;
	int root = read_all(&directories);

	write_text("t/a/b/new", "");
	assert_int_equal(tree_unlink_listed(&directories, 0, NULL), 1);
	assert_int_equal(access("t/a/b/new", F_OK), 0);
	assert_int_equal(access("t/file", F_OK), -1);
	assert_int_equal(access("t/empty", F_OK), -1);
	release(&directories, root);
}

static void what_has_taken_a_name_is_not_touched(void **state)
{
	struct directories directories;
	int root = read_all(&directories);

	make_directory("other");
	write_text("other/deep", "");
	assert_int_equal(rename("t/a/b", "t/a/moved"), 0);
	assert_int_equal(symlink("../../other", "t/a/b"), 0);
	assert_int_equal(tree_unlink_listed(&directories, 0, NULL), 1);
	assert_int_equal(access("other/deep", F_OK), 0);
	release(&directories, root);
}

static void closed_ones_are_not_reached_through_links(void **state)
{
	struct directories directories;
	int opened = -1, root = read_all(&directories);
	size_t b = (size_t)(directories_find(&directories, "a/b") - directories.items);

	make_directory("other");
	write_text("other/deep", "");
	directories_close(&directories, b);
	assert_int_equal(rename("t/a/b", "t/a/moved"), 0);
	assert_int_equal(symlink("../../other", "t/a/b"), 0);
	assert_true(directories_open(&directories, b, &opened) < 0);
	assert_true(tree_unlink_listed(&directories, 0, NULL) < 0);
	assert_int_equal(access("other/deep", F_OK), 0);
	release(&directories, root);
}

/* Counts as if the directories had been read long after the last change, or before it. */
static size_t count_listed(time_t since)
{
	struct directories directories;
	struct tree tree;
	int root = read_all(&directories);
	size_t count;

	write_text("t/a/b/new", "");
	directories.begun += since;
	assert_int_equal(tree_read_listed(&tree, &directories, "file", NULL), 0);
	count = tree.count;
	tree_release(&tree);
	release(&directories, root);
	return count;
}

static void a_tree_takes_the_names_that_were_read(void **state)
{
	assert_int_equal(count_listed(1000), 5);
}

static void a_tree_has_what_came_since(void **state)
{
	assert_int_equal(count_listed(0), 6);
}

#define test(name) cmocka_unit_test_setup_teardown(name, make_tree, remove_tree)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(every_directory_is_read_with_its_names),
		test(few_descriptors_are_opened_again),
		test(what_has_appeared_is_not_removed),
		test(what_has_taken_a_name_is_not_touched),
		test(closed_ones_are_not_reached_through_links),
		test(a_tree_takes_the_names_that_were_read),
		test(a_tree_has_what_came_since),
	};

	return cmocka_run_group_tests_name("directories", tests, NULL, NULL);
}
