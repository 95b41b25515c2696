/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rules of expressions. Those of gprofng 2.40 were found with gp-display-text
 *-filters and -functions on an experiment whose events have the durations 1, 2, 4 ...
 *ticks, so that a total shows which events were kept:
 *
 *	words, IN, SOME IN, ORDERED IN	in capitals or not			same
 *	numbers			decimal, octal after 0, 0x; 0X refused;
 *				longer ones wrap around				refused
 *	values			64 bits without a sign: -1 > 0, -1 >> 63 is 1	same
 *	division by 0		0, for % as well				same
 *	shift by 64 or more	by the last 6 bits				same
 *	precedence		one level for || &&, one for | ^ &, one for
 *				+ - * / % << >>, each from left to right	as in C
 *	comparisons		do not chain: 1 == 1 == 1 is refused		as in C
 *	IN			binds loosest, but for the commas' lists:
 *				A IN B && C is A IN (B && C)			like <
 *	1, 2 IN 2, 3		needs no parentheses				same
 *	a list as a number	its last element				same
 *	IN			all of the left are in the right		same
 *	ORDERED IN		next to each other in this order, a stack's
 *				from the root to the leaf			same
 *	() an empty list	refused						same
 *	FNAME("re")		whole names, with their case			same
 *	  that match nothing	IN, SOME IN are false				same
 *	  not a regex		matches nothing					refused
 *	  as a number		the last function that matches			== != only
 *	  in ORDERED IN		all functions that match, in their own order	any of
 *them in a longer list	matches nothing					works a stack as a
 *number	the leaf					refused unary +
 *refused						as in C no such property
 *unknown: passes through operators, && 0 and
 *				|| 1 apart; the filter keeps the event		same
 *	the empty text		keeps all					same
 */
#include "tests/libexpt/expression/facts.h"

/* THRID 3, CPUID 1, TSTAMP 30 ms; no VADDR. The stack: _start main alpha beta gamma. */
static struct event event = {
	.values = { [EXPRESSION_THRID] = 3,
		    [EXPRESSION_CPUID] = 1,
		    [EXPRESSION_TSTAMP] = 30000000,
		    [EXPRESSION_HSIZE] = -1,
		    [EXPRESSION_LEAF] = GAMMA },
	.is_known = { [EXPRESSION_THRID] = true,
		      [EXPRESSION_CPUID] = true,
		      [EXPRESSION_TSTAMP] = true,
		      [EXPRESSION_HSIZE] = true,
		      [EXPRESSION_LEAF] = true },
	.stack = { GAMMA, BETA, ALPHA, MAIN, START },
	.has_stack = true,
};

struct example {
	const char *text;
	int64_t value;
};

#define UNKNOWN INT64_MIN

static void assert_examples(const struct example *example, size_t count)
{
	for (; count-- > 0; example++) {
		cleanup(expression_freep) struct expression *expression =
			parse(example->text);
		struct expression_facts facts = event_facts(&event, expression);
		bool is_known = example->value != UNKNOWN;
		int64_t value;

		if (expression_evaluate(expression, &facts, &value) != is_known)
			fail_msg("%s is %sknown", example->text, is_known ? "un" : "");
		if (is_known && value != example->value)
			fail_msg("%s is %lld", example->text, (long long)value);
		assert_int_equal(expression_keeps(expression, &facts),
				 !is_known || example->value);
	}
}

#define ASSERT_EXAMPLES(...)                                                     \
	do {                                                                     \
		static const struct example examples[] = { __VA_ARGS__ };        \
		assert_examples(examples, sizeof(examples) / sizeof(*examples)); \
	} while (0)

static void numbers_have_three_bases(void **state)
{
	ASSERT_EXAMPLES({ "10", 10 }, { "010", 8 }, { "0x10", 16 }, { "0XfF", 255 },
			{ "0", 0 }, { "18446744073709551615", -1 },
			{ "0xFFFFFFFFFFFFFFFF", -1 });
}

