/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/jit/codes.h"

#include "tests/libexpt/test.h"

#include <time.h>

static struct jit_codes codes;

static int stop(void **state)
{
	jit_codes_release(&codes);
	codes = (struct jit_codes){ 0 };
	return 0;
}

static void add(uint64_t address, uint64_t end, uint64_t loaded_ns, const char *name)
{
	const struct jit_code code = { address, end, loaded_ns, name, 0 };

	assert_int_equal(jit_codes_add(&codes, &code, strlen(name)), 0);
}

static const char *name_at(uint64_t address, uint64_t time_ns)
{
	const struct jit_code *code = jit_codes_find(&codes, address, time_ns);

	if (!code)
		return "";
	assert_true(code->address <= address && address < code->end);
	return code->name;
}

static void codes_are_found_by_address(void **state)
{
	add(0x2000, 0x2010, 0, "second");
	add(0x1000, 0x1010, 0, "first");
	add(0x1010, 0x1020, 0, "next");
	add(0x3000, 0x3000, 0, "empty");
	add(0x3000, 0x2000, 0, "negative");
	assert_int_equal(jit_codes_arrange(&codes), 0);
	assert_string_equal(name_at(0xfff, 0), "");
	assert_string_equal(name_at(0x1000, 0), "first");
	assert_string_equal(name_at(0x100f, 0), "first");
	assert_string_equal(name_at(0x1010, 0), "next");
	assert_string_equal(name_at(0x1020, 0), "");
	assert_string_equal(name_at(0x200f, 0), "second");
	assert_string_equal(name_at(0x3000, 0), "");
	assert_string_equal(name_at(UINT64_MAX, 0), "");
	assert_int_equal(jit_codes_changes(&codes, NULL), 0);
}

static void without_times_the_last_one_counts(void **state)
{
	add(0x1000, 0x1100, 0, "wide");
	add(0x1040, 0x1060, 0, "inner");
	add(0x1050, 0x1070, 0, "later");
	assert_int_equal(jit_codes_arrange(&codes), 0);
	assert_string_equal(name_at(0x103f, 9), "wide");
	assert_string_equal(name_at(0x104f, 9), "inner");
	assert_string_equal(name_at(0x1050, 9), "later");
	assert_string_equal(name_at(0x106f, 0), "later");
	assert_string_equal(name_at(0x1070, 0), "wide");
	assert_string_equal(name_at(0x10ff, 0), "wide");
}

static void with_times_the_last_one_by_then_counts(void **state)
{
	uint64_t times[10];

	add(0x1000, 0x1100, 300, "third");
	add(0x1000, 0x1080, 100, "first");
	add(0x1000, 0x1080, 200, "second");
	assert_int_equal(jit_codes_arrange(&codes), 0);
	assert_string_equal(name_at(0x1000, 0), "first"); /* before all: the first */
	assert_string_equal(name_at(0x1000, 199), "first");
	assert_string_equal(name_at(0x1000, 200), "second");
	assert_string_equal(name_at(0x107f, 1000), "third");
	assert_string_equal(name_at(0x1080, 0), "third");
	assert_int_equal(jit_codes_changes(&codes, times), 2);
	assert_int_equal(times[0] + times[1], 500);
}

/* Compare with a search through all of them. */
static void many_codes_are_as_by_trying_all(void **state)
{
	const struct jit_code *items;
	unsigned random = 1;

	for (int i = 0; i < 300; i++) {
		uint64_t start = (random = random * 1103515245 + 12345) >> 16 & 0x3ff;
		uint64_t size = (random = random * 1103515245 + 12345) >> 16 & 0x1f;

		add(start, start + size, 0, "x");
	}
	assert_int_equal(jit_codes_arrange(&codes), 0);
	items = codes.items;
	for (uint64_t address = 0; address < 0x500; address++) {
		const struct jit_code *found = jit_codes_find(&codes, address, 5);
		const struct jit_code *last = NULL;

		for (size_t i = 0; i < codes.count; i++)
			if (items[i].address <= address && address < items[i].end &&
			    (!last || items[i].order > last->order))
				last = &items[i];
		assert_ptr_equal(found, last);
	}
}

/* All overlap all. */
static void hostile_codes_end_soon(void **state)
{
	clock_t start = clock();

	for (uint64_t i = 0; i < 100000; i++)
		add(i * 8, ((uint64_t)1 << 40) - i, i * 7919 % 100000, "x");
	assert_int_equal(jit_codes_arrange(&codes), 0);
	assert_string_equal(name_at(9, 0), "x");
	assert_true(clock() - start < 5 * CLOCKS_PER_SEC);
}

static void not_more_codes_are_kept_than_the_limit(void **state)
{
	for (uint64_t i = 0; i < JIT_CODES_MAX; i++)
		add(i * 8, i * 8 + 8, 0, "x");
	assert_int_equal(jit_codes_add(&codes, &(struct jit_code){ 0, 1, 0, "x", 0 }, 1),
			 -E2BIG);
	assert_int_equal(jit_codes_arrange(&codes), 0);
	assert_string_equal(name_at(9, 0), "x");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(codes_are_found_by_address, stop),
		cmocka_unit_test_teardown(without_times_the_last_one_counts, stop),
		cmocka_unit_test_teardown(with_times_the_last_one_by_then_counts, stop),
		cmocka_unit_test_teardown(many_codes_are_as_by_trying_all, stop),
		cmocka_unit_test_teardown(hostile_codes_end_soon, stop),
		cmocka_unit_test_teardown(not_more_codes_are_kept_than_the_limit, stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
