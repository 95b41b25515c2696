/* SPDX-License-Identifier: Apache-2.0 */
/* The text of source files. */
#include "tests/libexpt/objects/lined.h"

/* Opens the source of other() after mapping lib.so. */
static struct expt_source *open_source(const struct expt_search *search)
{
	const struct expt_position *positions;
	struct expt_source *source = NULL;
	struct expt_error err;
	uint64_t start, size;

	find_function("other", &start, &size);
	assert_int_equal(positions_at(start, &positions), 1);
	if (expt_source_open(&source, expt_object(expt, 1), positions->path, search,
			     &err) < 0)
		assert_non_null(strstr(err.message, "lib.so.c"));
	return source;
}

static void sources_have_lines(void **state)
{
	struct expt_source *source;
	const char *line;
	size_t length;

	make_library_with("-g");
	map_library(library());
	source = open_source(NULL);
	assert_non_null(source);
	assert_int_equal(expt_source_line_count(source), 15);
	line = expt_source_line(source, 12, &length);
	assert_int_equal(length, strlen("int other(int x)"));
	assert_memory_equal(line, "int other(int x)", length);
	expt_source_line(source, 0, &length);
	assert_int_equal(length, 0);
	expt_source_line(source, 16, &length);
	assert_int_equal(length, 0);
	assert_false(expt_source_info(source)->is_archived);
	expt_source_close(source);
}

static void newer_sources_are_noticed(void **state)
{
	struct expt_source *source;

	make_library_with("-gdwarf-4");
	map_library(library());
	assert_true(run("touch -d 2001-01-01 lib.so.c"));
	source = open_source(NULL);
	assert_false(expt_source_info(source)->is_newer);
	expt_source_close(source);
	assert_true(run("touch -d 2100-01-01 lib.so.c"));
	source = open_source(NULL);
	assert_true(expt_source_info(source)->is_newer);
	assert_false(expt_source_info(source)->is_changed);
	expt_source_close(source);
}

/* clang writes checksums. */
static bool make_library_with_sums(void)
{
	write_text("lib.so.c", program);
	return run(
		"command -v clang >/dev/null && clang -shared -fPIC -O2 -gdwarf-5 "
		"-Wl,--build-id=sha1 -Wl,-z,noseparate-code -o lib.so \"$PWD/lib.so.c\"");
}

static void checksums_tell_changed_sources(void **state)
{
	const char *maps[] = { here, "moved", NULL };
	const struct expt_search search = { .maps = maps };
	struct expt_source *source;

	if (!make_library_with_sums())
		skip();
	map_library(library());
	source = open_source(NULL);
	assert_true(expt_source_info(source)->is_verified);
	expt_source_close(source);
	make_directory("moved");
	assert_true(run("cp lib.so.c moved && echo >>lib.so.c"));
	source = open_source(NULL);
	assert_true(expt_source_info(source)->is_changed);
	expt_source_close(source);
	/* Elsewhere it has not changed. */
	source = open_source(&search);
	assert_true(expt_source_info(source)->is_verified);
	assert_string_equal(expt_source_info(source)->file, "moved/lib.so.c");
	expt_source_close(source);
	remove_all("moved");
}

static void sources_are_found_elsewhere(void **state)
{
	const char *directories[] = { "moved", NULL };
	const struct expt_search search = { .directories = directories };
	struct expt_source *source;

	make_library_with("-g");
	map_library(library());
	assert_true(run("mkdir moved && mv lib.so.c moved"));
	assert_null(open_source(NULL));
	source = open_source(&search);
	assert_string_equal(expt_source_info(source)->file, "moved/lib.so.c");
	expt_source_close(source);
	remove_all("moved");
}

static void archived_sources_come_first(void **state)
{
	char path[4096];
	struct expt_source *source;

	make_library_with("-g");
	snprintf(path, sizeof(path), "%s/lib.so.c", here);
	archive("lib.so.c", path);
	map_library(library());
	assert_true(run("echo changed >lib.so.c"));
	source = open_source(NULL);
	assert_true(expt_source_info(source)->is_archived);
	assert_int_equal(expt_source_line_count(source), 15);
	expt_source_close(source);
}

static void only_regular_files_are_sources(void **state)
{
	make_library_with("-g");
	map_library(library());
	assert_true(run("rm lib.so.c && mkfifo lib.so.c"));
	assert_null(open_source(NULL));
	assert_true(run("rm lib.so.c && mkdir lib.so.c"));
	assert_null(open_source(NULL));
	assert_true(run("rmdir lib.so.c"));
}

static void sources_of_any_form_can_be_read(void **state)
{
	struct expt_source *source;
	struct expt_error err;
	size_t length;

	make_library_with("-g");
	map_library(library());
	write_text("odd.c", "");
	assert_int_equal(
		expt_source_open(&source, expt_object(expt, 1), "odd.c",
				 &(struct expt_search){
					 .directories = (const char *[]){ ".", NULL } },
				 &err),
		0);
	assert_int_equal(expt_source_line_count(source), 0);
	expt_source_close(source);
	write_text("odd.c", "\n\nthree\r\nlast");
	assert_int_equal(
		expt_source_open(&source, expt_object(expt, 1), "odd.c",
				 &(struct expt_search){
					 .directories = (const char *[]){ ".", NULL } },
				 &err),
		0);
	assert_int_equal(expt_source_line_count(source), 4);
	expt_source_line(source, 3, &length);
	assert_int_equal(length, 5);
	expt_source_line(source, 4, &length);
	assert_int_equal(length, 4);
	expt_source_close(source);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(sources_have_lines),
		TEST(newer_sources_are_noticed),
		TEST(checksums_tell_changed_sources),
		TEST(sources_are_found_elsewhere),
		TEST(archived_sources_come_first),
		TEST(only_regular_files_are_sources),
		TEST(sources_of_any_form_can_be_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
