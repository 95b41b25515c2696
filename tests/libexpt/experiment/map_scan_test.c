/* SPDX-License-Identifier: Apache-2.0 */
/* Shows which maps map_scan() understands. map_scan_fuzz.c shows that its results are
 * those of map_parse(). */
#include "libexpt/experiment/map_scan.h"

#include "tests/libexpt/test.h"

#define EVENT(rest) \
	"<event kind=\"map\" object=\"segment\" tstamp=\"0.000000001\"" rest "/>\n"
#define SEGMENT(address, modes, rest)                                              \
	EVENT(" vaddr=\"0x" address "\" size=\"4096\" pagesz=\"4096\""             \
	      " foffset=\"+0x00001000\" modes=\"" modes "\" chksum=\"0xFFFFFFFF\"" \
	      " name=\"/lib/a.so\"" rest)
#define IDENTITY(size) " buildid=\"00ff\" fsize=\"" size "\" mtime=\"12.250000000\""

static struct map_scan scan;

static bool scan_text(const char *text)
{
	map_scan_release(&scan);
	return map_scan(&scan, text, strlen(text));
}

static int release(void **state)
{
	map_scan_release(&scan);
	return 0;
}

static void what_recorders_write_is_understood(void **state)
{
	/* clang-format off */
	assert_true(scan_text(
		SEGMENT("1000", "0x005", IDENTITY("77"))
		SEGMENT("2000", "0x003", IDENTITY("77"))
		SEGMENT("1000", "0x005", IDENTITY("77"))
		"<event kind=\"map\" object=\"dynfunc\" name=\"[vdso]\" vaddr=\"0x7F10\""
		" size=\"683\" funcname=\"__vdso_time\" />\n"
		"<event kind=\"map\" object=\"function\" tstamp=\"0.000000002\""
		" vaddr=\"0x7F10\" size=\"683\" name=\"[vdso]\" />\n"
		"<event kind=\"unmap\" tstamp=\"1.000000000\" vaddr=\"0x1000\"/>\n"));
	/* clang-format on */
	assert_int_equal(scan.objects.count, 1);
	assert_string_equal(scan.objects.items[0].path, "/lib/a.so");
	assert_string_equal(scan.objects.items[0].identity.build_id, "00ff");
	assert_true(scan.objects.items[0].identity.has_file);
	assert_int_equal(scan.objects.items[0].identity.size, 77);
	assert_int_equal(scan.objects.items[0].identity.mtime_ns, 12250000000);
}

static void space_that_was_reserved_is_skipped(void **state)
{
	char bytes[1000] = SEGMENT("1000", "0x005", "");

	bytes[999] = '\n';
	map_scan_release(&scan);
	assert_true(map_scan(&scan, bytes, sizeof(bytes)));
	assert_int_equal(scan.objects.count, 1);
	bytes[998] = ' ';
	map_scan_release(&scan);
	assert_false(map_scan(&scan, bytes, sizeof(bytes)));
}

static void doubt_is_left_to_others(void **state)
{
	static const char *const texts[] = {
		"",
		"<?xml version=\"1.0\"?>\n",
		"<event kind=\"map\" object=\"segment\"",
		"<event kind=\"map\" object=\"jcm\" vaddr=\"0x1\" size=\"1\"/>\n",
		EVENT(" vaddr=\"0x1000\" size=\"4096\" modes=\"5\" name=\"\""),
		EVENT(" vaddr=\"0x1000\" size=\"4096\" modes=\"5\""),
		EVENT(" vaddr=\"0x1000\" size=\"0\" modes=\"5\" name=\"/a\""),
		EVENT(" vaddr=\"0x1000\" size=\"4096\" modes=\"5\" name=\"/a&amp;b\""),
		EVENT(" vaddr=\"0x1000\" size=\"4096\" modes=\"5\" name=\"/a%20%b\""),
		EVENT(" vaddr=\"0x1000\" size=\"4096\" modes=\"5\" name=\"/\xc3\xa4\""),
		EVENT(" vaddr=\"0x1000\" size=\"4096\" modes=\"5\"  name=\"/a\""),
		EVENT(" vaddr=\"0x1000\" size=\"4096\" modes=\"5\" name=\"/a\" "
		      "name=\"/b\""),
		EVENT(" vaddr=\"0x1000\" size=\"4096\" modes=\"5\" new=\"1\" "
		      "name=\"/a\""),
		EVENT(" vaddr=\"0xFFFFFFFFFFFFFFFF\" size=\"2\" modes=\"5\" name=\"/a\""),
		/* the second event may not count */
		SEGMENT("1000", "0x003", "") SEGMENT("1000", "0x005", ""),
		SEGMENT("1000", "0x005", IDENTITY("77"))
			SEGMENT("1000", "0x005", IDENTITY("78")),
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (scan_text(texts[i]))
			fail_msg("understood: %s", texts[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(what_recorders_write_is_understood, release),
		cmocka_unit_test_teardown(space_that_was_reserved_is_skipped, release),
		cmocka_unit_test_teardown(doubt_is_left_to_others, release),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