static void operators_have_the_precedence_of_c(void **state)
{
	ASSERT_EXAMPLES({ "1+2*3", 7 }, { "2*3+1", 7 }, { "1-2-3", -4 }, { "10-2*3", 4 },
			{ "8/4/2", 1 }, { "7%4*2", 6 }, { "1<<2+1", 8 }, { "1<<1<<1", 4 },
			{ "1|2&4", 1 }, { "4&2|1", 1 }, { "1|1^1", 1 }, { "3&1==1", 1 },
			{ "2&2==2", 0 }, { "1||1&&0", 1 }, { "0&&1||1", 1 },
			{ "1?0:1?0:1", 0 }, { "0?1:0?2:3", 3 }, { "1?1?5:6:7", 5 },
			{ "0==0?1:2", 1 }, { "3>2>1", 0 }, { "1==1==1", 1 },
			{ "1<2!=0", 1 }, { "(1+2)*3", 9 });
}

static void unary_operators_bind_tightest(void **state)
{
	ASSERT_EXAMPLES({ "!0==1", 1 }, { "!1+1", 1 }, { "~1&1", 0 }, { "-1", -1 },
			{ "- 1 == -1", 1 }, { "!!7", 1 }, { "~-1", 0 }, { "-~0", 1 },
			{ "!THRID==1", 0 }, { "!(THRID==1)", 1 }, { "+7", 7 },
			{ "2 - -3", 5 }, { "2--3", 5 });
}

static void values_have_no_sign(void **state)
{
	ASSERT_EXAMPLES({ "-1<0", 0 }, { "-1>0", 1 }, { "THRID>-1", 0 },
			{ "HSIZE>255", 1 }, { "-1>>63", 1 }, { "-4/2==-2", 0 },
			{ "(0-7)%3", 0 }, { "(1<<63)/-1", 0 }, { "(1<<63)<0", 0 },
			{ "9223372036854775807+2>>62", 2 });
}

static void no_operation_traps(void **state)
{
	ASSERT_EXAMPLES({ "1/0", 0 }, { "1%0", 0 }, { "THRID/0", 0 }, { "THRID%0", 0 },
			{ "1<<64", 1 }, { "1<<65", 2 }, { "1<<200", 256 },
			{ "(1<<(0-1))==(1<<63)", 1 }, { "THRID<<64", 3 },
			{ "THRID>>65", 1 }, { "1/0||THRID==3", 1 });
}

static void words_are_properties(void **state)
{
	ASSERT_EXAMPLES({ "THRID", 3 }, { "thrid", 3 }, { "ThrId==3", 1 },
			{ "THRID==3&&CPUID==1", 1 }, { "THRID==2||CPUID==0", 0 },
			{ "TSTAMP>10000000", 1 }, { "THRID==1?CPUID==0:CPUID==1", 1 },
			{ " THRID\t==\n3 ", 1 }, { "TSTAMP/1000000", 30 });
}

static void a_missing_property_is_unknown(void **state)
{
	ASSERT_EXAMPLES({ "VADDR", UNKNOWN }, { "VADDR==0", UNKNOWN },
			{ "!VADDR", UNKNOWN }, { "VADDR-VADDR", UNKNOWN },
			{ "VADDR?1:0", UNKNOWN }, { "1?2:VADDR", 2 }, { "0?VADDR:0", 0 },
			{ "VADDR IN 5", UNKNOWN }, { "0 IN VADDR", UNKNOWN });
}

static void a_list_with_an_unknown_element_is_unknown(void **state)
{
	ASSERT_EXAMPLES({ "VADDR SOME IN 1,2", UNKNOWN },
			{ "1 SOME IN VADDR,1", UNKNOWN }, { "(2,VADDR) IN 1", UNKNOWN },
			{ "(VADDR,1) SOME IN 1", UNKNOWN },
			{ "(1,VADDR) ORDERED IN (1,2)", UNKNOWN },
			{ "(3,VADDR) ORDERED IN (1,2)", UNKNOWN },
			{ "3 ORDERED IN (3,VADDR)", UNKNOWN },
			{ "VADDR IN USTACK", UNKNOWN }, { "VADDR IN 5", UNKNOWN },
			{ "5 IN VADDR", UNKNOWN }, { "VADDR IN 5,6", UNKNOWN });
}

