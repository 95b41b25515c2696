/* SPDX-License-Identifier: Apache-2.0 */
/* Archiving through the library's interface. Its effects on files are tested with
 * er_archive. */
#include "libexpt/expt.h"
#include "tests/libexpt/test.h"

static void modes_have_several_spellings(void **state)
{
	static const struct {
		enum expt_archive_mode mode;
		const char *name, *also;
	} modes[] = {
		{ EXPT_ARCHIVE_OFF, "off", "off" },
		{ EXPT_ARCHIVE_ON, "on", "on" },
		{ EXPT_ARCHIVE_COPY, "copy", "ldobjects" },
		{ EXPT_ARCHIVE_USEDCOPY, "usedcopy", "usedldobjects" },
		{ EXPT_ARCHIVE_SRC, "src", "all" },
		{ EXPT_ARCHIVE_USEDSRC, "usedsrc", "used" },
	};

	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
		enum expt_archive_mode mode;

		assert_string_equal(expt_archive_mode_name(modes[i].mode), modes[i].name);
		assert_int_equal(expt_archive_mode(&mode, modes[i].name, NULL), 0);
		assert_int_equal(mode, modes[i].mode);
		assert_int_equal(expt_archive_mode(&mode, modes[i].also, NULL), 0);
		assert_int_equal(mode, modes[i].mode);
	}
}

static void other_words_are_no_modes(void **state)
{
	static const char *const words[] = { "", "ON", "copy ", "sources", "unused" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		enum expt_archive_mode mode = EXPT_ARCHIVE_ON;
		struct expt_error err;

		assert_int_equal(expt_archive_mode(&mode, words[i], &err), -EINVAL);
		assert_non_null(
			strstr(err.message, "off, on, copy, usedcopy, src or usedsrc"));
		assert_int_equal(mode, EXPT_ARCHIVE_ON);
	}
}

static void sources_come_with_a_mode_and_go(void **state)
{
	enum expt_archive_mode mode = EXPT_ARCHIVE_ON;
	struct expt_error err;

	assert_int_equal(expt_archive_sources(&mode, "all", NULL), 0);
	assert_int_equal(mode, EXPT_ARCHIVE_SRC);
	assert_int_equal(expt_archive_sources(&mode, "used", NULL), 0);
	assert_int_equal(mode, EXPT_ARCHIVE_USEDSRC);
	assert_int_equal(expt_archive_sources(&mode, "usedsrc", NULL), 0);
	assert_int_equal(mode, EXPT_ARCHIVE_USEDSRC);
	assert_int_equal(expt_archive_sources(&mode, "off", NULL), 0);
	assert_int_equal(mode, EXPT_ARCHIVE_COPY);
	mode = EXPT_ARCHIVE_ON;
	assert_int_equal(expt_archive_sources(&mode, "off", NULL), 0);
	assert_int_equal(mode, EXPT_ARCHIVE_ON);
	assert_int_equal(expt_archive_sources(&mode, "none", &err), -EINVAL);
	assert_string_equal(err.message,
			    "'none' is not a source mode: use all, used or off");
	assert_int_equal(mode, EXPT_ARCHIVE_ON);
}

static void make_experiment(const char *object)
{
	char text[1000];

	remove_all("test.1.er");
	make_directory("test.1.er");
	snprintf(text, sizeof(text),
		 "<event kind=\"map\" object=\"segment\" tstamp=\"0.0\" vaddr=\"0x1000\" "
		 "size=\"4096\" modes=\"0x005\" name=\"%s\"/>\n",
		 object);
	write_text("test.1.er/map.xml", text);
}

static void a_complete_archive_is_0_and_another_is_1(void **state)
{
	char self[4096];

	assert_non_null(realpath("/proc/self/exe", self));
	make_experiment(self);
	assert_int_equal(expt_archive("test.1.er", NULL, NULL), EXPT_ARCHIVE_COMPLETE);
	make_experiment("/nowhere/at/all");
	assert_int_equal(expt_archive("test.1.er", NULL, NULL), EXPT_ARCHIVE_INCOMPLETE);
}

static void the_report_says_what_was_done(void **state)
{
	struct expt_archive_options options = { .mode = EXPT_ARCHIVE_COPY };
	struct stat status;
	char self[4096];

	assert_non_null(realpath("/proc/self/exe", self));
	assert_int_equal(stat(self, &status), 0);
	make_experiment(self);
	options.operation.report = expt_report_new();
	assert_int_equal(expt_archive("test.1.er", &options, NULL),
			 EXPT_ARCHIVE_COMPLETE);
	assert_int_equal(expt_report_count(options.operation.report), 1);
	assert_int_equal(expt_report_line(options.operation.report, 0)->outcome,
			 EXPT_COPIED);
	assert_string_equal(expt_report_line(options.operation.report, 0)->name, self);
	assert_int_equal(expt_report_files(options.operation.report), 1);
	assert_int_equal(expt_report_bytes(options.operation.report), status.st_size);
	assert_true(expt_report_is_complete(options.operation.report));
	expt_report_free(options.operation.report);
}

static void what_is_no_experiment_is_an_error(void **state)
{
	struct expt_error err;

	remove_all("test.1.er");
	assert_int_equal(expt_archive("test.1.er", NULL, &err), -ENOENT);
	make_directory("test.1.er");
	assert_int_equal(expt_archive("test.1.er", NULL, &err), -EBADMSG);
	assert_int_equal(expt_archive(".", NULL, &err), -EINVAL);
	assert_int_equal(expt_archive("", NULL, &err), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(modes_have_several_spellings),
		cmocka_unit_test(other_words_are_no_modes),
		cmocka_unit_test(sources_come_with_a_mode_and_go),
		cmocka_unit_test(a_complete_archive_is_0_and_another_is_1),
		cmocka_unit_test(the_report_says_what_was_done),
		cmocka_unit_test(what_is_no_experiment_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
