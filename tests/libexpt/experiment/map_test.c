/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/libexpt/test.h"

#include "libexpt/experiment/map.h"

static struct expt_map map;

static void parse(const char *text)
{
	map = (struct expt_map){ 0 };
	assert_int_equal(map_parse(&map, text, strlen(text), NULL), 0);
}

static int release(void **state)
{
	map_release(&map);
	remove_all("map.er");
	return 0;
}

static void expect_damage(const char *text, const char *damage)
{
	parse(text);
	assert_int_equal(map.damage.count, 1);
	assert_string_equal(map.damage.items[0], damage);
	map_release(&map);
}

#define SEGMENT(time, address, size, name)                                             \
	"<event kind=\"map\" object=\"segment\" tstamp=\"" time "\" vaddr=\"" address  \
	"\" size=\"" size "\" pagesz=\"4096\" foffset=\"+0x00001000\" modes=\"0x005\"" \
	" chksum=\"0xFFFFFFFF\" name=\"" name "\"/>\n"
#define UNMAP(time, address) \
	"<event kind=\"unmap\" tstamp=\"" time "\" vaddr=\"" address "\"/>\n"
#define FUNCTION(time, address, size, name)                                            \
	"<event kind=\"map\" object=\"function\" tstamp=\"" time "\" vaddr=\"" address \
	"\" size=\"" size "\" name=\"" name "\"/>\n"

static void a_segment_has_what_was_mapped(void **state)
{
	parse(SEGMENT("0.5", "0x00007FF6A7836000", "1400832", "/lib/a%20%b"));
	assert_int_equal(map.segments.count, 1);
	assert_string_equal(map.segments.items[0].path, "/lib/a b");
	assert_int_equal(map.segments.items[0].address, 0x7FF6A7836000);
	assert_int_equal(map.segments.items[0].size, 1400832);
	assert_int_equal(map.segments.items[0].file_offset, 4096);
	assert_int_equal(map.segments.items[0].modes, 5);
	assert_int_equal(map.segments.items[0].loaded_ns, 500000000);
	assert_true(map.segments.items[0].unloaded_ns == UINT64_MAX);
	assert_string_equal(map.segments.items[0].identity.build_id, "");
	assert_false(map.segments.items[0].identity.has_file);
	assert_int_equal(map.damage.count, 0);
}

static void identities_are_read_where_they_are_written(void **state)
{
	parse("<event kind=\"map\" object=\"segment\" vaddr=\"4096\" size=\"1\" "
	      "modes=\"0x005\""
	      " name=\"/a\" buildid=\"00ff12\" fsize=\"77\" mtime=\"1700000000.25\"/>");
	assert_string_equal(map.segments.items[0].identity.build_id, "00ff12");
	assert_true(map.segments.items[0].identity.has_file);
	assert_int_equal(map.segments.items[0].identity.size, 77);
	assert_int_equal(map.segments.items[0].identity.mtime_ns, 1700000000250000000);
	assert_int_equal(map.segments.items[0].file_offset, 0);
	assert_int_equal(map.damage.count, 0);
}