static void a_deciding_operand_overrides_unknown_ones(void **state)
{
	ASSERT_EXAMPLES({ "VADDR&&0", 0 }, { "0&&VADDR", 0 }, { "VADDR&&THRID==1", 0 },
			{ "THRID==1&&VADDR", 0 }, { "VADDR&&THRID==3", UNKNOWN },
			{ "VADDR||THRID==3", 1 }, { "THRID==3||VADDR", 1 },
			{ "VADDR||THRID==1", UNKNOWN }, { "VADDR||0", UNKNOWN });
}

static void lists_are_compared_by_in(void **state)
{
	ASSERT_EXAMPLES({ "THRID IN (1,3)", 1 }, { "THRID IN 1,3", 1 },
			{ "THRID IN (1,2)", 0 }, { "THRID IN 3", 1 },
			{ "(1,2) IN (2,1)", 1 }, { "(1,2) IN (1,2,3)", 1 },
			{ "(1,4) IN (1,2,3)", 0 }, { "(1,1) IN 1", 1 },
			{ "(1,4) SOME IN (1,2,3)", 1 }, { "4 some in (1,2)", 0 },
			{ "(THRID,CPUID) IN (1,0)", 0 }, { "(THRID,CPUID) IN (1,3)", 1 },
			{ "THRID IN (CPUID,7)", 0 }, { "3 IN (THRID,7)", 1 },
			{ "1,2 IN 2,1", 1 }, { "1,4 SOME  IN 4,7", 1 },
			{ "(THRID,9) SOME IN (5,4,3)", 1 },
			{ "(1,2) SOME IN (CPUID,THRID)", 1 });
}

static void ordered_lists_are_adjacent(void **state)
{
	ASSERT_EXAMPLES({ "(1,2) ORDERED IN (1,2,3)", 1 },
			{ "(2,3) ordered in (1,2,3)", 1 },
			{ "(1,3) ORDERED IN (1,2,3)", 0 },
			{ "(3,2) ORDERED IN (1,2,3)", 0 },
			{ "(1,1,2) ORDERED IN (1,1,1,2)", 1 },
			{ "(1,2) ORDERED IN 1", 0 }, { "2 ORDERED IN (1,2,3)", 1 },
			{ "(CPUID,2,THRID) ORDERED IN (1,2,3)", 1 });
}

static void in_binds_like_a_comparison(void **state)
{
	ASSERT_EXAMPLES({ "1 IN (1,2) && 0", 0 }, { "1 IN 1,2 && 0", 0 },
			{ "1 IN 2 == 0", 1 }, { "1+1 IN 2", 1 }, { "!1 IN 2", 0 },
			{ "!(1 IN 2)", 1 }, { "THRID IN 3 && CPUID IN 1", 1 },
			{ "0 || THRID IN 4,3 || 0", 1 }, { "1 IN 1,2 ? 7 : 8", 7 },
			{ "1 IN 1|1", 1 }, { "1 IN 1+1,2", 0 });
}

static void a_list_has_the_value_of_its_last_element(void **state)
{
	ASSERT_EXAMPLES({ "1,2", 2 }, { "(1,0)", 0 }, { "(1,2)+1", 3 },
			{ "(2,1)+(1,2)", 3 }, { "(1,(2,3)) IN (1,3)", 1 },
			{ "(1,2)?5:6", 5 });
}

