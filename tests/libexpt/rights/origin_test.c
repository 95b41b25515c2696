/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/libexpt/test.h"

#include <limits.h>
#include <pthread.h>
#include <sys/resource.h>

#include "libexpt/rights/origin.h"

#define OTHER_USER 65534

static struct origins *origins;
static struct origin origin;
static struct stat status;

static int open_at(const char *path, enum origin_links links)
{
	char here[PATH_MAX], *absolute;
	int fd;

	assert_true(asprintf(&absolute, "%s/%s", getcwd(here, sizeof(here)), path) > 0);
	fd = origin_open(&origin, &status, origins, absolute, links);
	free(absolute);
	return fd;
}

static void judge_at(const char *path)
{
	int fd = open_at(path, ORIGIN_FOLLOW_LINK);

	assert_true(fd >= 0);
	close(fd);
}

/* Directories around the test are left out, because they may have any mode. */
static int set_up(void **state)
{
	int here = open(".", O_RDONLY | O_DIRECTORY);

	umask(022);
	make_directory("open");
	make_directory("open/closed");
	write_text("open/file", "text");
	write_text("open/closed/file", "text");
	write_text("file", "text");
	origins = origins_open();
	assert_non_null(origins);
	origins_copy_below(origins, here);
	close(here);
	return 0;
}

static int tear_down(void **state)
{
	origins_close(origins);
	remove_all("open");
	remove("file");
	return 0;
}

static void a_file_has_the_readers_of_its_mode(void **state)
{
	judge_at("open/file");
	assert_int_equal(origin.readers, ORIGIN_EVERYONE);
	assert_int_equal(origin_copy_mode(&origin, status.st_gid), 0644);
	chmod("open/file", 0640);
	judge_at("open/file");
	assert_int_equal(origin.readers, ORIGIN_ONE_GROUP);
	assert_int_equal(origin_copy_mode(&origin, status.st_gid), 0640);
	assert_int_equal(origin_copy_mode(&origin, status.st_gid + 1), 0600);
	chmod("open/file", 0600);
	judge_at("open/file");
	assert_int_equal(origin.readers, ORIGIN_OWNER);
	assert_int_equal(origin_copy_mode(&origin, status.st_gid), 0600);
}

static void what_all_others_but_a_group_may_read_is_its_owners(void **state)
{
	chmod("open/file", 0604);
	judge_at("open/file");
	assert_int_equal(origin.readers, ORIGIN_OWNER);
}

static void a_copy_of_another_group_gives_it_what_everyone_has(void **state)
{
	chmod("open/file", 0774);
	judge_at("open/file");
	assert_int_equal(origin_copy_mode(&origin, status.st_gid), 0774);
	assert_int_equal(origin_copy_mode(&origin, status.st_gid + 1), 0744);
}

static void directories_keep_readers_away(void **state)
{
	judge_at("open/closed/file");
	assert_int_equal(origin.readers, ORIGIN_EVERYONE);
	origins_close(origins);
	set_up(state);
	chmod("open/closed", 0750);
	judge_at("open/closed/file");
	assert_int_equal(origin.readers, ORIGIN_ONE_GROUP);
	assert_int_equal(origin_copy_mode(&origin, origin.group), 0640);
	assert_int_equal(origin_limit(&origin, origin.group, 0644), 0640);
	assert_int_equal(origin_limit(&origin, origin.group + 1, 0644), 0600);
	origins_close(origins);
	set_up(state);
	chmod("open", 0700);
	judge_at("open/closed/file");
	assert_int_equal(origin.readers, ORIGIN_OWNER);
}

