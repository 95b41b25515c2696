/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/libexpt/objects/mapped.h"

/* ---- from addresses to rows ---- */

static void an_address_is_looked_up_by_its_image_offset(void **state)
{
	struct expt_place place;
	uint64_t text;
	const char *path = make_object("object", &text);

	add_segment(BASE, 8192, path);
	open_experiment();
	expt_place(expt, BASE + text + 37, 0, &place);
	assert_string_equal(expt_function_name(place.function, EXPT_NAME_LONG),
			    "a::two(int)");
	assert_string_equal(expt_function_name(place.function, EXPT_NAME_SHORT),
			    "a::two");
	assert_string_equal(expt_function_name(place.function, EXPT_NAME_MANGLED),
			    "_ZN1a3twoEi");
	assert_int_equal(place.offset, 5);
	assert_false(place.is_plt);
	assert_int_equal(expt_function_offset(place.function), text + 32);
	assert_int_equal(expt_function_size(place.function), 16);
	assert_string_equal(expt_object_name(expt_function_object(place.function)),
			    "<object>");
	assert_string_equal(expt_object_path(expt_function_object(place.function)), path);
	assert_null(expt_function_aliases(place.function));
	assert_string_equal(name_at(BASE + text + 15), "one");
}

static void a_row_is_the_same_wherever_its_file_is_mapped(void **state)
{
	uint64_t text;
	const char *path = make_object("object", &text);

	add_segment(BASE, 8192, path);
	add_segment_as(BASE + 0x100000, 4096, 0, 5, "0.0", path, "");
	open_experiment();
	assert_ptr_equal(at(BASE + text), at(BASE + 0x100000 + text + 8));
	assert_ptr_equal(at(BASE + text + 20), at(BASE + 0x100000 + text + 31));
	assert_int_equal(expt_object_count(expt), 2);
}

static void a_row_is_the_same_in_all_descendants(void **state)
{
	const struct expt_function *one, *part;
	struct expt *descendant = NULL;
	struct expt_place place;
	uint64_t text;
	const char *path = make_object("object", &text);

	add_segment(BASE + 4096, 8192, path);
	add_part(0x7000, 16, "[vdso]", "__vdso_time");
	add_function(0x7000, 4096, "0.1", "[vdso]");
	make_directory("test.1.er");
	write_experiment("test.1.er/_x1.er");
	add_segment(BASE, 8192, path);
	add_part(0x9000, 16, "[vdso]", "__vdso_time");
	add_function(0x9000, 4096, "0.1", "[vdso]");
	open_experiment();
	one = at(BASE + text);
	part = at(0x9003);
	assert_int_equal(expt_descendant_open(&descendant, expt, 0, NULL), 0);
	expt_place(descendant, BASE + 4096 + text, 0, &place);
	assert_ptr_equal(place.function, one);
	expt_place(descendant, 0x7003, 0, &place);
	assert_ptr_equal(place.function, part);
	assert_int_equal(place.offset, 3);
	assert_int_equal(expt_object_count(descendant), 3);
	expt_close(descendant);
}

static void nothing_mapped_is_unknown(void **state)
{
	struct expt_place place;
	uint64_t text;
	const char *path = make_object("object", &text);

	add_segment_as(BASE, 4096, 0, 1, "0.0", path, "");
	add_segment_as(BASE + 0x10000, 4096, 0, 7, "0.0", path, "");
	add_segment_as(BASE + 0x20000, 4096, 0, 4, "0.0", "/x", "");
	add_segment_as(BASE + 0x30000, 4096, 0, 0xd, "0.0", "/x", "");
	open_experiment();
	for (uint64_t i = 0; i < 5; i++) {
		expt_place(expt, BASE + i * 0x10000 + text, 0, &place);
		assert_string_equal(expt_function_name(place.function, EXPT_NAME_LONG),
				    "<Unknown>");
		assert_ptr_equal(place.function, at(UINT64_MAX - 4096));
	}
	assert_int_equal(expt_function_size(place.function), 0);
	assert_int_equal(expt_function_offset(place.function), 0);
	assert_ptr_equal(expt_function_object(place.function), expt_object(expt, 0));
	assert_null(expt_segment(expt, 0)->object);
}

static void a_known_file_may_be_mapped_in_any_way(void **state)
{
	uint64_t text;
	const char *path = make_object("object", &text);

	add_segment(BASE, 4096, path);
	add_segment_as(BASE + 0x10000, 4096, 0, 7, "0.0", path, "");
	open_experiment();
	assert_ptr_equal(at(BASE + text), at(BASE + 0x10000 + text));
	assert_ptr_equal(expt_segment(expt, 1)->object, expt_object(expt, 1));
}

