/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/bundle/members.h"

#include <errno.h>

#include "tests/libexpt/test.h"

static struct members members;
static struct expt_error err;
static size_t index_of_last;

static int start(void **state)
{
	members_init(&members, &(struct expt_import_options){ 0 });
	return 0;
}

static int stop(void **state)
{
	members_release(&members);
	return 0;
}

static int add(const char *name, enum tar_type type)
{
	struct tar_member member = { .name = name,
				     .type = type,
				     .mode = 0644,
				     .target = type == TAR_LINK ? "b" : NULL };

	return members_add(&members, &index_of_last, &member, 1000, 0, &err);
}

static int add_sized(const char *name, uint64_t size, uint64_t consumed)
{
	struct tar_member member = {
		.name = name, .type = TAR_FILE, .mode = 0644, .size = size
	};

	return members_add(&members, &index_of_last, &member, consumed, 0, &err);
}

static void what_experiments_hold_passes(void **state)
{
	assert_int_equal(add("x.er/", TAR_DIRECTORY), 1);
	assert_int_equal(add("x.er/log.xml", TAR_FILE), 1);
	assert_int_equal(add("x.er/archives/libc.so.6_0", TAR_FILE), 1);
	assert_int_equal(add("x.er/archives/a_0", TAR_LINK), 1);
	assert_int_equal(add("x.er/_f1.er/profile", TAR_FILE), 1);
	assert_int_equal(add("x.er/jdynclasses/a/b/C.class", TAR_FILE), 1);
	assert_int_equal(add("x.er/metadata.heap.xml", TAR_FILE), 1);
	assert_int_equal(add("M_r0.er/log.xml", TAR_FILE), 1);
	assert_int_equal(add("all.erg", TAR_FILE), 1);
}

static void forms_that_tar_writers_add_mean_nothing(void **state)
{
	assert_int_equal(add("./", TAR_DIRECTORY), 0);
	assert_int_equal(add(".", TAR_DIRECTORY), 0);
	assert_int_equal(add(".//./x.er/log.xml", TAR_FILE), 1);
	assert_string_equal(members.items[index_of_last].name, "x.er/log.xml");
	assert_string_equal(members.items[index_of_last].path, "log.xml");
	assert_int_equal(add("x.er/log.xml", TAR_FILE), -EPERM);
}

static void directories_on_the_way_are_entered_once(void **state)
{
	assert_int_equal(add("x.er/_f1.er/log.xml", TAR_FILE), 1);
	assert_int_equal(members.count, 3);
	assert_int_equal(index_of_last, 2);
	assert_true(members.items[1].is_implied);
	assert_int_equal(add("x.er/_f1.er", TAR_DIRECTORY), 1);
	assert_int_equal(index_of_last, 1);
	assert_false(members.items[1].is_implied);
	assert_int_equal(members.count, 3);
	assert_int_equal(add("x.er/_f1.er", TAR_DIRECTORY), -EPERM);
}

static void assert_refused(const char *name, enum tar_type type, const char *reason)
{
	size_t count = members.count;

	assert_int_equal(add(name, type), -EPERM);
	if (!strstr(err.message, reason))
		fail_msg("'%s' does not say '%s'", err.message, reason);
	assert_int_equal(members.count, count);
}