static void directories_around_the_copies_do_not(void **state)
{
	int dir = open("open/closed", O_RDONLY | O_DIRECTORY);

	chmod("open", 0700);
	chmod("open/closed", 0700);
	origins_close(origins);
	origins = origins_open();
	origins_copy_below(origins, dir);
	judge_at("open/closed/file");
	assert_int_equal(origin.readers, ORIGIN_EVERYONE);
	/* With two places for copies, only the outer one contains both. */
	origins_close(origins);
	origins = origins_open();
	origins_copy_below(origins, dir);
	close(dir);
	dir = open("open", O_RDONLY | O_DIRECTORY);
	origins_copy_below(origins, dir);
	close(dir);
	judge_at("open/file");
	assert_int_equal(origin.readers, ORIGIN_EVERYONE);
	judge_at("open/closed/file");
	assert_int_equal(origin.readers, ORIGIN_OWNER);
}

static void links_lead_to_what_is_judged(void **state)
{
	make_directory("open/other");
	assert_int_equal(symlink("../closed/../closed/file", "open/other/link"), 0);
	assert_int_equal(symlink("other", "open/way"), 0);
	chmod("open/closed", 0700);
	judge_at("open/way/link");
	assert_int_equal(origin.readers, ORIGIN_OWNER);
	assert_int_equal(open_at("open/way/link", ORIGIN_REFUSE_LINK), -ELOOP);
	assert_int_equal(symlink("round", "open/round"), 0);
	assert_int_equal(open_at("open/round", ORIGIN_FOLLOW_LINK), -ELOOP);
	assert_int_equal(open_at("open/round/file", ORIGIN_FOLLOW_LINK), -ELOOP);
}

static void only_plain_files_are_opened(void **state)
{
	assert_int_equal(mkfifo("open/fifo", 0644), 0);
	assert_int_equal(symlink("/dev/zero", "open/zero"), 0);
	assert_int_equal(open_at("open/fifo", ORIGIN_FOLLOW_LINK), -EINVAL);
	assert_int_equal(open_at("open/zero", ORIGIN_FOLLOW_LINK), -EINVAL);
	assert_int_equal(open_at("open", ORIGIN_FOLLOW_LINK), -EINVAL);
	assert_int_equal(open_at("open/.", ORIGIN_FOLLOW_LINK), -EINVAL);
	assert_int_equal(open_at("open/file/", ORIGIN_FOLLOW_LINK), -ENOTDIR);
	assert_int_equal(open_at("open/file/x", ORIGIN_FOLLOW_LINK), -ENOTDIR);
	assert_int_equal(open_at("open/none", ORIGIN_FOLLOW_LINK), -ENOENT);
	assert_int_equal(open_at("none/none", ORIGIN_FOLLOW_LINK), -ENOENT);
	assert_int_equal(origin_open(&origin, &status, origins, "", ORIGIN_FOLLOW_LINK),
			 -ENOENT);
}

static void relative_paths_are_judged_as_well(void **state)
{
	int fd = origin_open(&origin, &status, origins, "./open/../file",
			     ORIGIN_REFUSE_LINK);

	assert_true(fd >= 0);
	assert_int_equal(origin.readers, ORIGIN_EVERYONE);
	close(fd);
}

static void others_who_can_write_are_seen(void **state)
{
	judge_at("open/file");
	assert_int_equal(origin.place, ORIGIN_CLOSED);
	origins_close(origins);
	set_up(state);
	chmod("open", 01777);
	judge_at("open/file");
	assert_int_equal(origin.place, ORIGIN_OPEN);
	assert_int_equal(origin.trust, ORIGIN_OPEN);
	judge_at("open/closed/file");
	assert_int_equal(origin.place, ORIGIN_CLOSED);
	assert_int_equal(origin.trust, ORIGIN_OPEN);
	if (geteuid() != 0)
		return;
	assert_int_equal(chown("open/closed", OTHER_USER, (gid_t)-1), 0);
	origins_close(origins);
	set_up(state);
	judge_at("open/closed/file");
	assert_int_equal(origin.trust, ORIGIN_FOREIGN);
	assert_int_equal(origin.stranger, OTHER_USER);
}

static void an_open_file_is_judged_where_it_is(void **state)
{
	int fd = open("open/closed/file", O_RDONLY);

	chmod("open/closed", 0700);
	origin_of(&origin, origins, fd);
	assert_int_equal(origin.readers, ORIGIN_OWNER);
	assert_int_equal(origin.owner, geteuid());
	remove("open/closed/file");
	origin_of(&origin, origins, fd);
	assert_int_equal(origin.owner, (uid_t)-1);
	close(fd);
}