static void objects_are_numbered_in_the_order_of_loading(void **state)
{
	add_segment(BASE, 4096, "/a/program");
	add_segment(BASE + 0x10000, 4096, "/a/lib.so");
	add_segment_as(BASE + 0x20000, 4096, 0, 5, "2.0", "/a/late.so", "");
	add_function(0x7000, 4096, "1.0", "[vdso]");
	open_experiment();
	assert_int_equal(expt_object_count(expt), 5);
	assert_string_equal(expt_object_name(expt_object(expt, 0)), "<Unknown>");
	assert_string_equal(expt_object_name(expt_object(expt, 1)), "<program>");
	assert_string_equal(expt_object_name(expt_object(expt, 2)), "<lib.so>");
	assert_string_equal(expt_object_name(expt_object(expt, 3)),
			    "<DYNAMIC_FUNCTIONS>");
	assert_string_equal(expt_object_path(expt_object(expt, 3)), "DYNAMIC_FUNCTIONS");
	assert_string_equal(expt_object_name(expt_object(expt, 4)), "<late.so>");
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(expt_object_index(expt_object(expt, i)), i);
}

/* ---- time ---- */

static void what_counts_is_what_is_unloaded_next(void **state)
{
	add_segment_as(BASE, 4096, 0, 5, "1.0", "/first", "");
	add_unmap("2.0", BASE);
	add_segment_as(BASE, 4096, 0, 5, "3.0", "/second", "");
	add_unmap("4.0", BASE);
	open_experiment();
#define OBJECT_AT(seconds) \
	expt_object_name(  \
		expt_function_object(at_time(BASE + 5, (uint64_t)((seconds)*1e9))))
	assert_string_equal(OBJECT_AT(0), "<first>"); /* sampled before its load was
						       * noticed */
	assert_string_equal(OBJECT_AT(1.5), "<first>");
	assert_string_equal(OBJECT_AT(2.0), "<second>");
	assert_string_equal(OBJECT_AT(3.5), "<second>");
	assert_string_equal(OBJECT_AT(4.0), "<Unknown>");
	assert_int_equal(expt_epoch(expt, 0), 0);
	assert_int_equal(expt_epoch(expt, 1999999999), 0);
	assert_int_equal(expt_epoch(expt, 2000000000), 1);
	assert_int_equal(expt_epoch(expt, 3500000000), 1);
	assert_int_equal(expt_epoch(expt, 4000000000), 2);
}

static void without_unloading_there_is_one_epoch(void **state)
{
	add_segment_as(BASE, 4096, 0, 5, "1.0", "/first", "");
	add_segment_as(BASE + 4096, 4096, 0, 5, "3.0", "/second", "");
	open_experiment();
	assert_int_equal(expt_epoch(expt, 0), 0);
	assert_int_equal(expt_epoch(expt, UINT64_MAX - 1), 0);
	assert_string_equal(OBJECT_AT(0), "<first>");
}

static void many_mappings_are_told_apart(void **state)
{
	char name[32];

	for (uint64_t i = 0; i < 200; i++) {
		snprintf(name, sizeof(name), "/lib%lu", i);
		add_segment(BASE + i * 0x3000, 0x2000, name);
	}
	open_experiment();
	for (uint64_t i = 0; i < 200; i++) {
		snprintf(name, sizeof(name), "<lib%lu>", i);
		assert_string_equal(expt_object_name(expt_function_object(
					    at(BASE + i * 0x3000 + 0x1fff))),
				    name);
		assert_string_equal(name_at(BASE + i * 0x3000 + 0x2000), "<Unknown>");
	}
}

static void the_address_space_has_an_end(void **state)
{
	add_segment(UINT64_C(0xffffffffffffe000), 4096, "/top");
	add_function(UINT64_C(0xffffffffffffd000), 4096, "0.0", "[x]");
	add_segment_as(BASE, 4096, UINT64_C(0xfffffffffffffffe), 5, "0.0", "/far", "");
	add_segment(BASE + 4096, 0, "/none");
	open_experiment();
	assert_string_equal(expt_object_name(expt_function_object(at(UINT64_MAX - 4096))),
			    "<top>");
	assert_string_equal(name_at(UINT64_C(0xffffffffffffdfff)), "[x]");
	assert_string_equal(name_at(BASE + 100), "<Unknown>");
	assert_string_equal(name_at(BASE + 4096), "<Unknown>");
}

/* ---- gaps and dynamic code ---- */