static void file_offsets_have_several_forms(void **state)
{
	static const struct {
		const char *text;
		uint64_t offset;
	} cases[] = {
		{ "+0x00026000", 0x26000 },
		{ "0x10", 16 },
		{ "4096", 4096 },
		{ "1f", 31 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char text[200];

		snprintf(text, sizeof(text),
			 "<event kind=\"map\" object=\"segment\" vaddr=\"1\" size=\"1\""
			 " foffset=\"%s\" modes=\"0x005\" name=\"/a\"/>",
			 cases[i].text);
		parse(text);
		assert_int_equal(map.segments.items[0].file_offset, cases[i].offset);
		map_release(&map);
	}
}

static void an_unmap_ends_a_segment(void **state)
{
	parse(SEGMENT("0.0", "0x1000", "4096", "/a")
		      SEGMENT("0.0", "0x2000", "4096", "/b") UNMAP("1.5", "0x1000")
			      SEGMENT("2.0", "0x1000", "8192", "/c"));
	assert_int_equal(map.segments.count, 3);
	assert_int_equal(map.segments.items[0].unloaded_ns, 1500000000);
	assert_int_equal(map.segments.items[1].unloaded_ns, 2000000000);
	assert_true(map.segments.items[2].unloaded_ns == UINT64_MAX);
	assert_int_equal(map.damage.count, 0);
}

static void an_unmap_of_nothing_does_nothing(void **state)
{
	parse(SEGMENT("0.0", "0x1000", "4096", "/a") UNMAP("1.0", "0x1800")
		      UNMAP("1.0", "0x9000"));
	assert_true(map.segments.items[0].unloaded_ns == UINT64_MAX);
	assert_int_equal(map.damage.count, 0);
}

static void the_same_again_is_ignored(void **state)
{
	parse(SEGMENT("0.0", "0x1000", "4096", "/a")
		      SEGMENT("1.0", "0x1000", "4096", "/a"));
	assert_int_equal(map.segments.count, 1);
	assert_int_equal(map.segments.items[0].loaded_ns, 0);
}

static void what_is_mapped_over_ends(void **state)
{
	parse(SEGMENT("0.0", "0x1000", "4096", "/a")
		      SEGMENT("0.0", "0x2000", "4096", "/b")
			      SEGMENT("0.0", "0x3000", "4096", "/c")
				      SEGMENT("0.0", "0x4000", "4096", "/d")
					      SEGMENT("1.0", "0x2800", "4096", "/e"));
	assert_int_equal(map.segments.count, 5);
	assert_true(map.segments.items[0].unloaded_ns == UINT64_MAX);
	assert_int_equal(map.segments.items[1].unloaded_ns, 1000000000);
	assert_int_equal(map.segments.items[2].unloaded_ns, 1000000000);
	assert_true(map.segments.items[3].unloaded_ns == UINT64_MAX);
	assert_int_equal(map.damage.count, 0);
}

static void functions_have_parts_aliases_and_sources(void **state)
{
	parse("<event kind=\"map\" object=\"dynfunc\" name=\"[vdso]\" vaddr=\"0x1010\" "
	      "size=\"16\""
	      " funcname=\"__vdso_time\"/>\n"
	      "<event kind=\"map\" object=\"function\" tstamp=\"0.25\" vaddr=\"0x1000\""
	      " size=\"4096\" name=\"[vdso]\" alias=\"other\" srcfile=\"/a.c\"/>\n" UNMAP(
		      "1.0", "0x1000"));
	assert_int_equal(map.functions.count, 2);
	assert_true(map.functions.items[0].is_part);
	assert_string_equal(map.functions.items[0].name, "__vdso_time");
	assert_int_equal(map.functions.items[0].loaded_ns, 250000000);
	assert_int_equal(map.functions.items[0].unloaded_ns, 1000000000);
	assert_null(map.functions.items[0].alias);
	assert_false(map.functions.items[1].is_part);
	assert_string_equal(map.functions.items[1].alias, "other");
	assert_string_equal(map.functions.items[1].source, "/a.c");
	assert_int_equal(map.functions.items[1].unloaded_ns, 1000000000);
	assert_int_equal(map.damage.count, 0);
}

static void two_functions_may_follow_each_other_at_one_address(void **state)
{
	parse(FUNCTION("0.0", "0x1000", "64", "first")
		      FUNCTION("1.0", "0x1000", "64", "second"));
	assert_int_equal(map.functions.count, 2);
	assert_int_equal(map.functions.items[0].unloaded_ns, 1000000000);
	assert_true(map.functions.items[1].unloaded_ns == UINT64_MAX);
}

static void what_cannot_be_is_damage_at_its_line(void **state)
{
	expect_damage("\n" SEGMENT("0.0", "0x1000", "0", "/a"),
		      "map.xml:2: invalid size: '0'");
	expect_damage(SEGMENT("0.0", "0xFFFFFFFFFFFFF000", "8192", "/a"),
		      "map.xml:1: invalid size: '8192'");
	expect_damage(SEGMENT("0.0", "elsewhere", "1", "/a"),
		      "map.xml:1: 'vaddr' is not a number: 'elsewhere'");
	expect_damage(SEGMENT("0.0", "0x1000", "-1", "/a"),
		      "map.xml:1: 'size' is not a number: '-1'");
	expect_damage(SEGMENT("0.0", "0x1000", "1", ""),
		      "map.xml:1: attribute missing: 'name'");
	expect_damage(SEGMENT("soon", "0x1000", "1", "/a"),
		      "map.xml:1: 'tstamp' is not a time: 'soon'");
	expect_damage(
		"<event kind=\"map\" object=\"function\" vaddr=\"0x1000\" name=\"f\"/>",
		"map.xml:1: attribute missing: 'size'");
	expect_damage("<event kind=\"map\" object=\"tree\"/>",
		      "map.xml:1: mapping of an unknown object: 'tree'");
	expect_damage("<event/>", "map.xml:1: unknown kind of event: ''");
	expect_damage("<evnt/>", "map.xml:1: unknown element: 'evnt'");
	expect_damage("<event kind=\"map\" obj", "map.xml:1: tag truncated");
}

static void damage_beyond_a_hundred_is_counted(void **state)
{
	char text[150 * 8 + 1] = "";

	for (int i = 0; i < 150; i++)
		strcat(text, "<evnt/>\n");
	parse(text);
	assert_int_equal(damage_count(&map.damage), 101);
	assert_string_equal(damage_text(&map.damage, 99),
			    "map.xml:100: unknown element: 'evnt'");
	assert_string_equal(damage_text(&map.damage, 100), "and 50 more places");
}

static void a_strange_identity_is_damage_and_not_believed(void **state)
{
	parse("<event kind=\"map\" object=\"segment\" vaddr=\"4096\" size=\"1\" "
	      "modes=\"0x005\""
	      " name=\"/a\" buildid=\"../../x\" fsize=\"77\" mtime=\"yesterday\"/>");
	assert_int_equal(map.segments.count, 1);
	assert_string_equal(map.segments.items[0].identity.build_id, "");
	assert_false(map.segments.items[0].identity.has_file);
	assert_int_equal(map.damage.count, 2);
}

static void a_missing_or_empty_map_is_damage(void **state)
{
	int dir;

	make_directory("map.er");
	dir = open("map.er", O_RDONLY | O_DIRECTORY);
	map = (struct expt_map){ 0 };
	assert_int_equal(map_read(&map, &(struct folder){ .dir = dir }, NULL), 0);
	assert_string_equal(map.damage.items[0], "map.xml: No such file or directory");
	map_release(&map);
	write_text("map.er/map.xml", "");
	assert_int_equal(map_read(&map, &(struct folder){ .dir = dir }, NULL), 0);
	assert_string_equal(map.damage.items[0], "map.xml: the file is empty");
	map_release(&map);
	unlink("map.er/map.xml");
	assert_int_equal(mkfifo("map.er/map.xml", 0644), 0);
	assert_int_equal(map_read(&map, &(struct folder){ .dir = dir }, NULL), 0);
	assert_string_equal(map.damage.items[0], "map.xml: not a regular file");
	close(dir);
}

/* Lives never share a place and a time, whatever was mapped in whatever order. */
static void lives_never_overlap(void **state)
{
	enum { COUNT = 300 };
	char text[COUNT * 200] = "";
	size_t length = 0;

	srandom(7);
	for (int i = 0; i < COUNT; i++)
		length += (size_t)snprintf(
			text + length, sizeof(text) - length,
			"<event kind=\"map\" object=\"segment\" tstamp=\"%d.0\" "
			"vaddr=\"%ld\""
			" size=\"%ld\" modes=\"0x005\" name=\"/%ld\"/>",
			i, random() % 1000, 1 + random() % 100, random() % 3);
	parse(text);
	for (size_t i = 0; i < map.segments.count; i++)
		for (size_t j = i + 1; j < map.segments.count; j++) {
			const struct expt_segment *a = &map.segments.items[i];
			const struct expt_segment *b = &map.segments.items[j];

			if (a->address < b->address + b->size &&
			    b->address < a->address + a->size)
				assert_true(a->unloaded_ns <= b->loaded_ns);
		}
}

#define test(name) cmocka_unit_test_teardown(name, release)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(a_segment_has_what_was_mapped),
		test(identities_are_read_where_they_are_written),
		test(file_offsets_have_several_forms),
		test(an_unmap_ends_a_segment),
		test(an_unmap_of_nothing_does_nothing),
		test(the_same_again_is_ignored),
		test(what_is_mapped_over_ends),
		test(functions_have_parts_aliases_and_sources),
		test(two_functions_may_follow_each_other_at_one_address),
		test(what_cannot_be_is_damage_at_its_line),
		test(damage_beyond_a_hundred_is_counted),
		test(a_strange_identity_is_damage_and_not_believed),
		test(a_missing_or_empty_map_is_damage),
		test(lives_never_overlap),
	};

	return cmocka_run_group_tests_name("map", tests, NULL, NULL);
}
