/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/jit/files.h"

#include "tests/libexpt/test.h"

static struct jit_codes codes;

static int stop(void **state)
{
	jit_codes_release(&codes);
	codes = (struct jit_codes){ 0 };
	return 0;
}

static void read_bytes(const void *bytes, size_t length)
{
	assert_int_equal(jit_file_read(&codes, bytes, length, 1000), 0);
}

static void assert_code(size_t i, uint64_t address, uint64_t size, uint64_t loaded_ns,
			const char *name)
{
	assert_true(i < codes.count);
	assert_int_equal(codes.items[i].address, address);
	assert_int_equal(codes.items[i].end, address + size);
	assert_int_equal(codes.items[i].loaded_ns, loaded_ns);
	assert_string_equal(codes.items[i].name, name);
}

/* ---- perf maps ---- */

static void perf_maps_are_told_by_their_names(void **state)
{
	assert_true(jit_is_perf_map("perf-12.map"));
	assert_true(jit_is_perf_map("perf-12.map_dzOwCYSu100"));
	assert_false(jit_is_perf_map("perf-12"));
	assert_false(jit_is_perf_map("perf.data"));
	assert_false(jit_is_perf_map("liberf-1.map"));
}

/* As node, Java and python write them. */
static void lines_of_perf_maps_are_codes(void **state)
{
	static const char text[] =
		"7f1c40c0 4c JS:*fib /tmp/a b.js:1:13\n"
		"0x00007f3c5c000fc0 0x0000000000000180 void A.f(int, char)\n"
		"7F2000 b py::<module>:/x.py\r\n"
		"7f2010 10 last";

	read_bytes(text, strlen(text));
	assert_int_equal(codes.count, 4);
	assert_code(0, 0x7f1c40c0, 0x4c, 0, "JS:*fib /tmp/a b.js:1:13");
	assert_code(1, 0x7f3c5c000fc0, 0x180, 0, "void A.f(int, char)");
	assert_code(2, 0x7f2000, 0xb, 0, "py::<module>:/x.py");
	assert_code(3, 0x7f2010, 0x10, 0, "last");
}

static void other_lines_are_ignored(void **state)
{
	static const char text[] = "10 4 good\n"
				   "\n"
				   "zz 4 x\n"
				   "10\n"
				   "10 4\n"
				   "10 4 \n"
				   "-10 4 x\n"
				   " 10 4 x\n"
				   "10  4 x\n"
				   "10 0 no size\n"
				   "0x 4 x\n"
				   "ffffffffffffffff1 4 x\n"
				   "ffffffffffffffff 4 x\n"
				   "ffffffffffffff00 ff end\n";

	read_bytes(text, strlen(text));
	assert_int_equal(codes.count, 2);
	assert_code(1, UINT64_C(0xffffffffffffff00), 0xff, 0, "end");
}

static void perf_maps_are_recognized_by_their_first_line(void **state)
{
	assert_true(jit_file_begins("10 4 f\nx", 8));
	assert_true(jit_file_begins("10 4 f", 6));
	assert_false(jit_file_begins("root:x:0:0:root:/root:/bin/bash\n10 4 f\n", 40));
	assert_false(jit_file_begins("\n10 4 f\n", 8));
	assert_false(jit_file_begins("", 0));
}

/* ---- jitdump ---- */

struct dump {
	unsigned char bytes[1000];
	size_t length;
};

static void put(struct dump *dump, const void *bytes, size_t length)
{
	memcpy(dump->bytes + dump->length, bytes, length);
	dump->length += length;
}

static void put_header(struct dump *dump, uint64_t flags)
{
	static const uint32_t words[] = { 0x4a695444, 1, 48, 62, 0, 17 };
	const uint64_t rest[] = { 5, flags, 0 }; /* longer than usual */

	dump->length = 0;
	put(dump, words, sizeof(words));
	put(dump, rest, sizeof(rest));
}

static void put_load(struct dump *dump, uint64_t time_ns, uint64_t address, uint64_t size,
		     const char *name)
{
	size_t length = strlen(name) + 1;
	const uint32_t words[] = { 0, (uint32_t)(56 + length + 4) };
	const uint32_t ids[] = { 17, 17 };
	const uint64_t rest[] = { address, address, size, 1 };

	put(dump, words, sizeof(words));
	put(dump, &time_ns, sizeof(time_ns));
	put(dump, ids, sizeof(ids));
	put(dump, rest, sizeof(rest));
	put(dump, name, length);
	put(dump, "code", 4);
}

static void put_move(struct dump *dump, uint64_t time_ns, uint64_t from, uint64_t to,
		     uint64_t size)
{
	const uint32_t words[] = { 1, 64 };
	const uint32_t ids[] = { 17, 17 };
	const uint64_t rest[] = { to, from, to, size, 1 };

	put(dump, words, sizeof(words));
	put(dump, &time_ns, sizeof(time_ns));
	put(dump, ids, sizeof(ids));
	put(dump, rest, sizeof(rest));
}