static void gaps_are_named_after_their_start(void **state)
{
	char expected[100];
	uint64_t text;
	const char *path = make_object("object", &text);

	add_segment(BASE, 8192, path);
	open_experiment();
	snprintf(expected, sizeof(expected), "<static>@0x%lx (<object>)", text + 16);
	assert_string_equal(name_at(BASE + text + 20), expected);
	assert_string_equal(expt_function_name(at(BASE + text + 20), EXPT_NAME_MANGLED),
			    expected);
	assert_int_equal(expt_function_size(at(BASE + text + 20)), 16);
	*strchr(expected, ' ') = '\0';
	assert_string_equal(expt_function_name(at(BASE + text + 20), EXPT_NAME_SHORT),
			    expected);
	assert_string_equal(name_at(BASE + 3), "<static>@0x0 (<object>)");
	snprintf(expected, sizeof(expected), "<static>@0x%lx (<object>)", text + 48);
	assert_string_equal(name_at(BASE + 8191), expected);
}

static void what_has_no_functions_is_one_row_that_says_so(void **state)
{
	static const char *const names[] = { "/missing/lib.so",
					     "/tmp/gone (deleted)",
					     "[vdso]",
					     "/memfd:code (deleted)",
					     "/",
					     "/proc/self/status",
					     "relative" };
	static const char *const shown[] = { "<lib.so>",  "<gone (deleted)>",
					     "<[vdso]>",  "<memfd:code (deleted)>",
					     "<>",	  "<status>",
					     "<relative>" };
	char expected[200];

	compile("relative", "cc -shared", "c", "int f(void) { return 1; }\n");
	for (uint64_t i = 0; i < 7; i++)
		add_segment_as(BASE + i * 0x10000, 0x2000, 0x1000, 5, "0.0", names[i],
			       "");
	open_experiment();
	for (uint64_t i = 0; i < 7; i++) {
		snprintf(expected, sizeof(expected),
			 "<static>@0x0 (%s) --  no functions found", shown[i]);
		assert_string_equal(name_at(BASE + i * 0x10000 + 0x1800), expected);
		assert_ptr_equal(at(BASE + i * 0x10000), at(BASE + i * 0x10000 + 0x1fff));
		assert_string_equal(expt_function_name(at(BASE + i * 0x10000),
						       EXPT_NAME_SHORT),
				    "<static>@0x0");
		assert_int_equal(expt_function_size(at(BASE + i * 0x10000)), 0x3000);
	}
}

static void a_stripped_object_is_one_row(void **state)
{
	uint64_t text;
	char path[4096];

	snprintf(path, sizeof(path), "%s", make_object("object", &text));
	compile("object", "cc -shared -nostdlib", "s", ".text\nx: .skip 4000\n");
	add_segment(BASE, 8192, path);
	open_experiment();
	assert_string_equal(name_at(BASE + text),
			    "<static>@0x0 (<object>) --  no functions found");
	assert_ptr_equal(at(BASE), at(BASE + 8000));
}

static void dynamic_functions_have_parts_and_gaps(void **state)
{
	add_part(0x7fff1010, 16, "[vdso]", "__vdso_time");
	add_part(0x7fff1100, 0x80, "[vdso]", "__vdso_getcpu");
	add_part(0x7fff1140, 0x10, "[vdso]", "inner");
	add_function(0x7fff1000, 4096, "0.0", "[vdso]");
	add_function(0x7fff4000, 4096, "0.0", "[vsyscall]");
	open_experiment();
	assert_string_equal(name_at(0x7fff1000), "<static>@0x7fff1000 ([vdso])");
	assert_string_equal(name_at(0x7fff1010), "__vdso_time");
	assert_string_equal(name_at(0x7fff101f), "__vdso_time");
	assert_string_equal(name_at(0x7fff1020), "<static>@0x7fff1020 ([vdso])");
	assert_string_equal(name_at(0x7fff113f), "__vdso_getcpu");
	assert_string_equal(name_at(0x7fff1140), "inner");
	assert_string_equal(name_at(0x7fff1fff), "<static>@0x7fff1150 ([vdso])");
	assert_string_equal(expt_function_name(at(0x7fff1fff), EXPT_NAME_SHORT),
			    "<static>@0x7fff1150");
	assert_string_equal(name_at(0x7fff4444), "[vsyscall]");
	assert_string_equal(name_at(0x7fff5000), "<Unknown>");
	assert_int_equal(expt_function_offset(at(0x7fff4444)), 0x7fff4000);
	assert_int_equal(expt_function_size(at(0x7fff1020)), 0xe0);
	assert_string_equal(expt_object_name(expt_function_object(at(0x7fff4444))),
			    "<DYNAMIC_FUNCTIONS>");
}

