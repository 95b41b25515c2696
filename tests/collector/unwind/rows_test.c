/* SPDX-License-Identifier: Apache-2.0 */
/* Rows, and their table. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collector/unwind/rows.h"

static void a_row_says_what_it_was_made_of(void **state)
{
	uint32_t row = row_make(ROW_BP, 5, 4096 + 8) | 7 << 8;

	assert_int_equal(row_kind(row), ROW_BP);
	assert_int_equal(row_bp_slot(row), 5);
	assert_int_equal(row_offset(row), 4104);
	assert_int_equal(row_call_length(row), 7);
	assert_int_equal(row_offset(row_make(ROW_SP, 0, ROW_OFFSET_LIMIT - 8)),
			 ROW_OFFSET_LIMIT - 8);
	assert_true(row_is_without_rules(ROW_WITHOUT_RULES | 7 << 8));
	assert_false(row_is_without_rules(ROW_OTHER));
}

static void rows_belong_to_one_address(void **state)
{
	row_entry *rows = rows_open();
	unsigned kept = 0;

	assert_non_null(rows);
	for (uint64_t i = 1; i <= 3000; i++)
		rows_add(rows, 0x7f0000000000 + i * 37,
			 row_make(ROW_SP, 0, (int64_t)i * 8));
	for (uint64_t i = 1; i <= 3000; i++) {
		uint32_t row = rows_find(rows, 0x7f0000000000 + i * 37);

		assert_true(!row || row_offset(row) == i * 8);
		kept += row != ROW_NONE;
		assert_int_equal(rows_find(rows, 0x7f0000000000 + i * 37 + 1), ROW_NONE);
	}
	assert_true(kept > 2900); /* few shared a slot with two others */
	rows_remove(rows, 0x7f0000000000 + 37);
	assert_int_equal(rows_find(rows, 0x7f0000000000 + 37), ROW_NONE);
	rows_clear(rows);
	for (uint64_t i = 1; i <= 3000; i++)
		assert_int_equal(rows_find(rows, 0x7f0000000000 + i * 37), ROW_NONE);
}

static void addresses_of_the_kernel_are_not_kept(void **state)
{
	row_entry *rows = rows_open();
	uint64_t address = UINT64_C(0xffffffffff600400);

	assert_non_null(rows);
	rows_add(rows, address, row_make(ROW_SP, 0, 8));
	assert_int_equal(rows_find(rows, address & ROWS_ADDRESSES), ROW_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_says_what_it_was_made_of),
		cmocka_unit_test(rows_belong_to_one_address),
		cmocka_unit_test(addresses_of_the_kernel_are_not_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
