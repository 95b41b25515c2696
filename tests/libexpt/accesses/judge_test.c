/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/libexpt/accesses/step/judge.h"

#include "tests/libexpt/test.h"

static struct truth_tables tables;
static struct tracee tracee = {
	.image_start = 0x1000,
	.image_end = 0x9000,
	.stack_end = 0x7000000,
	.registers = { .rsp = 0x6ffff00 },
};

static void add_object(uint64_t address, uint64_t size, const char *variable,
		       const char *type)
{
	struct truth_object *object = &tables.objects[tables.object_count++];

	*object = (struct truth_object){ .address = address, .size = size };
	strcpy(object->variable, variable);
	strcpy(object->type, type);
}

static struct truth_member *add_member(const char *owner, const char *name,
				       uint64_t offset, uint64_t size, const char *type)
{
	struct truth_member *member = &tables.members[tables.member_count++];

	*member = (struct truth_member){ .offset = offset, .size = size };
	strcpy(member->owner, owner);
	strcpy(member->name, name);
	strcpy(member->type, type);
	return member;
}

#define HEAP	 0x100000
#define TABLE	 0x2000
#define NUMBER	 0x3000
#define NUMBERS	 0x200000
#define SHAPE	 0x300000
#define STRING	 0x400000
#define FLAGS	 0x500000
#define FLEXIBLE 0x600000
#define LOCAL	 0x6ffff80

static void add_types(void)
{
	add_member("inner", "", 0, 8, "");
	add_member("inner", "x", 0, 4, "");
	add_member("inner", "y", 4, 4, "");
	add_member("outer|outer_t", "", 0, 32, "");
	add_member("outer|outer_t", "next", 0, 8, "");
	add_member("outer|outer_t", "b", 8, 16, "inner"); /* an array of two */
	add_member("outer|outer_t", "u", 24, 4, "");
	add_member("outer|outer_t", "f", 24, 4, "");
	add_member("Shape", "", 0, 16, "");
	add_member("Shape", "area", 8, 8, "");
	add_member("Circle", "", 0, 24, "");
	add_member("Circle", "-", 0, 16, "Shape");
	add_member("Circle", "radius", 16, 8, "");
	add_member("string", "", 0, 32, "");
	add_member("flags", "", 0, 4, "");
	add_member("flags", "one", 0, 1, "")->is_bits = 1;
	add_member("flags", "other", 1, 2, "")->is_bits = 1;
	add_member("bag", "", 0, 8, "");
	add_member("bag", "count", 0, 8, "");
	add_member("bag", "items", 8, 0, "inner");
}

static int start(void **state)
{
	memset(&tables, 0, sizeof(tables));
	tables.is_complete = 1;
	add_types();
	add_object(HEAP, 64, "", "outer|outer_t");
	add_object(TABLE, 320, "g_table", "outer|outer_t");
	add_object(NUMBER, 4, "g_number", "int");
	add_object(NUMBERS, 80, "", "double");
	add_object(SHAPE, 24, "", "Circle");
	add_object(STRING, 32, "", "string");
	add_object(FLAGS, 4, "", "flags");
	add_object(FLEXIBLE, 28, "", "bag");
	add_object(LOCAL, 8, "local", "inner");
	return 0;
}

static enum verdict judge_wide(uint64_t address, size_t size, const char *answer)
{
	const struct truth_object *object = truth_find(&tables, address);
	struct truth_chains chains;

	if (!object)
		return judge_elsewhere(&tables, &tracee,
				       tracee_is_stack(&tracee, address), answer);
	truth_chains(&chains, &tables, object, address, size);
	return judge(&chains, answer);
}

static enum verdict judge_at(uint64_t address, const char *answer)
{
	return judge_wide(address, 4, answer);
}

#define assert_right(...) assert_int_equal(judge_at(__VA_ARGS__), VERDICT_RIGHT)
#define assert_type(...)  assert_int_equal(judge_at(__VA_ARGS__), VERDICT_TYPE)
#define assert_open(...)  assert_int_equal(judge_at(__VA_ARGS__), VERDICT_OPEN)
#define assert_wrong(...) assert_int_equal(judge_at(__VA_ARGS__), VERDICT_WRONG)

static void members_are_compared(void **state)
{
	assert_right(HEAP, "{structure:outer_t}.{pointer+structure:outer next}");
	assert_right(HEAP + 32, "{structure:outer}.{pointer+structure:outer next}");
	assert_wrong(HEAP + 4, "{structure:outer_t}.{structure:inner b}.{int x}");
	assert_wrong(HEAP, "{structure:other}.{pointer+structure:outer next}");
	assert_wrong(HEAP, "{structure:outer}.{pointer+structure:outer last}");
	assert_wrong(HEAP, "{structure:outer next}");
	assert_type(HEAP, "{structure:outer_t}");
}