static void many_directories_are_no_problem(void **state)
{
	char path[64];

	for (int i = 0; i < 400; i++) {
		snprintf(path, sizeof(path), "open/%d", i);
		make_directory(path);
		chmod(path, i % 2 ? 0700 : 0755);
		strcat(path, "/file");
		write_text(path, "text");
	}
	for (int i = 0; i < 800; i++) {
		snprintf(path, sizeof(path), "open/%d/file", i * 7 % 400);
		judge_at(path);
		assert_int_equal(origin.readers, i % 2 ? ORIGIN_OWNER : ORIGIN_EVERYONE);
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", 200);
	assert_int_equal(access(path, F_OK), -1);
}

static void few_descriptors_are_enough(void **state)
{
	struct rlimit before, few = { .rlim_cur = 24 };
	char path[64];

	for (int i = 0; i < 40; i++) {
		snprintf(path, sizeof(path), "open/%d", i);
		make_directory(path);
		strcat(path, "/file");
		write_text(path, "text");
	}
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	few.rlim_max = before.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	for (int i = 0; i < 80; i++) {
		snprintf(path, sizeof(path), "open/%d/file", i % 40);
		judge_at(path);
	}
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
}

/* ---- rights ---- */

static void *read_file(void *result)
{
	int fd = open("open/file", O_RDONLY);

	*(int *)result = fd < 0 ? -errno : 0;
	close(fd);
	return NULL;
}

static int read_in_thread(void)
{
	pthread_t thread;
	int result;

	pthread_create(&thread, NULL, read_file, &result);
	pthread_join(thread, NULL);
	return result;
}

static void other_rights_are_taken_and_given_back(void **state)
{
	struct rights own, other;
	int result;

	if (geteuid() != 0)
		skip();
	chmod("open/file", 0600);
	assert_int_equal(rights_own(&own), 0);
	assert_int_equal(rights_of(&other, OTHER_USER), 0);
	assert_int_equal(other.capabilities, 0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(rights_take(&other), 0);
		assert_int_equal(geteuid(), OTHER_USER);
		read_file(&result);
		assert_int_equal(result, -EACCES);
		assert_int_equal(read_in_thread(), -EACCES);
		assert_int_equal(rights_take(&own), 0);
		read_file(&result);
		assert_int_equal(result, 0);
	}
	rights_release(&own);
	rights_release(&other);
}

static void others_cannot_take_rights(void **state)
{
	struct rights other;

	if (geteuid() == 0)
		skip();
	assert_int_equal(rights_of(&other, geteuid() + 1), 0);
	assert_int_equal(rights_take(&other), -EPERM);
	rights_release(&other);
}

static void readers_are_told_by_rights(void **state)
{
	struct rights other;

	assert_int_equal(rights_of(&other, geteuid() + 1), 0);
	judge_at("open/file");
	assert_true(origin_is_readable(&origin, &other));
	chmod("open/file", 0600);
	judge_at("open/file");
	assert_false(origin_is_readable(&origin, &other));
	other.user = geteuid();
	assert_true(origin_is_readable(&origin, &other));
	rights_release(&other);
}

#define test(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(a_file_has_the_readers_of_its_mode),
		test(what_all_others_but_a_group_may_read_is_its_owners),
		test(a_copy_of_another_group_gives_it_what_everyone_has),
		test(directories_keep_readers_away),
		test(directories_around_the_copies_do_not),
		test(links_lead_to_what_is_judged),
		test(only_plain_files_are_opened),
		test(relative_paths_are_judged_as_well),
		test(others_who_can_write_are_seen),
		test(an_open_file_is_judged_where_it_is),
		test(many_directories_are_no_problem),
		test(few_descriptors_are_enough),
		test(other_rights_are_taken_and_given_back),
		test(others_cannot_take_rights),
		test(readers_are_told_by_rights),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