static void names_are_found_in_stacks(void **state)
{
	ASSERT_EXAMPLES({ "FNAME(\"alpha\") IN USTACK", 1 },
			{ "FNAME(\"delta\") SOME IN USTACK", 0 },
			{ "fname ( \"al.*\" ) some in ustack", 1 },
			{ "FNAME(\"alph\") SOME IN USTACK", 0 },
			{ "FNAME(\"ALPHA\") SOME IN USTACK", 0 },
			{ "FNAME(\"alpha|beta\") IN USTACK", 1 },
			{ "FNAME(\"alpha|delta\") IN USTACK", 0 },
			{ "FNAME(\"alpha|delta\") SOME IN USTACK", 1 },
			{ "FNAME(\"nothing\") IN USTACK", 0 },
			{ "FNAME(\"nothing\") SOME IN USTACK", 0 },
			{ "USTACK SOME IN FNAME(\"alpha\")", 1 },
			{ "USTACK IN FNAME(\"alpha\")", 0 },
			{ "USTACK IN FNAME(\".*\")", 1 },
			{ "(FNAME(\"beta\"),FNAME(\"delta\")) SOME IN USTACK", 1 },
			{ "(FNAME(\"beta\"),FNAME(\"delta\")) IN USTACK", 0 },
			{ "FNAME(\"beta\"),FNAME(\"main\") IN USTACK", 1 },
			{ "FNAME(\"alpha\") IN USTACK && FNAME(\"beta\") IN USTACK", 1 });
}

static void names_inside_of_an_element_do_not_make_it_a_set(void **state)
{
	ASSERT_EXAMPLES(
		{ "(FNAME(\"alpha\") IN USTACK) IN ((FNAME(\"beta\") IN USTACK), 7)", 1 },
		{ "(FNAME(\"alpha\") IN LEAF) SOME IN (FNAME(\"beta\"), 7)", 0 },
		{ "((FNAME(\"alpha\") IN LEAF), 4) SOME IN FNAME(\"beta\")", 1 });
}

static void names_are_compared_with_a_leaf(void **state)
{
	ASSERT_EXAMPLES({ "LEAF IN FNAME(\"gamma\")", 1 },
			{ "FNAME(\"gamma\") IN LEAF", 1 },
			{ "LEAF==FNAME(\"gamma|delta\")", 1 },
			{ "FNAME(\"alpha\")==LEAF", 0 }, { "LEAF!=FNAME(\"alpha\")", 1 },
			{ "LEAF!=FNAME(\"gamma\")", 0 },
			{ "FNAME(\"gamma|alpha\") IN LEAF", 0 },
			{ "FNAME(\"gamma|alpha\") SOME IN LEAF", 1 });
}

static void fragments_of_stacks_begin_at_the_root(void **state)
{
	ASSERT_EXAMPLES({ "(3,4) ORDERED IN USTACK", 1 },
			{ "(4,3) ORDERED IN USTACK", 0 },
			{ "(FNAME(\"alpha\"),FNAME(\"beta\")) ORDERED IN USTACK", 1 },
			{ "(FNAME(\"beta\"),FNAME(\"alpha\")) ORDERED IN USTACK", 0 },
			{ "(FNAME(\"alpha\"),FNAME(\"gamma\")) ORDERED IN USTACK", 0 },
			{ "(FNAME(\"main\"),FNAME(\".*a\"),4) ORDERED IN USTACK", 1 },
			{ "FNAME(\"beta|alpha\") ORDERED IN USTACK", 1 },
			{ "USTACK ORDERED IN USTACK", 1 },
			{ "USTACK ORDERED IN (0,1,2,3,4,5,6)", 1 },
			{ "USTACK ORDERED IN (5,4,3,2,1)", 0 },
			{ "USTACK ORDERED IN (1,FNAME(\"m.*\"),3,4,5)", 1 });
}

static void stacks_are_lists(void **state)
{
	ASSERT_EXAMPLES({ "LEAF IN USTACK", 1 }, { "USTACK IN USTACK", 1 },
			{ "USTACK SOME IN XSTACK", 1 }, { "(3,4) IN MSTACK", 1 },
			{ "(3,6) IN STACK", 0 }, { "(6,3) SOME IN STACK", 1 },
			{ "USTACK IN (5,4,3,2,1)", 1 }, { "USTACK IN (5,4)", 0 });
}