static void a_gap_is_the_same_row_after_it_was_named(void **state)
{
	const struct expt_function *gap;

	add_part(0x7fff1010, 16, "[vdso]", "__vdso_time");
	add_function(0x7fff1000, 4096, "0.0", "[vdso]");
	open_experiment();
	gap = at(0x7fff1800);
	assert_string_equal(expt_function_name(gap, EXPT_NAME_MANGLED),
			    "<static>@0x7fff1020 ([vdso])");
	assert_ptr_equal(at(0x7fff1800), gap);
	assert_ptr_equal(at(0x7fff1fff), gap);
}

static void dynamic_functions_at_one_address_are_told_by_time(void **state)
{
	add_function(0x7000, 64, "1.0", "first");
	add_unmap("2.0", 0x7000);
	add_function(0x7000, 64, "3.0", "second");
	open_experiment();
	assert_string_equal(
		expt_function_name(at_time(0x7004, 1500000000), EXPT_NAME_LONG), "first");
	assert_string_equal(expt_function_name(at_time(0x7004, 2500000000),
					       EXPT_NAME_LONG),
			    "second");
}

static void aliases_are_the_names_that_lost(void **state)
{
	const char *const *aliases;
	uint64_t text, size;
	struct elf *elf;
	char path[4096];

	snprintf(path, sizeof(path), "%s/object", here);
	compile("object", "cc -shared -nostdlib", "s",
		".text\n.globl f,_ZN1A1bEv,longer\n.type f,@function\n"
		".type _ZN1A1bEv,@function\n.type longer,@function\n"
		"f: _ZN1A1bEv: longer: .skip 16\n");
	elf = open_elf("object");
	assert_true(elf_section(elf, ".text", &text, &size));
	elf_close(elf);
	add_segment(BASE, 8192, path);
	add_text(
		"<event kind=\"map\" object=\"function\" tstamp=\"0.0\" vaddr=\"0x7000\" "
		"size=\"64\" name=\"method\" alias=\"its.other.name\" "
		"srcfile=\"/src/m.txt\"/>\n");
	open_experiment();
	assert_string_equal(name_at(BASE + text), "f");
	aliases = expt_function_aliases(at(BASE + text));
	assert_non_null(aliases);
	assert_string_equal(aliases[0], "A::b()");
	assert_string_equal(aliases[1], "longer");
	assert_null(aliases[2]);
	assert_string_equal(name_at(0x7000), "method");
	aliases = expt_function_aliases(at(0x7000));
	assert_non_null(aliases);
	assert_string_equal(aliases[0], "its.other.name");
	assert_null(aliases[1]);
	assert_string_equal(expt_function_source(at(0x7000)), "/src/m.txt");
	assert_null(expt_function_source(at(BASE + text)));
	assert_null(expt_function_aliases(at(0x10)));
}

static void a_missing_map_is_damage_and_nothing_more(void **state)
{
	write_experiment("test.1.er");
	assert_int_equal(unlink("test.1.er/map.xml"), 0);
	assert_int_equal(expt_open(&expt, "test.1.er", NULL), 0);
	assert_int_equal(expt_segment_count(expt), 0);
	assert_int_equal(expt_object_count(expt), 1);
	assert_string_equal(name_at(BASE), "<Unknown>");
	assert_int_equal(expt_damage_count(expt), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)
		TEST(an_address_is_looked_up_by_its_image_offset),
		TEST(a_row_is_the_same_wherever_its_file_is_mapped),
		TEST(a_row_is_the_same_in_all_descendants),
		TEST(nothing_mapped_is_unknown),
		TEST(a_known_file_may_be_mapped_in_any_way),
		TEST(objects_are_numbered_in_the_order_of_loading),
		TEST(what_counts_is_what_is_unloaded_next),
		TEST(without_unloading_there_is_one_epoch),
		TEST(many_mappings_are_told_apart),
		TEST(the_address_space_has_an_end),
		TEST(gaps_are_named_after_their_start),
		TEST(what_has_no_functions_is_one_row_that_says_so),
		TEST(a_stripped_object_is_one_row),
		TEST(dynamic_functions_have_parts_and_gaps),
		TEST(a_gap_is_the_same_row_after_it_was_named),
		TEST(dynamic_functions_at_one_address_are_told_by_time),
		TEST(aliases_are_the_names_that_lost),
		TEST(a_missing_map_is_damage_and_nothing_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