static void nested_structures_may_begin_anywhere(void **state)
{
	assert_right(HEAP + 12, "{structure:outer}.{structure:inner b}.{int y}");
	assert_right(HEAP + 20,
		     "{structure:outer}.{array+structure:inner b}.{structure:inner -}."
		     "{int y}");
	assert_right(HEAP + 12, "{structure:inner}.{int y}");
	assert_right(HEAP + 12, "{structure:inner b}.{int y}");
	assert_type(HEAP + 12, "{structure:outer}.{structure:inner b}");
	assert_wrong(HEAP + 12, "{structure:inner}.{int x}");
	assert_wrong(HEAP + 12, "{structure:outer}.{int y}");
	assert_wrong(HEAP + 12, "{structure:inner a}.{int y}");
}

static void variables_have_names(void **state)
{
	assert_right(TABLE + 44, "{array+structure:outer g_table}.{structure:outer -}."
				 "{array+structure:inner b}.{structure:inner -}.{int y}");
	assert_right(TABLE, "{structure:outer g_table}.{pointer+structure:outer next}");
	assert_right(TABLE, "{structure:outer}.{pointer+structure:outer next}");
	assert_wrong(TABLE, "{structure:outer table}.{pointer+structure:outer next}");
	assert_right(NUMBER, "{int g_number}");
	assert_right(NUMBER, "{volatile+int name::g_number}");
	assert_type(NUMBER, "{int -}");
	assert_wrong(NUMBER, "{double g_number}");
	assert_wrong(NUMBER, "{int number}");
	assert_right(LOCAL + 4, "{structure:inner local}.{int y}");
}

static void scalars_have_types(void **state)
{
	assert_right(NUMBERS + 8, "{double -}");
	assert_right(NUMBERS + 8, "{array+const+double -}.{double -}");
	assert_type(NUMBERS + 8, "{unsigned_char -}");
	assert_wrong(NUMBERS + 8, "{long_int -}");
	assert_wrong(NUMBERS + 8, "{pointer+double -}");
	assert_wrong(NUMBERS + 8, "{double numbers}");
	assert_type(HEAP, "{pointer+structure:outer -}");
	assert_type(HEAP + 8, "{int -}");
	assert_wrong(HEAP + 24, "{double -}");
}

static void unions_and_bit_fields_have_choices(void **state)
{
	assert_right(HEAP + 24, "{structure:outer}.{float f}");
	assert_right(HEAP + 24, "{structure:outer}.{unsigned_int u}");
	assert_right(FLAGS, "{structure:flags}.{unsigned_int one}");
	assert_right(FLAGS, "{structure:flags}.{unsigned_int other}");
	assert_int_equal(judge_wide(FLAGS, 1, "{structure:flags}.{unsigned_int other}"),
			 VERDICT_WRONG);
}

static void base_classes_may_be_left_out(void **state)
{
	assert_right(SHAPE + 8, "{class:Circle}.{double area}");
	assert_right(SHAPE + 8, "{class:Circle}.{class:Shape -}.{double area}");
	assert_right(SHAPE + 8, "{class:geometry::Shape}.{double area}");
	assert_right(SHAPE + 16, "{class:Circle<int,_std::less<int>_>}.{double radius}");
	assert_wrong(SHAPE + 16, "{class:Shape}.{double radius}");
	assert_open(SHAPE, "{pointer -}"); /* nothing is known to be there */
}

static void types_may_be_open(void **state)
{
	assert_type(STRING, "{class:string}");
	assert_type(STRING, "{class:std::string}.{class:Hider hider}.{pointer+char p}");
	assert_open(STRING, "{class:Hider}.{pointer+char p}");
	assert_wrong(STRING, "{int i}");
	assert_right(FLEXIBLE + 20, "{structure:bag}.{structure:inner items}.{int y}");
	assert_wrong(FLEXIBLE + 20, "{structure:bag}.{structure:inner items}.{int x}");
}

static void there_is_nothing_elsewhere(void **state)
{
	assert_open(0x8000, "{int -}");
	assert_wrong(0x8000, "{int g_number}");
	assert_wrong(0x8000, "{structure:outer}.{pointer+structure:outer next}");
	assert_open(LOCAL - 16, "{structure:outer}.{pointer+structure:outer next}");
	assert_open(LOCAL - 16, "{int i}");
	assert_wrong(LOCAL - 16, "{structure:inner local}.{int x}");
	assert_open(LOCAL - 16, "{pointer+structure:inner local}");
}

static void answers_that_are_no_descriptors_are_wrong(void **state)
{
	assert_wrong(HEAP, "");
	assert_wrong(HEAP, "outer");
	assert_wrong(HEAP, "{structure:outer");
	assert_wrong(HEAP, "{}");
	assert_wrong(NUMBER, "{int}");
	assert_wrong(NUMBER, "{unsigned int g_number}");
}

#define test(name) cmocka_unit_test_setup(name, start)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(members_are_compared),
		test(nested_structures_may_begin_anywhere),
		test(variables_have_names),
		test(scalars_have_types),
		test(unions_and_bit_fields_have_choices),
		test(base_classes_may_be_left_out),
		test(types_may_be_open),
		test(there_is_nothing_elsewhere),
		test(answers_that_are_no_descriptors_are_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