static void what_is_not_an_experiments_is_refused(void **state)
{
	char long_name[5000];

	assert_refused("", TAR_FILE, "no name");
	assert_refused("/x.er/log.xml", TAR_FILE, "absolute");
	assert_refused("x.er/../y.er/log.xml", TAR_FILE, "'..'");
	assert_refused("..", TAR_DIRECTORY, "'..'");
	assert_refused("x.er//log.xml", TAR_FILE, "empty component");
	assert_refused("x.er/./log.xml", TAR_FILE, "empty component");
	assert_refused("x.er/log.xml\n", TAR_FILE, "control characters");
	assert_refused(".er/log.xml", TAR_FILE, "not inside a");
	assert_refused("x/log.xml", TAR_FILE, "not inside a");
	assert_refused("x.er", TAR_FILE, "no such entry");
	assert_refused("x.er/other", TAR_FILE, "no such entry");
	assert_refused("x.er/log.xml", TAR_DIRECTORY, "no such entry");
	assert_refused("x.er/log.xml/a", TAR_FILE, "no such entry");
	assert_refused("x.er/archives/a/b", TAR_FILE, "no such entry");
	assert_refused("x.er/archives/a", TAR_DIRECTORY, "no such entry");
	assert_refused("x.er/log.xml", TAR_LINK, "no such entry");
	assert_refused("x.er/_f1.er/_f2.er/log.xml", TAR_FILE, "no such entry");
	assert_refused("x.er/jdynclasses/a.so", TAR_FILE, "no such entry");
	assert_refused("x.erg", TAR_DIRECTORY, "a group must be a regular file");
	assert_refused("x.erg/a", TAR_FILE, "a group must be a regular file");
	memset(long_name, 'a', sizeof(long_name));
	long_name[sizeof(long_name) - 1] = '\0';
	assert_refused(long_name, TAR_FILE, "too long");
}

static void a_file_is_no_directory_for_others(void **state)
{
	assert_int_equal(add("x.er/archives/a", TAR_FILE), 1);
	assert_int_equal(add("x.er/_f1.er", TAR_DIRECTORY), 1);
	assert_refused("x.er/archives", TAR_LINK, "no such entry");
	assert_refused("x.er/archives/a", TAR_LINK, "duplicate name");
}

static void limits_count_before_data_is_read(void **state)
{
	uint64_t always = LIMITS_ALWAYS_BYTES;

	assert_int_equal(add_sized("x.er/log.xml", always, 1), 1);
	assert_int_equal(add_sized("x.er/map.xml", 1, 1), -EPERM);
	assert_int_equal(add_sized("x.er/map.xml", always, 1 << 23), 1);
	assert_int_equal(add_sized("x.er/profile", UINT64_MAX, UINT64_MAX), -EPERM);
	assert_int_equal(add_sized("x.er/profile", LIMITS_BYTES, UINT64_MAX), -EPERM);
	members.limits.max_entries = 2;
	assert_int_equal(add_sized("x.er/notes", 1, 1 << 20), -EPERM);
}

static void every_entry_takes_room_and_a_name(void **state)
{
	members.limits.max_bytes = 4 * LIMITS_ENTRY_BYTES;
	assert_int_equal(add("x.er/jdynclasses/a/A.class", TAR_FILE), 1);
	assert_int_equal(members.bytes, 4 * LIMITS_ENTRY_BYTES);
	assert_int_equal(members.names, 4 + 16 + 18 + 26 + 4);
	assert_refused("x.er/log.xml", TAR_FILE, "--max-bytes");
	members.limits.max_bytes = LIMITS_BYTES;
	members.limits.max_names = members.names + sizeof("x.er/log.xml") - 1;
	assert_refused("x.er/log.xml", TAR_FILE, "too long in total");
	assert_int_equal(add("x.er/notes", TAR_FILE), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_experiments_hold_passes, start,
						stop),
		cmocka_unit_test_setup_teardown(forms_that_tar_writers_add_mean_nothing,
						start, stop),
		cmocka_unit_test_setup_teardown(directories_on_the_way_are_entered_once,
						start, stop),
		cmocka_unit_test_setup_teardown(what_is_not_an_experiments_is_refused,
						start, stop),
		cmocka_unit_test_setup_teardown(a_file_is_no_directory_for_others, start,
						stop),
		cmocka_unit_test_setup_teardown(limits_count_before_data_is_read, start,
						stop),
		cmocka_unit_test_setup_teardown(every_entry_takes_room_and_a_name, start,
						stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
