/* SPDX-License-Identifier: Apache-2.0 */
/* Source positions of places. */
#include "tests/libexpt/objects/lined.h"

#include "libexpt/format.h"

/* ---- load objects ---- */

static void assert_inlined(const struct expt_position *positions)
{
	const struct expt_function *function = positions[0].function;

	assert_string_equal(expt_function_name(function, EXPT_NAME_LONG), "inner");
	assert_true(expt_function_is_inlined(function));
	assert_int_equal(expt_function_size(function), 0);
	assert_true(positions[0].line >= 3 && positions[0].line <= 6);
	assert_true(positions[1].line >= 9 && positions[1].line <= 10);
	assert_ptr_equal(positions[0].path, positions[1].path);
	assert_true(text_ends_with(positions[0].path, "/lib.so.c"));
	assert_string_equal(expt_function_name(positions[1].function, EXPT_NAME_LONG),
			    "outer");
	assert_false(expt_function_is_inlined(positions[1].function));
}

/* Returns the number of offsets of outer in both levels, and checks these. */
static size_t count_inlined(void)
{
	const struct expt_function *row = NULL;
	uint64_t start, size;
	size_t count = 0;

	find_function("outer", &start, &size);
	for (uint64_t i = 0; i < size; i++) {
		const struct expt_position *positions;

		if (positions_at(start + i, &positions) != 2)
			continue;
		count++;
		assert_inlined(positions);
		assert_true(!row || row == positions[0].function);
		row = positions[0].function;
		assert_ptr_equal(positions[1].function, at(BASE + start));
	}
	return count;
}

static void places_have_a_position_for_each_level_of_inlining(void **state)
{
	static const char *const flags[] = { "-gdwarf-4", "-gdwarf-5", "-g -gz",
					     "-gdwarf-5 -gsplit-dwarf" };

	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++) {
		make_library_with(flags[i]);
		map_library(library());
		assert_true(count_inlined() > 5);
		stop(state);
	}
}

static void an_answer_is_kept(void **state)
{
	const struct expt_position *first, *second;
	uint64_t start, size;

	make_library_with("-g");
	map_library(library());
	find_function("other", &start, &size);
	assert_int_equal(positions_at(start, &first), 1);
	assert_int_equal(positions_at(start, &second), 1);
	assert_ptr_equal(first, second);
	assert_true(first->line >= 12 && first->line <= 14);
}

static void code_without_debug_data_has_no_position(void **state)
{
	const struct expt_position *positions;
	const struct expt_code_row *rows;
	uint64_t start, size;

	make_library_with("-g0");
	map_library(library());
	find_function("other", &start, &size);
	assert_int_equal(positions_at(start, &positions), 0);
	assert_int_equal(expt_function_positions(at(BASE + start), &rows), 0);
	assert_null(expt_function_source(at(BASE + start)));
	expt_place(expt, 1, 0, &(struct expt_place){ 0 });
	assert_null(expt_function_source(at(1)));
}

static void functions_have_rows_and_a_source(void **state)
{
	const struct expt_function *function;
	const struct expt_code_row *rows;
	uint64_t start, size, last;
	size_t count;

	make_library_with("-g");
	map_library(library());
	find_function("outer", &start, &size);
	function = at(BASE + start);
	last = start;
	count = expt_function_positions(function, &rows);
	assert_true(count > 3);
	assert_int_equal(rows[0].offset, start);
	for (size_t i = 0; i < count; i++) {
		const struct expt_position *positions;

		assert_true(rows[i].offset >= last && rows[i].offset < start + size);
		last = rows[i].offset;
		if (i + 1 < count && rows[i + 1].offset == last)
			continue;
		assert_true(positions_at(last, &positions) > 0);
		assert_int_equal(positions->line, rows[i].line);
		assert_ptr_equal(positions->path, rows[i].path);
	}
	assert_true(text_ends_with(expt_function_source(function), "/lib.so.c"));
}

static void stripped_objects_have_those_of_their_debug_file(void **state)
{
	make_library_with("-g");
	assert_true(run("objcopy --only-keep-debug lib.so lib.so.debug && "
			"objcopy --strip-debug --add-gnu-debuglink=lib.so.debug lib.so"));
	map_library(library());
	assert_true(count_inlined() > 5);
	stop(state);
	/* One of another build has nothing to do with it. */
	assert_true(run("cc -shared -o lib.so.debug -g -Wl,--build-id=sha1 lib.so.c"));
	map_library(library());
	assert_int_equal(count_inlined(), 0);
}