static void records_of_jitdump_are_codes(void **state)
{
	static const uint32_t other[] = { 2, 16, 0, 0 };
	struct dump dump;

	put_header(&dump, 0);
	put_load(&dump, 1500, 0x7000, 0x20, "first");
	put(&dump, other, sizeof(other));
	put_load(&dump, 900, 0x8000, 0x30, "early");
	put_move(&dump, 2000, 0x7000, 0x9000, 0x20);
	put_move(&dump, 2000, 0x7777, 0xa000, 0x20);
	read_bytes(dump.bytes, dump.length);
	assert_int_equal(codes.count, 3);
	assert_code(0, 0x7000, 0x20, 500, "first");
	assert_code(1, 0x8000, 0x30, 0, "early");
	assert_code(2, 0x9000, 0x20, 1000, "first");
}

static void times_of_another_clock_are_not_used(void **state)
{
	struct dump dump;

	put_header(&dump, 1);
	put_load(&dump, 1500, 0x7000, 0x20, "first");
	read_bytes(dump.bytes, dump.length);
	assert_code(0, 0x7000, 0x20, 0, "first");
}

/* Each length is a copy of its own, so that sanitizers see what is read. */
static void a_jitdump_that_is_cut_off_is_read_up_to_there(void **state)
{
	struct dump dump;
	size_t second;

	put_header(&dump, 0);
	put_load(&dump, 1500, 0x7000, 0x20, "first");
	second = dump.length;
	put_load(&dump, 1600, 0x8000, 0x20, "second");
	for (size_t length = 0; length <= dump.length; length++) {
		unsigned char *copy = malloc(length + 1);

		memcpy(copy, dump.bytes, length);
		if (jit_file_begins(copy, length))
			read_bytes(copy, length);
		assert_int_equal(codes.count,
				 length == dump.length ? 2 : length >= second);
		stop(state);
		free(copy);
	}
	/* whatever the fields say */
	for (size_t i = 0; i < dump.length; i++)
		for (int value = 0; value < 256; value += 51) {
			unsigned char kept = dump.bytes[i];

			dump.bytes[i] = (unsigned char)value;
			read_bytes(dump.bytes, dump.length);
			dump.bytes[i] = kept;
			stop(state);
		}
}

/* ---- files ---- */

static void files_have_the_names_that_perf_expects(void **state)
{
	char path[JIT_PATH_SIZE];

	jit_perf_map_path(path, 4242);
	assert_string_equal(path, "/tmp/perf-4242.map");
	jit_perf_map_path(path, INT64_MIN);
	assert_true(jit_is_dump_path("/home/me/jit-17.dump"));
	assert_false(jit_is_dump_path("/home/me/jit-.dump"));
	assert_false(jit_is_dump_path("/home/me/jit-17.dump.so"));
	assert_false(jit_is_dump_path("/home/me/libjit-17.dump"));
	assert_false(jit_is_dump_path("/jit-17.dump/lib.so"));
}

static void files_of_another_time_are_not_of_the_process(void **state)
{
	const struct expt_info info = { .has_run = true,
					.started_at = 1000,
					.end_ns = 5000000000 };
	static const struct {
		int64_t second;
		bool is_good;
	} cases[] = { { 999, false }, { 1000, true },  { 1004, true },
		      { 1007, true }, { 1008, false }, { -1, false } };
	struct stat status = { .st_mode = S_IFREG | 0600, .st_size = 10 };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		status.st_mtim = (struct timespec){ cases[i].second, 0 };
		assert_int_equal(!jit_file_problem(&status, &info), cases[i].is_good);
	}
	status.st_mtim.tv_sec = 1001;
	assert_null(jit_file_problem(&status, &info));
	assert_non_null(
		jit_file_problem(&status, &(struct expt_info){ .has_run = true }));
	status.st_size = JIT_FILE_MAX + 1;
	assert_non_null(jit_file_problem(&status, &info));
	status.st_size = 10;
	status.st_mode = S_IFIFO | 0600;
	assert_non_null(jit_file_problem(&status, &info));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(perf_maps_are_told_by_their_names),
		cmocka_unit_test_teardown(lines_of_perf_maps_are_codes, stop),
		cmocka_unit_test_teardown(other_lines_are_ignored, stop),
		cmocka_unit_test(perf_maps_are_recognized_by_their_first_line),
		cmocka_unit_test_teardown(records_of_jitdump_are_codes, stop),
		cmocka_unit_test_teardown(times_of_another_clock_are_not_used, stop),
		cmocka_unit_test_teardown(a_jitdump_that_is_cut_off_is_read_up_to_there,
					  stop),
		cmocka_unit_test(files_have_the_names_that_perf_expects),
		cmocka_unit_test(files_of_another_time_are_not_of_the_process),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
