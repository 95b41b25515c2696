/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/libexpt/test.h"

#include "libexpt/base/cleanup.h"
#include "libexpt/bundle/unpack.h"

/* Verifies a file that was unpacked as one text and is found on the disk as another. */
static int verify_after(const char *written, const char *found)
{
	struct unpacker from = { 0 };
	struct member member = { .name = "test.1.er/notes", .path = "notes" };
	cleanup_fd int dir = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int rc;

	assert_int_equal(digest_open(&from.digest, NULL), 0);
	digest_add(from.digest, written, strlen(written));
	assert_int_equal(digest_finish(from.digest, member.sum, NULL), 0);
	unlink("notes");
	if (found)
		write_text("notes", found);
	rc = unpack_verify(&from, dir, &member, NULL);
	digest_close(from.digest);
	return rc;
}

static void what_was_written_is_found_again(void **state)
{
	assert_int_equal(verify_after("a note\n", "a note\n"), 0);
	assert_int_equal(verify_after("", ""), 0);
}

static void what_differs_on_the_disk_is_told(void **state)
{
	assert_int_equal(verify_after("a note\n", "b note\n"), -EBADMSG);
	assert_int_equal(verify_after("a note\n", "a note"), -EBADMSG);
	assert_int_equal(verify_after("a note\n", "a note\nmore"), -EBADMSG);
	assert_int_equal(verify_after("a note\n", NULL), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_written_is_found_again),
		cmocka_unit_test(what_differs_on_the_disk_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
