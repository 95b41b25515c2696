/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/experiment/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "tests/libexpt/test.h"

static struct rlimit limit;

/* Leaves so few descriptors that each is scarce. */
static void set_scarce(bool is_scarce)
{
	struct rlimit few = limit;

	if (is_scarce)
		few.rlim_cur = 12;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
}

static int make(void **state)
{
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	assert_int_equal(mkdir("top", 0755), 0);
	assert_int_equal(mkdir("top/sub", 0755), 0);
	write_text("top/file", "1");
	write_text("top/sub/file", "2");
	return 0;
}

static int clean(void **state)
{
	set_scarce(false);
	return system("rm -rf top other") != 0;
}

static struct folder open_resting(const struct folder *parent, const char *name)
{
	struct folder folder = { .dir = open("top", O_RDONLY | O_DIRECTORY | O_CLOEXEC) };

	if (parent) {
		folder_close(&folder);
		assert_int_equal(folder_open(&folder, parent, name), 0);
	}
	set_scarce(true);
	folder_rest(&folder, parent, name);
	return folder;
}

static void assert_reads(const struct folder *folder, const char *name, char expected)
{
	cleanup_fd int fd = folder_file(folder, name, NULL);
	char byte = 0;

	assert_true(fd >= 0);
	assert_int_equal(read(fd, &byte, 1), 1);
	assert_int_equal(byte, expected);
}

static void a_folder_stays_open_while_there_are_descriptors(void **state)
{
	struct folder folder = { .dir = open("top", O_RDONLY | O_DIRECTORY | O_CLOEXEC) };

	folder_rest(&folder, NULL, "top");
	assert_true(folder.dir >= 0);
	folder_close(&folder);
}

static void where_they_are_scarce_it_is_opened_again(void **state)
{
	struct folder top = open_resting(NULL, "top"), sub = open_resting(&top, "sub");
	struct folder_names names;
	struct folder parent;

	assert_int_equal(top.dir, -1);
	assert_int_equal(sub.dir, -1);
	assert_true(folder_is_open(&sub));
	assert_reads(&top, "file", '1');
	assert_reads(&sub, "file", '2');
	assert_true(folder_contains(&sub, "file"));
	assert_false(folder_contains(&sub, "none"));
	assert_int_equal(folder_list(&names, &top), 0);
	assert_int_equal(names.count, 2);
	folder_names_release(&names);
	assert_int_equal(folder_parent(&parent, &sub), 0);
	assert_reads(&parent, "file", '1');
	folder_close(&parent);
	folder_close(&sub);
	folder_close(&top);
	assert_false(folder_is_open(&top));
}

static void another_directory_of_the_name_is_not_read(void **state)
{
	struct folder top = open_resting(NULL, "top"), sub = open_resting(&top, "sub");
	struct folder_names names;

	assert_int_equal(rename("top/sub", "other"), 0);
	assert_int_equal(folder_file(&sub, "file", NULL), -ENOENT);
	assert_int_equal(mkdir("top/sub", 0755), 0);
	write_text("top/sub/file", "3");
	assert_int_equal(folder_file(&sub, "file", NULL), -ESTALE);
	assert_int_equal(folder_list(&names, &sub), -ESTALE);
	assert_false(folder_contains(&sub, "file"));
	assert_reads(&top, "file", '1');
	folder_close(&sub);
	folder_close(&top);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			a_folder_stays_open_while_there_are_descriptors, make, clean),
		cmocka_unit_test_setup_teardown(where_they_are_scarce_it_is_opened_again,
						make, clean),
		cmocka_unit_test_setup_teardown(another_directory_of_the_name_is_not_read,
						make, clean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
