/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/libexpt/test.h"

#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>

#include "libexpt/experiment/handle.h"

#define RUN "<event kind=\"run\" tstamp=\"5.0\" time=\"1700000000\"/>\n"

static int make_founder(void **state)
{
	static const char *const names[] = {
		"_f10.er", "_f2.er", "_f2_x1.er", "M_r0.er", "._f3.er.a1B2c3.del",
	};
	char path[100];

	make_directory("test.1.er");
	write_text("test.1.er/log.xml", RUN);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(path, sizeof(path), "test.1.er/%s", names[i]);
		make_directory(path);
		strcat(path, "/log.xml");
		write_text(path, RUN);
	}
	write_text("test.1.er/_f1.er", "no directory");
	return 0;
}

static int remove_founder(void **state)
{
	remove_all("test.1.er");
	remove_all("link.er");
	return 0;
}

static struct expt *open_experiment(const char *path)
{
	struct expt_error err;
	struct expt *expt = NULL;

	if (expt_open(&expt, path, &err) < 0)
		fail_msg("%s", err.message);
	return expt;
}

static void descendants_come_in_the_order_of_their_numbers(void **state)
{
	static const char *const sorted[] = { "M_r0.er", "_f2.er", "_f2_x1.er",
					      "_f10.er" };
	struct expt *expt = open_experiment("test.1.er");

	assert_int_equal(expt_descendant_count(expt), 4);
	for (size_t i = 0; i < 4; i++)
		assert_string_equal(expt_descendant_name(expt, i), sorted[i]);
	assert_string_equal(expt_lineage(expt), "");
	expt_close(expt);
}

static void a_descendant_shares_its_founder(void **state)
{
	struct expt *founder = open_experiment("test.1.er/"), *descendant = NULL;

	assert_int_equal(expt_descendant_open(&descendant, founder, 2, NULL), 0);
	assert_ptr_equal(descendant->founder, founder);
	assert_string_equal(expt_lineage(descendant), "_f2_x1");
	assert_int_equal(expt_descendant_count(descendant), 0);
	expt_close(descendant);
	expt_close(founder);
}

static void a_descendant_opens_by_its_own_path(void **state)
{
	struct expt *expt = open_experiment("test.1.er/_f2.er/");

	assert_string_equal(expt_lineage(expt), "_f2");
	assert_ptr_not_equal(expt->founder, expt);
	assert_string_equal(expt_path(expt->founder), "test.1.er");
	assert_int_equal(expt_descendant_count(expt), 0);
	expt_close(expt);
}

static void a_descendant_opens_from_within_its_founder(void **state)
{
	struct expt *expt;

	assert_int_equal(chdir("test.1.er"), 0);
	expt = open_experiment("_f2.er");
	assert_int_equal(chdir(".."), 0);
	assert_string_equal(expt_lineage(expt), "_f2");
	assert_string_equal(expt_path(expt->founder), "..");
	expt_close(expt);
}

static void a_descendant_without_its_founder_stands_for_itself(void **state)
{
	struct expt *expt;

	unlink("test.1.er/log.xml");
	expt = open_experiment("test.1.er/_f2.er");
	assert_ptr_equal(expt->founder, expt);
	expt_close(expt);
}

static void a_descendant_that_became_a_link_is_not_followed(void **state)
{
	struct expt *founder = open_experiment("test.1.er"), *descendant = NULL;

	remove_all("test.1.er/_f2.er");
	assert_int_equal(symlink("_f10.er", "test.1.er/_f2.er"), 0);
	assert_int_not_equal(expt_descendant_open(&descendant, founder, 1, NULL), 0);
	assert_null(descendant);
	expt_close(founder);
}

static void expect_failure(const char *path, int rc, const char *message)
{
	struct expt *expt = NULL;
	struct expt_error err;

	assert_int_equal(expt_open(&expt, path, &err), rc);
	assert_null(expt);
	assert_string_equal(err.message, message);
}

static void what_is_no_experiment_is_refused_by_name(void **state)
{
	expect_failure("none.er", -ENOENT,
		       "cannot open 'none.er': No such file or directory");
	expect_failure("test.1.er/log.xml", -EBADMSG,
		       "'test.1.er/log.xml' is neither an experiment nor a bundle: "
		       "unrecognized archive format");
	expect_failure("/dev/null", -ENOTDIR, "cannot open '/dev/null': Not a directory");
	expect_failure(".", -EBADMSG,
		       "'.' is not an experiment: its name does not end in '.er'");
	unlink("test.1.er/log.xml");
	expect_failure("test.1.er", -EBADMSG,
		       "'test.1.er' is not an experiment: "
		       "cannot open 'log.xml': No such file or directory");
	make_directory("test.1.er/log.xml");
	expect_failure(
		"test.1.er", -EBADMSG,
		"'test.1.er' is not an experiment: 'log.xml' is not a regular file");
}

static void a_link_to_an_experiment_can_be_read(void **state)
{
	struct expt *expt;

	assert_int_equal(symlink("test.1.er", "link.er"), 0);
	expt = open_experiment("link.er");
	assert_int_equal(expt_descendant_count(expt), 4);
	expt_close(expt);
}

static bool is_active_with(const char *host, int64_t pid, int64_t started_at,
			   const char *more)
{
	char text[1000];
	struct expt *expt;
	bool is_active;

	snprintf(text, sizeof(text),
		 "<system hostname=\"%s\"/><process pid=\"%lld\"/>"
		 "<event kind=\"run\" tstamp=\"5.0\" time=\"%lld\"/>%s",
		 host, (long long)pid, (long long)started_at, more);
	write_text("test.1.er/log.xml", text);
	expt = open_experiment("test.1.er");
	is_active = expt_is_active(expt);
	expt_close(expt);
	return is_active;
}

static void an_experiment_is_active_while_its_process_lives(void **state)
{
	struct utsname system;
	int64_t now = time(NULL);
	pid_t child = fork();

	if (child == 0)
		_exit(0);
	uname(&system);
	assert_true(is_active_with(system.nodename, getpid(), now, ""));
	assert_false(is_active_with("elsewhere", getpid(), now, ""));
	assert_false(is_active_with(system.nodename, 0, now, ""));
	assert_false(is_active_with(system.nodename, getpid(), now,
				    "<event kind=\"exit\" tstamp=\"1.0\"/>"));
	/* The process with this number is a later one: it began after the recording did.
	 */
	assert_false(is_active_with(system.nodename, getpid(), now - 3600, ""));
	/* A zombie does not record. */
	usleep(50000);
	assert_false(is_active_with(system.nodename, child, now, ""));
	waitpid(child, NULL, 0);
}

#define test(name) cmocka_unit_test_setup_teardown(name, make_founder, remove_founder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(descendants_come_in_the_order_of_their_numbers),
		test(a_descendant_shares_its_founder),
		test(a_descendant_opens_by_its_own_path),
		test(a_descendant_opens_from_within_its_founder),
		test(a_descendant_without_its_founder_stands_for_itself),
		test(a_descendant_that_became_a_link_is_not_followed),
		test(what_is_no_experiment_is_refused_by_name),
		test(a_link_to_an_experiment_can_be_read),
		test(an_experiment_is_active_while_its_process_lives),
	};

	return cmocka_run_group_tests_name("expt", tests, NULL, NULL);
}