static void archived_objects_come_first(void **state)
{
	make_library_with("-g");
	archive("lib.so", "/gone/lib.so");
	map_library("/gone/lib.so");
	assert_true(count_inlined() > 5);
}

static void other_files_at_the_path_have_no_positions(void **state)
{
	const struct expt_position *positions;
	uint64_t start, size;

	make_library_with("-g");
	find_function("other", &start, &size);
	map_library(library());
	assert_true(
		run("cc -shared -fPIC -O0 -g -o lib.so lib.so.c -Wl,--build-id=sha1"));
	assert_int_equal(positions_at(start, &positions), 0);
}

/* ---- dynamic code ---- */

struct record {
	struct dyntext_header header;
	struct dyntext_record source;
	char path[16];
	struct dyntext_record lines;
	uint32_t pairs[6];
};

static void write_dyntext(uint64_t address)
{
	const struct record record = {
		.header = { .record = { DYNTEXT_HEADER, sizeof(struct dyntext_header) },
			    .time_ns = 1000000000,
			    .address = address },
		.source = { DYNTEXT_SOURCE, sizeof(struct dyntext_record) + 16 },
		.path = "/src/made.js",
		.lines = { DYNTEXT_LINES, sizeof(struct dyntext_record) + 24 },
		.pairs = { 0, 10, 16, 12, 32, 11 },
	};

	make_directory("test.1.er");
	write_bytes("test.1.er/dyntext", &record, sizeof(record));
}

static void assert_dynamic(uint64_t offset, uint32_t line)
{
	const struct expt_position *positions;

	assert_int_equal(positions_at(offset, &positions), 1);
	assert_string_equal(positions->path, "/src/made.js");
	assert_int_equal(positions->line, line);
	assert_ptr_equal(positions->function, at(BASE + offset));
}

static void dynamic_functions_have_the_lines_in_dyntext(void **state)
{
	const struct expt_code_row *rows;

	write_dyntext(BASE);
	add_function(BASE, 64, "1.0", "made");
	open_experiment();
	assert_dynamic(0, 10);
	assert_dynamic(15, 10);
	assert_dynamic(16, 12);
	assert_dynamic(63, 11);
	assert_string_equal(expt_function_source(at(BASE)), "/src/made.js");
	assert_int_equal(expt_function_positions(at(BASE), &rows), 3);
	assert_int_equal(rows[1].offset, BASE + 16);
	assert_int_equal(rows[1].line, 12);
}

static void parts_have_the_lines_of_the_whole(void **state)
{
	const struct expt_code_row *rows;

	write_dyntext(BASE);
	add_part(BASE + 8, 24, "made", "part");
	add_function(BASE, 64, "1.0", "made");
	open_experiment();
	assert_string_equal(name_at(BASE + 8), "part");
	assert_dynamic(8, 10);
	assert_dynamic(17, 12);
	assert_int_equal(expt_function_positions(at(BASE + 8), &rows), 2);
	assert_int_equal(rows[0].offset, BASE + 8);
	assert_int_equal(rows[0].line, 10);
	assert_int_equal(rows[1].offset, BASE + 16);
}

static void damaged_dyntext_has_no_lines(void **state)
{
	const struct expt_position *positions;

	write_dyntext(BASE);
	assert_int_equal(truncate("test.1.er/dyntext", 60), 0);
	add_function(BASE, 64, "1.0", "made");
	open_experiment();
	assert_int_equal(positions_at(0, &positions), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(places_have_a_position_for_each_level_of_inlining),
		TEST(an_answer_is_kept),
		TEST(code_without_debug_data_has_no_position),
		TEST(functions_have_rows_and_a_source),
		TEST(stripped_objects_have_those_of_their_debug_file),
		TEST(archived_objects_come_first),
		TEST(other_files_at_the_path_have_no_positions),
		TEST(dynamic_functions_have_the_lines_in_dyntext),
		TEST(parts_have_the_lines_of_the_whole),
		TEST(damaged_dyntext_has_no_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
