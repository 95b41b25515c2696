/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/libexpt/test.h"

#include "libexpt/layout/layout.h"

static int open_result(const char *path, struct expt_error *err)
{
	int dir = -1, rc = layout_open(&dir, path, NULL, err);

	assert_true(rc < 0 || dir >= 0);
	if (dir >= 0)
		close(dir);
	return rc;
}

static int make_experiment(void **state)
{
	make_directory("test.1.er");
	make_directory("test.1.er/archives");
	make_directory("test.1.er/_f1.er");
	make_directory("test.1.er/M_r0.er");
	make_directory("test.1.er/jdynclasses");
	make_directory("test.1.er/jdynclasses/org");
	write_text("test.1.er/jdynclasses/org/A$1.class", "");
	write_text("test.1.er/log.xml", "");
	write_text("test.1.er/_f1.er/data.frameinfo", "");
	write_text("test.1.er/archives/libc.so.6_UHyILZt997d", "");
	write_text("test.1.er/metadata.mpi.xml", "");
	write_text("test.1.er/.notes.a1B2c3.part", "");
	return 0;
}

static int remove_experiment(void **state)
{
	remove_all("test.1.er");
	remove_all("link.er");
	return 0;
}

static void names_of_experiments_are_known(void **state)
{
	assert_int_equal(layout_entry("log.xml", false), LAYOUT_FILE);
	assert_int_equal(layout_entry("data.frameinfo", true), LAYOUT_FILE);
	assert_int_equal(layout_entry("metadata.races.xml", true), LAYOUT_FILE);
	assert_int_equal(layout_entry("EXPORT.manifest", false), LAYOUT_FILE);
	assert_int_equal(layout_entry("archives", false), LAYOUT_ARCHIVES);
	assert_int_equal(layout_entry("jdynclasses", true), LAYOUT_CLASSES);
	assert_int_equal(layout_entry("_f1_x2.er", false), LAYOUT_DESCENDANT);
	assert_int_equal(layout_entry("_sshd_PID_17.1.er", false), LAYOUT_DESCENDANT);
	assert_int_equal(layout_entry("M_r12.er", false), LAYOUT_DESCENDANT);
}

static void other_names_are_not(void **state)
{
	static const char *const names[] = {
		"thesis.tex",
		"log.xml~",
		"LOG.XML",
		"_f1",
		"f1.er",
		"x.er",
		"metadata.xml",
		"metadata.",
		".er",
		"",
		".",
		"..",
		".part",
		".log.xml.part",
		"log.xml.a1B2c3.part",
		".thesis.a1B2c3.part",
		".log.xmla1B2c3.part",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		assert_int_equal(layout_entry(names[i], false), LAYOUT_UNKNOWN);
}

static void a_descendant_has_no_descendants(void **state)
{
	assert_int_equal(layout_entry("_f1.er", true), LAYOUT_UNKNOWN);
	make_directory("test.1.er/_f1.er/_x1.er");
	assert_int_equal(open_result("test.1.er", NULL), -EBADMSG);
}

static void temporaries_are_what_they_will_be(void **state)
{
	assert_int_equal(layout_entry(".notes.a1B2c3.part", false), LAYOUT_FILE);
	assert_int_equal(layout_entry(".archives.a1B2c3.del", false), LAYOUT_ARCHIVES);
	assert_int_equal(layout_entry("._f1.er.a1B2c3.del", false), LAYOUT_DESCENDANT);
}

static void an_experiment_of_known_entries_opens(void **state)
{
	assert_int_equal(open_result("test.1.er", NULL), 0);
	assert_int_equal(open_result("test.1.er//", NULL), 0);
	assert_int_equal(open_result("test.1.er/_f1.er", NULL), 0);
}

static void an_empty_directory_of_the_right_name_opens(void **state)
{
	make_directory("test.1.er/_x1.er");
	assert_int_equal(open_result("test.1.er/_x1.er", NULL), 0);
}

static void an_unknown_entry_is_named(void **state)
{
	struct expt_error err;

	write_text("test.1.er/_f1.er/thesis.tex", "");
	assert_int_equal(open_result("test.1.er", &err), -EBADMSG);
	assert_string_equal(err.message,
			    "'test.1.er' is not an experiment: "
			    "'_f1.er/thesis.tex' does not belong to an experiment");
}

static void an_entry_of_the_wrong_kind_is_named(void **state)
{
	struct expt_error err;

	assert_int_equal(symlink("../map.xml", "test.1.er/_f1.er/log.xml"), 0);
	assert_int_equal(open_result("test.1.er", &err), -EBADMSG);
	assert_string_equal(err.message, "'test.1.er' is not an experiment: "
					 "'_f1.er/log.xml' is not a regular file");
}

static void the_name_rule_comes_first(void **state)
{
	struct expt_error err;

	assert_int_equal(open_result("test.1", &err), -EINVAL);
	assert_string_equal(
		err.message,
		"'test.1' is not an experiment: its name does not end in '.er'");
	assert_int_equal(open_result("none.er", &err), -ENOENT);
}

static void a_link_is_not_followed(void **state)
{
	struct expt_error err;

	assert_int_equal(symlink("test.1.er", "link.er"), 0);
	assert_int_equal(open_result("link.er", &err), -EINVAL);
	assert_int_equal(open_result("link.er/", &err), -EINVAL);
}

static void a_file_is_not_an_experiment(void **state)
{
	write_text("link.er", "");
	assert_int_equal(open_result("link.er", NULL), -EBADMSG);
}

static void links_are_allowed_in_archives_only(void **state)
{
	assert_int_equal(symlink("/common/1_libc.so.6", "test.1.er/archives/libc.so.6_x"),
			 0);
	assert_int_equal(open_result("test.1.er", NULL), 0);
	assert_int_equal(symlink("/etc/passwd", "test.1.er/notes"), 0);
	assert_int_equal(open_result("test.1.er", NULL), -EBADMSG);
}

static void archives_are_flat_and_no_link(void **state)
{
	make_directory("test.1.er/archives/src");
	assert_int_equal(open_result("test.1.er", NULL), -EBADMSG);
	remove_all("test.1.er/archives");
	assert_int_equal(symlink("/tmp", "test.1.er/archives"), 0);
	assert_int_equal(open_result("test.1.er", NULL), -EBADMSG);
}

static void a_fifo_is_refused_without_opening_it(void **state)
{
	assert_int_equal(mkfifo("test.1.er/profile", 0644), 0);
	assert_int_equal(open_result("test.1.er", NULL), -EBADMSG);
}

static void only_class_files_are_in_jdynclasses(void **state)
{
	write_text("test.1.er/jdynclasses/org/thesis.tex", "");
	assert_int_equal(open_result("test.1.er", NULL), -EBADMSG);
}

#define test(name) \
	cmocka_unit_test_setup_teardown(name, make_experiment, remove_experiment)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_experiments_are_known),
		cmocka_unit_test(other_names_are_not),
		test(a_descendant_has_no_descendants),
		cmocka_unit_test(temporaries_are_what_they_will_be),
		test(an_experiment_of_known_entries_opens),
		test(an_empty_directory_of_the_right_name_opens),
		test(an_unknown_entry_is_named),
		test(an_entry_of_the_wrong_kind_is_named),
		test(the_name_rule_comes_first),
		test(a_link_is_not_followed),
		test(a_file_is_not_an_experiment),
		test(links_are_allowed_in_archives_only),
		test(archives_are_flat_and_no_link),
		test(a_fifo_is_refused_without_opening_it),
		test(only_class_files_are_in_jdynclasses),
	};

	return cmocka_run_group_tests_name("layout", tests, NULL, NULL);
}
