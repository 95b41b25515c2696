/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/common/digest.h"

#include "tests/libexpt/test.h"

static void sums_are_those_of_sha256sum(void **state)
{
	static const char empty[] =
		"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
	static const char abc[] =
		"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
	unsigned char sum[DIGEST_SIZE], parsed[DIGEST_SIZE];
	struct digest *digest;
	char text[DIGEST_TEXT];

	assert_int_equal(digest_open(&digest, NULL), 0);
	assert_int_equal(digest_finish(digest, sum, NULL), 0);
	digest_text(text, sum);
	assert_string_equal(text, empty);
	digest_add(digest, "a", 1);
	digest_add(digest, "bc", 2);
	assert_int_equal(digest_finish(digest, sum, NULL), 0);
	digest_text(text, sum);
	assert_string_equal(text, abc);
	assert_true(digest_parse(parsed, abc));
	assert_memory_equal(parsed, sum, sizeof(sum));
	digest_close(digest);
}

static void what_is_no_sum_is_not_parsed(void **state)
{
	unsigned char sum[DIGEST_SIZE];

	assert_false(digest_parse(sum, ""));
	assert_false(digest_parse(sum, "ba78"));
	assert_false(digest_parse(sum, "xa7816bf8f01cfea414140de5dae2223b00361a396177a9c"
				       "b410ff61f20015ad"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_are_those_of_sha256sum),
		cmocka_unit_test(what_is_no_sum_is_not_parsed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
