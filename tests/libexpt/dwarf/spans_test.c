/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/dwarf/spans.h"

#include "libexpt/base/array.h"
#include "tests/libexpt/test.h"

static void the_larger_value_wins(void **state)
{
	struct spans spans = { .items = NULL };

	assert_int_equal(spans_add(&spans, 100, 200, 0), 0);
	assert_int_equal(spans_add(&spans, 120, 140, 1), 0);
	assert_int_equal(spans_add(&spans, 130, 150, 2), 0);
	assert_int_equal(spans_finish(&spans), 0);
	assert_int_equal(spans_find(&spans, 99), SPAN_NONE);
	assert_int_equal(spans_find(&spans, 100), 0);
	assert_int_equal(spans_find(&spans, 129), 1);
	assert_int_equal(spans_find(&spans, 130), 2);
	assert_int_equal(spans_find(&spans, 149), 2);
	assert_int_equal(spans_find(&spans, 150), 0);
	assert_int_equal(spans_find(&spans, 200), SPAN_NONE);
	array_release(&spans);
}

static void dropped_code_has_no_span(void **state)
{
	struct spans spans = { .items = NULL };

	spans_add(&spans, 0, 1000, 0);
	spans_add(&spans, 1, 1000, 0);
	spans_add(&spans, UINT64_MAX - 1, UINT64_MAX, 0);
	spans_add(&spans, 10, 10, 0);
	spans_add(&spans, 10, 5, 0);
	assert_int_equal(spans.count, 0);
	assert_int_equal(spans_finish(&spans), 0);
	assert_int_equal(spans_find(&spans, 10), SPAN_NONE);
	array_release(&spans);
}

#define COUNT	  200
#define ADDRESSES 500

/* Returns the largest value of the spans as they were added, at an address. */
static uint32_t slowly(const struct span *spans, uint64_t address)
{
	uint32_t found = SPAN_NONE;

	for (size_t i = 0; i < COUNT; i++)
		if (address >= spans[i].low && address < spans[i].high &&
		    (found == SPAN_NONE || spans[i].value > found))
			found = spans[i].value;
	return found;
}

static void any_spans_are_cut_without_a_change(void **state)
{
	struct span added[COUNT];
	unsigned seed = 1;

	for (int round = 0; round < 50; round++) {
		struct spans spans = { .items = NULL };

		for (uint32_t i = 0; i < COUNT; i++) {
			uint64_t low = 2 + (uint64_t)rand_r(&seed) % ADDRESSES;

			added[i] = (struct span){ low, low + (uint64_t)rand_r(&seed) % 60,
						  i / 2 };
			spans_add(&spans, added[i].low, added[i].high, added[i].value);
		}
		assert_int_equal(spans_finish(&spans), 0);
		for (uint64_t address = 0; address < 2 * ADDRESSES; address++)
			assert_int_equal(spans_find(&spans, address),
					 slowly(added, address));
		array_release(&spans);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_larger_value_wins),
		cmocka_unit_test(dropped_code_has_no_span),
		cmocka_unit_test(any_spans_are_cut_without_a_change),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
