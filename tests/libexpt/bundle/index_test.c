/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/bundle/index.h"

#include <errno.h>
#include <string.h>

#include "tests/libexpt/test.h"

#define END 5120

static const struct tar_member members[] = {
	{ .name = "x.er/profile",
	  .type = TAR_FILE,
	  .mode = 0644,
	  .size = 5,
	  .mtime = { 1600000000, 123456789 },
	  .place = 0,
	  .span = 2048 },
	{ .name = "x.er/archives/a b",
	  .type = TAR_LINK,
	  .mode = 0777,
	  .target = "c d",
	  .mtime = { -5, 0 },
	  .place = 2048,
	  .span = 1536 },
	{ .name = "x.er",
	  .type = TAR_DIRECTORY,
	  .mode = 0755,
	  .place = 3584,
	  .span = 512 },
};
#define COUNT (sizeof(members) / sizeof(*members))

static void what_was_written_is_read(void **state)
{
	cleanup_strbuf struct strbuf text = STRBUF_INIT;
	struct bundle_index index;
	struct tar_member member;

	for (size_t i = 0; i < COUNT; i++)
		bundle_index_add(&text, &members[i]);
	assert_int_equal(bundle_index_start(&index, text.text, END, NULL), 0);
	for (size_t i = 0; i < COUNT; i++) {
		assert_int_equal(bundle_index_next(&index, &member, NULL), 1);
		assert_memory_equal(member.name, members[i].name,
				    strlen(members[i].name));
		assert_int_equal(member.type, members[i].type);
		assert_int_equal(member.mode, members[i].mode);
		assert_int_equal(member.size, members[i].size);
		assert_int_equal(member.mtime.tv_sec, members[i].mtime.tv_sec);
		assert_int_equal(member.place, members[i].place);
		assert_int_equal(member.span, members[i].span);
	}
	assert_string_equal(member.name, "x.er/");
	assert_int_equal(bundle_index_next(&index, &member, NULL), 0);
}

static void a_name_that_fits_no_line_ends_the_index(void **state)
{
	cleanup_strbuf struct strbuf text = STRBUF_INIT;
	struct tar_member odd = members[1];

	odd.name = "x.er/archives/two\nlines";
	bundle_index_add(&text, &members[0]);
	bundle_index_add(&text, &odd);
	assert_int_equal(text.length, 0);
	bundle_index_add(&text, &members[2]);
	assert_int_equal(text.length, 0);
}

static void what_is_no_index_is_refused(void **state)
{
	static const char *const lines[] = {
		"f 644 5 0 4 x.er/profile", /* cut */
		"f 644 5 0 4\n",	    /* no name */
		"f 644 5 0 4 \n",	    /* empty name */
		"p 644 0 0 4 x\n",	    /* unknown type */
		"f 9 5 0 4 x\n",
		"f 12345 5 0 4 x\n", /* modes */
		"f 644 -5 0 4 x\n",
		"f 644 2048 0 4 x\n", /* sizes */
		"d 755 5 0 4 x\n",    /* size of a directory */
		"f 644 5 0 0 x\n",
		"f 644 5 0 21 x\n",		   /* spans */
		"f 644 5 0 36028797018963969 x\n", /* overflow */
		"f 644 513 0 2 x\n",		   /* too small for the member */
		"f 644 5 0 6 x\n",		   /* room for another member */
		"f 644 5 0 4 x\ty\n",
		"l 777 0 0 4 x\n",
		"\n", /* targets */
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		cleanup_strbuf struct strbuf text = STRBUF_INIT;
		struct bundle_index index;
		struct tar_member member;
		struct expt_error err;

		strbuf_printf(&text, "# erkit index 1\n%s", lines[i]);
		assert_int_equal(bundle_index_start(&index, text.text, END, NULL), 0);
		if (bundle_index_next(&index, &member, &err) != -EBADMSG)
			fail_msg("line %zu was taken", i);
		assert_string_equal(err.message,
				    "the index of the bundle is damaged at line 2");
	}
}

static void all_of_the_stream_is_spoken_of(void **state)
{
	static const uint64_t ends[] = { 1536, 2047, 2049, 2560, 1 << 20 };

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		char text[] = "# erkit index 1\nf 644 5 0 2 x\n";
		struct bundle_index index;
		struct tar_member member;

		assert_int_equal(bundle_index_start(&index, text, ends[i], NULL), 0);
		assert_int_equal(bundle_index_next(&index, &member, NULL), 1);
		assert_int_equal(bundle_index_next(&index, &member, NULL), -EBADMSG);
	}
}

static void another_version_is_refused(void **state)
{
	char text[] = "# erkit index 2\n";
	struct bundle_index index;

	assert_int_equal(bundle_index_start(&index, text, END, NULL), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_written_is_read),
		cmocka_unit_test(a_name_that_fits_no_line_ends_the_index),
		cmocka_unit_test(what_is_no_index_is_refused),
		cmocka_unit_test(all_of_the_stream_is_spoken_of),
		cmocka_unit_test(another_version_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
