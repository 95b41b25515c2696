/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libexpt/base/number.h"

static void decimal_and_hex_are_read(void **state)
{
	uint64_t value;

	assert_true(number_u64(&value, "0"));
	assert_int_equal(value, 0);
	assert_true(number_u64(&value, "18446744073709551615"));
	assert_true(value == UINT64_MAX);
	assert_true(number_u64(&value, "0x7fFF"));
	assert_int_equal(value, 0x7fff);
}

static void what_is_not_wholly_a_number_is_refused(void **state)
{
	static const char *const bad[] = {
		"",
		" 1",
		"1 ",
		"+1",
		"-1",
		"0x",
		"1a",
		"0xg",
		"18446744073709551616",
		"0x10000000000000000",
	};
	uint64_t value = 7;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_false(number_u64(&value, bad[i]));
	assert_int_equal(value, 7);
}

static void signed_numbers_have_their_whole_range(void **state)
{
	int64_t value;

	assert_true(number_i64(&value, "-9223372036854775808"));
	assert_true(value == INT64_MIN);
	assert_true(number_i64(&value, "9223372036854775807"));
	assert_true(value == INT64_MAX);
	assert_false(number_i64(&value, "9223372036854775808"));
	assert_false(number_i64(&value, "-9223372036854775809"));
	assert_false(number_i64(&value, "-"));
	assert_false(number_i64(&value, "--1"));
}

static void fractions_of_seconds_mean_what_people_write(void **state)
{
	uint64_t ns;

	assert_true(number_seconds(&ns, "5.000000001"));
	assert_true(ns == UINT64_C(5000000001));
	assert_true(number_seconds(&ns, "0.5"));
	assert_true(ns == UINT64_C(500000000));
	assert_true(number_seconds(&ns, "3"));
	assert_true(ns == UINT64_C(3000000000));
	assert_true(number_seconds(&ns, "0.0000000019"));
	assert_true(ns == 1);
	assert_false(number_seconds(&ns, "1."));
	assert_false(number_seconds(&ns, ".5"));
	assert_false(number_seconds(&ns, "1.5x"));
	assert_false(number_seconds(&ns, "18446744074.0"));
}

static void sizes_take_binary_suffixes(void **state)
{
	uint64_t bytes;

	assert_true(number_size(&bytes, "64"));
	assert_int_equal(bytes, 64);
	assert_true(number_size(&bytes, "10k"));
	assert_int_equal(bytes, 10240);
	assert_true(number_size(&bytes, "1K"));
	assert_int_equal(bytes, 1024);
	assert_true(number_size(&bytes, "2T"));
	assert_true(bytes == UINT64_C(2) << 40);
	assert_false(number_size(&bytes, "1kB"));
	assert_false(number_size(&bytes, "k"));
	assert_false(number_size(&bytes, "16777216T"));
}

static void ages_are_days_unless_a_letter_says_otherwise(void **state)
{
	uint64_t seconds;

	assert_true(number_age(&seconds, "30"));
	assert_true(seconds == 30 * 86400);
	assert_true(number_age(&seconds, "0s"));
	assert_true(seconds == 0);
	assert_true(number_age(&seconds, "90s"));
	assert_true(seconds == 90);
	assert_true(number_age(&seconds, "5m"));
	assert_true(seconds == 300);
	assert_true(number_age(&seconds, "2h"));
	assert_true(seconds == 7200);
	assert_true(number_age(&seconds, "1d"));
	assert_true(seconds == 86400);
	assert_true(number_age(&seconds, "4w"));
	assert_true(seconds == 4 * 604800);
	assert_false(number_age(&seconds, ""));
	assert_false(number_age(&seconds, "d"));
	assert_false(number_age(&seconds, "-1"));
	assert_false(number_age(&seconds, "1.5d"));
	assert_false(number_age(&seconds, "1dd"));
	assert_false(number_age(&seconds, "1y"));
	assert_false(number_age(&seconds, "1 d"));
	assert_false(number_age(&seconds, "30500568904944w"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(decimal_and_hex_are_read),
		cmocka_unit_test(what_is_not_wholly_a_number_is_refused),
		cmocka_unit_test(signed_numbers_have_their_whole_range),
		cmocka_unit_test(fractions_of_seconds_mean_what_people_write),
		cmocka_unit_test(sizes_take_binary_suffixes),
		cmocka_unit_test(ages_are_days_unless_a_letter_says_otherwise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
