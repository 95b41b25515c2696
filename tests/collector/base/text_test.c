/* SPDX-License-Identifier: Apache-2.0 */
/* Text without stdio: the same output as printf, never more than the buffer holds. */

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "collector/base/text.h"

static const int64_t numbers[] = { 0, 1, -1, 42, 1000000007, INT64_MAX, INT64_MIN };

static void numbers_are_as_printf_has_them(void **state)
{
	char buffer[256], expected[256];

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		struct text text = TEXT_ON(buffer);

		text_add_decimal(&text, numbers[i]);
		text_add(&text, " ");
		text_add_hex(&text, (uint64_t)numbers[i], 8);
		text_add_number(&text, "n", numbers[i]);
		snprintf(expected, sizeof(expected),
			 "%" PRId64 " %08" PRIX64 " n=\"%" PRId64 "\"", numbers[i],
			 (uint64_t)numbers[i], numbers[i]);
		assert_string_equal(buffer, expected);
		assert_int_equal(text.length, strlen(expected));
		assert_false(text.is_cut);
	}
}

static void times_have_nine_digits(void **state)
{
	char buffer[64];
	struct text text = TEXT_ON(buffer);

	text_add_time(&text, 0);
	text_add_time(&text, 12000000345);
	assert_string_equal(buffer, "0.00000000012.000000345");
}

static void values_are_escaped(void **state)
{
	char buffer[256];
	struct text text = TEXT_ON(buffer);

	text_add_attribute(&text, "a", "<&>'\"%\n\xc3\xa9 plain");
	assert_string_equal(buffer,
			    " a=\"&lt;&amp;&gt;&apos;&quot;%25%%0a%%c3%%a9% plain\"");
}

static void what_does_not_fit_is_left_out(void **state)
{
	char buffer[8] = "xxxxxxx";
	struct text text = text_on(buffer, 6);

	text_add(&text, "1234");
	assert_false(text.is_cut);
	text_add(&text, "567");
	assert_string_equal(buffer, "12345");
	assert_true(text.is_cut);
	assert_int_equal(buffer[6], 'x');
}

/* The record is still closed after its value was cut short. */
static void behind_a_long_value_there_is_room(void **state)
{
	char buffer[256], value[512];
	struct text text = TEXT_ON(buffer);

	memset(value, '&', sizeof(value) - 1);
	value[sizeof(value) - 1] = '\0';
	text_add_attribute(&text, "a", value);
	assert_true(text.is_cut);
	text_add(&text, "/>\n");
	assert_string_equal(buffer + text.length - 9, "&amp;\"/>\n");
}

static void decimals_are_parsed_up_to_something_else(void **state)
{
	const char *end;

	assert_int_equal(text_parse_decimal("10007:x", &end), 10007);
	assert_string_equal(end, ":x");
	assert_int_equal(text_parse_decimal("", &end), 0);
	assert_int_equal(text_parse_decimal("-1", NULL), 0);
	assert_true(text_parse_decimal("18446744073709551615", NULL) == UINT64_MAX);
}

static void numbers_that_are_too_large_are_the_largest(void **state)
{
	const char *end;

	assert_true(text_parse_decimal("18446744073709551616", NULL) == UINT64_MAX);
	assert_true(text_parse_decimal("184467440737095516160;", &end) == UINT64_MAX);
	assert_string_equal(end, ";");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_as_printf_has_them),
		cmocka_unit_test(times_have_nine_digits),
		cmocka_unit_test(values_are_escaped),
		cmocka_unit_test(what_does_not_fit_is_left_out),
		cmocka_unit_test(behind_a_long_value_there_is_room),
		cmocka_unit_test(decimals_are_parsed_up_to_something_else),
		cmocka_unit_test(numbers_that_are_too_large_are_the_largest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