static void without_a_stack_the_result_is_unknown(void **state)
{
	event.has_stack = false;
	ASSERT_EXAMPLES({ "FNAME(\"alpha\") IN USTACK", UNKNOWN },
			{ "3 SOME IN USTACK", UNKNOWN }, { "USTACK IN (1,2)", UNKNOWN },
			{ "(3,4) ORDERED IN USTACK", UNKNOWN },
			{ "THRID==1 && 3 IN USTACK", 0 });
	event.has_stack = true;
}

/* The longest index object of gprofng, as gp-display-text -describe prints it. */
static void an_index_object_of_gprofng_has_values(void **state)
{
	char text[2000];
	char *end = stpcpy(text, "(HSIZE==0?0:(");

	for (int bits = 0; bits <= 50; bits += 2)
		end += sprintf(end, "(HSIZE<=(1<<%d)?(1<<%d):(", bits, bits);
	end = stpcpy(end, "HSIZE==-1?-1:(1<<50|1)");
	memset(end, ')', 54);
	end[54] = '\0';
	assert_examples(&(struct example){ text, -1 }, 1);
	event.values[EXPRESSION_HSIZE] = 1000;
	assert_examples(&(struct example){ text, 1024 }, 1);
	event.values[EXPRESSION_HSIZE] = 1LL << 60;
	assert_examples(&(struct example){ text, 1LL << 50 | 1 }, 1);
	event.values[EXPRESSION_HSIZE] = -1;
}

static void an_empty_text_keeps_all(void **state)
{
	ASSERT_EXAMPLES({ "", 1 }, { "  ", 1 });
}

static void long_lists_are_searched(void **state)
{
	char text[20000];
	size_t length = (size_t)sprintf(text, "TSTAMP IN 30000000");
	cleanup(expression_freep) struct expression *expression = NULL;
	struct expression_facts facts;
	int64_t value;

	for (int i = 2000; i > 0; i--)
		length += (size_t)sprintf(text + length, ",%d", i * 3);
	expression = parse(text);
	facts = event_facts(&event, expression);
	assert_true(expression_evaluate(expression, &facts, &value));
	assert_int_equal(value, 1);
	event.values[EXPRESSION_TSTAMP] = 5001;
	assert_true(expression_evaluate(expression, &facts, &value));
	assert_int_equal(value, 1);
	event.values[EXPRESSION_TSTAMP] = 5002;
	assert_true(expression_evaluate(expression, &facts, &value));
	assert_int_equal(value, 0);
	event.values[EXPRESSION_TSTAMP] = 30000000;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_have_three_bases),
		cmocka_unit_test(operators_have_the_precedence_of_c),
		cmocka_unit_test(unary_operators_bind_tightest),
		cmocka_unit_test(values_have_no_sign),
		cmocka_unit_test(no_operation_traps),
		cmocka_unit_test(words_are_properties),
		cmocka_unit_test(a_missing_property_is_unknown),
		cmocka_unit_test(a_list_with_an_unknown_element_is_unknown),
		cmocka_unit_test(a_deciding_operand_overrides_unknown_ones),
		cmocka_unit_test(lists_are_compared_by_in),
		cmocka_unit_test(ordered_lists_are_adjacent),
		cmocka_unit_test(in_binds_like_a_comparison),
		cmocka_unit_test(a_list_has_the_value_of_its_last_element),
		cmocka_unit_test(names_are_found_in_stacks),
		cmocka_unit_test(names_inside_of_an_element_do_not_make_it_a_set),
		cmocka_unit_test(names_are_compared_with_a_leaf),
		cmocka_unit_test(fragments_of_stacks_begin_at_the_root),
		cmocka_unit_test(stacks_are_lists),
		cmocka_unit_test(without_a_stack_the_result_is_unknown),
		cmocka_unit_test(an_index_object_of_gprofng_has_values),
		cmocka_unit_test(an_empty_text_keeps_all),
		cmocka_unit_test(long_lists_are_searched),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
