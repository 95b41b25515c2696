/* SPDX-License-Identifier: Apache-2.0 */
/* The checksum of copies. */
#include "libexpt/common/hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void digest_text(char text[HASH_TEXT_SIZE], const void *bytes, size_t length,
			size_t piece)
{
	unsigned char digest[HASH_SIZE];
	struct hash hash;

	hash_init(&hash);
	for (size_t done = 0; done < length; done += piece)
		hash_update(&hash, (const char *)bytes + done,
			    length - done < piece ? length - done : piece);
	hash_digest(&hash, digest);
	hash_text(text, digest);
}

/* Both values come from xxh128sum(1). */
static void the_text_is_that_of_xxh128sum(void **state)
{
	char text[HASH_TEXT_SIZE];

	digest_text(text, "", 0, 1);
	assert_string_equal(text, "99aa06d3014798d86001c324468d497f");
	digest_text(text, "abc", 3, 3);
	assert_string_equal(text, "06b05ab6733a618578af5f94892f3950");
}

static void pieces_of_any_size_give_the_same_digest(void **state)
{
	static unsigned char bytes[100000];
	char whole[HASH_TEXT_SIZE], pieces[HASH_TEXT_SIZE];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)(i * 31 + (i >> 8));
	digest_text(whole, bytes, sizeof(bytes), sizeof(bytes));
	digest_text(pieces, bytes, sizeof(bytes), 1);
	assert_string_equal(whole, pieces);
	digest_text(pieces, bytes, sizeof(bytes), 4097);
	assert_string_equal(whole, pieces);
	bytes[sizeof(bytes) - 1] ^= 1;
	digest_text(pieces, bytes, sizeof(bytes), 4097);
	assert_string_not_equal(whole, pieces);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_text_is_that_of_xxh128sum),
		cmocka_unit_test(pieces_of_any_size_give_the_same_digest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
