/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/libexpt/expression/facts.h"

/* ---- faults ---- */

static void assert_refused(const char *text, const char *message)
{
	struct expression *expression = NULL;
	struct expt_error err = { .message = "" };

	assert_int_equal(expression_parse(&expression, text, NULL, &err), -EINVAL);
	assert_string_equal(err.message, message);
	assert_null(expression);
}

/* A text that repeats the first part, then the second one and then the third. */
static char *repeat(const char *before, const char *middle, const char *after, int times)
{
	char *text = malloc((strlen(before) + strlen(after)) * (size_t)times + 100), *end;

	assert_non_null(text);
	end = text;
	for (int i = 0; i < times; i++)
		end = stpcpy(end, before);
	end = stpcpy(end, middle);
	for (int i = 0; i < times; i++)
		end = stpcpy(end, after);
	return text;
}

static int parse_repeated(const char *before, const char *middle, const char *after,
			  int times)
{
	cleanup_free char *text = repeat(before, middle, after, times);
	cleanup(expression_freep) struct expression *expression = NULL;

	return expression_parse(&expression, text, NULL, NULL);
}

static void a_missing_operand_is_refused(void **state)
{
	assert_refused("THRID==",
		       "column 8: a number, a word or '(' is missing at the end");
	assert_refused("(", "column 2: a number, a word or '(' is missing at the end");
	assert_refused("1 && )", "column 6: a number, a word or '(' expected before ')'");
	assert_refused("THRID IN ()",
		       "column 11: a number, a word or '(' expected before ')'");
	assert_refused("THRID IN (1,",
		       "column 13: a number, a word or '(' is missing at the end");
	assert_refused("THRID===1",
		       "column 8: '=': not an operator; values are compared by ==");
}

static void a_missing_operator_is_refused(void **state)
{
	assert_refused("1 2", "column 3: an operator expected before '2'");
	assert_refused("1)", "column 2: an operator expected before ')'");
	assert_refused("THRID and 1", "column 7: an operator expected before 'and'");
	assert_refused("1 NOT IN 2", "column 3: an operator expected before 'NOT'");
	assert_refused("((1)", "column 5: ')' is missing at the end");
	assert_refused("1?2", "column 4: ':' is missing at the end");
	assert_refused("1 SOME 2", "column 8: IN expected before '2'");
	assert_refused("1:2", "column 2: an operator expected before ':'");
}

static void a_character_without_meaning_is_refused(void **state)
{
	assert_refused("THRID=1",
		       "column 6: '=': not an operator; values are compared by ==");
	assert_refused("1;", "column 2: ';': not an operator");
	assert_refused("'a'", "column 1: ''': not an operator");
	assert_refused("# 1", "column 1: '#': not an operator");
}

static void a_number_that_is_not_whole_is_refused(void **state)
{
	assert_refused("08", "column 1: '08': not a whole number");
	assert_refused("0x", "column 1: '0x': not a whole number");
	assert_refused("1 + 1.5", "column 5: '1.5': not a whole number");
	assert_refused("1e3", "column 1: '1e3': not a whole number");
	assert_refused("18446744073709551616", "column 1: '18446744073709551616': "
					       "the number does not fit 64 bits");
}

static void an_unknown_name_is_refused(void **state)
{
	assert_refused("1+FOO",
		       "column 3: 'FOO' is not a word, a label or an index object");
	assert_refused("THRID1",
		       "column 1: 'THRID1' is not a word, a label or an index object");
}

static void a_name_is_in_double_quotes(void **state)
{
	assert_refused("FNAME(alpha)",
		       "column 7: a name in double quotes expected before 'alpha'");
	assert_refused("FNAME", "column 6: '(' is missing at the end");
	assert_refused("FNAME(\"a) IN LEAF",
		       "column 7: '\"a) IN LEAF': the closing quote is missing");
	assert_refused("\"1\"", "column 2: a number, a word or '(' expected before '1'");
}

static void a_bad_regular_expression_is_refused(void **state)
{
	assert_refused("FNAME(\"(\") IN LEAF", "column 8: '(': Unmatched ( or \\(");
	assert_refused("FNAME(\"a)(b\") IN LEAF", "column 8: 'a)(b': ')' without '('");
	assert_refused("FNAME(\"a)*+\") IN LEAF", "column 8: 'a)*+': ')' without '('");
	assert_refused("FNAME(\"(a)\\1\") IN LEAF",
		       "column 8: '(a)\\1': extended regular expressions have no \\1 to "
		       "\\9");
}

/* regcomp(3) takes 1.6 GB for one of these. */
static void a_large_regular_expression_is_refused(void **state)
{
	static const char *const texts[] = {
		"((.?){100}){100}",
		"((a{90}){90}){90}",
		"(.{2,99999999999999999999}){2}",
		"(.{9223372036854775808}){2}",
		"(((a?){10}){10}){50}",
		"a++++++++++++++++++++++++++++++",
		"(a1 +D++++++++M)+++++++",
		"((((((((((((((((((a+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+",
		"((b[)(]c){200}[^])]){900}",
		"(xx[[:alpha:](]y{50}){50}+{99}",
	};
	struct expt_error err;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		char text[100];

		sprintf(text, "FNAME(\"%s\") IN LEAF", texts[i]);
		assert_int_equal(expression_parse(&(struct expression *){ NULL }, text,
						  NULL, &err),
				 -EINVAL);
		assert_non_null(strstr(err.message, "are too large"));
	}
	assert_int_equal(parse_repeated("LEAF==FNAME(\"a+.*b+(c+|d+)e{3}[+]f\\\\+\")||",
					"0", "", 50),
			 0);
	assert_int_equal(parse_repeated("LEAF==FNAME(\"a\")||", "0", "", 1000), 0);
	assert_int_equal(parse_repeated("LEAF==FNAME(\"a\")||", "0", "", 3000), -EINVAL);
}

static void a_list_is_not_a_number(void **state)
{
	assert_refused("USTACK", "column 1: USTACK is a list; use it with IN");
	assert_refused("1 + XSTACK", "column 5: XSTACK is a list; use it with IN");
	assert_refused("(1, USTACK) IN 1", "column 5: USTACK is a list; use it with IN");
	assert_refused("FNAME(\"a\")",
		       "column 1: names are a set; use them with IN, == or !=");
	assert_refused("!FNAME(\"a\")",
		       "column 2: names are a set; use them with IN, == or !=");
	assert_refused("FNAME(\"a\") IN FNAME(\"b\")",
		       "column 15: names can be at one side of IN only");
	assert_refused("1 && FNAME(\"a\") == FNAME(\"b\")",
		       "column 6: names are a set; use them with IN, == or !=");
}

/* ---- definitions ---- */

static const char *find(void *context, const char *name)
{
	static const char *const definitions[][2] = {
		{ "Seconds", "TSTAMP/1000000000" },
		{ "Late", "Seconds > 1 && CPUID==0" },
		{ "Pair", "1, 2" },
		{ "Self", "1 + Other" },
		{ "Other", "2 * sELF" },
		{ "Bad", "1 +" },
		{ "Worse", "7 * Bad" },
		{ "Two", "One+One" },
		{ "One", "Half+Half" },
		{ "Half", "THRID" },
	};

	for (size_t i = 0; i < sizeof(definitions) / sizeof(*definitions); i++)
		if (strcasecmp(definitions[i][0], name) == 0)
			return definitions[i][1];
	return NULL;
}

static const struct expression_definitions definitions = { .find = find };

static void a_definition_is_in_parentheses(void **state)
{
	struct event event = {
		.values = { [EXPRESSION_TSTAMP] = 5000000000, [EXPRESSION_CPUID] = 0 },
		.is_known = { [EXPRESSION_TSTAMP] = true, [EXPRESSION_CPUID] = true }
	};
	static const struct {
		const char *text;
		int64_t value;
	} examples[] = {
		{ "Seconds", 5 },     { "10-seconds*2", 0 },	   { "LATE", 1 },
		{ "!Late", 0 },	      { "1 IN pair && CPUID", 0 }, { "(2,1) IN Pair", 1 },
		{ "Late IN 7, 1", 1 }
	};

	for (size_t i = 0; i < sizeof(examples) / sizeof(*examples); i++) {
		cleanup(expression_freep) struct expression *expression = NULL;
		struct expression_facts facts;
		int64_t value;

		assert_int_equal(expression_parse(&expression, examples[i].text,
						  &definitions, NULL),
				 0);
		facts = event_facts(&event, expression);
		assert_true(expression_evaluate(expression, &facts, &value));
		assert_int_equal(value, examples[i].value);
		assert_string_equal(expression_text(expression), examples[i].text);
	}
}

static void assert_definition_refused(const char *text, const char *message)
{
	struct expression *expression = NULL;
	struct expt_error err = { .message = "" };

	assert_int_equal(expression_parse(&expression, text, &definitions, &err),
			 -EINVAL);
	assert_string_equal(err.message, message);
}

static void a_fault_in_a_definition_has_its_place(void **state)
{
	assert_definition_refused("1 + Bad",
				  "column 5, 'Bad': column 4: "
				  "a number, a word or '(' is missing at the end");
	assert_definition_refused("Worse",
				  "column 1, 'Worse': column 5, 'Bad': column 4: "
				  "a number, a word or '(' is missing at the end");
	assert_definition_refused("Seconds (",
				  "column 9: an operator expected before '('");
}

static void a_recursive_definition_is_refused(void **state)
{
	assert_definition_refused("Self",
				  "column 1, 'Self': column 5, 'Other': column 5: "
				  "the definition of 'sELF' contains itself");
}

/* Each of the definitions N0, N1 ... uses the next one twice. */
static const char *find_doubling(void *context, const char *name)
{
	char(*texts)[16] = context;
	int i = atoi(name + 1);

	if (i >= 40)
		return "THRID";
	sprintf(texts[i], "N%d+N%d", i + 1, i + 1);
	return texts[i];
}

static void definitions_cannot_grow_without_end(void **state)
{
	char texts[40][16];
	const struct expression_definitions doubling = { .context = texts,
							 .find = find_doubling };
	struct expression *expression = NULL;
	struct expt_error err = { .message = "" };

	assert_int_equal(expression_parse(&expression, "N0", &doubling, &err), -EINVAL);
	assert_non_null(strstr(err.message, "the expression is too long"));
}

/* ---- limits ---- */

static void nesting_has_a_limit(void **state)
{
	static const char *const parts[][3] = {
		{ "(", "1", ")" },   { "!", "THRID", "" },    { "1?", "1", ":1" },
		{ "1?1:", "1", "" }, { "1+(", "THRID", ")" }, { "", "THRID", "+THRID" },
		{ "(1,", "2", ")" },
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		assert_int_equal(
			parse_repeated(parts[i][0], parts[i][1], parts[i][2], 200), 0);
		assert_int_equal(parse_repeated(parts[i][0], parts[i][1], parts[i][2],
						100000),
				 -EINVAL);
	}
	assert_int_equal(parse_repeated("(", "", "", 100000), -EINVAL);
	assert_int_equal(parse_repeated("", "1", ",", 100000), -EINVAL);
}

static void comparisons_have_a_limit(void **state)
{
	assert_int_equal(parse_repeated("1 IN (", "THRID", ",CPUID)", 5), 0);
	assert_int_equal(parse_repeated("1 IN (", "THRID", ",CPUID)", 100), -EINVAL);
	assert_int_equal(parse_repeated("", "THRID", " IN 1", 5), 0);
	assert_int_equal(parse_repeated("", "THRID", " IN 1", 100), -EINVAL);
	assert_int_equal(parse_repeated("", "1", " IN 1", 100), 0);
	assert_int_equal(parse_repeated("THRID,", "7 IN CPUID", ",PID", 300), 0);
	assert_int_equal(parse_repeated("THRID,", "7 IN CPUID", ",PID", 3000), -EINVAL);
	assert_int_equal(parse_repeated("(THRID,9) IN (CPUID,PID)||", "0", "", 30000), 0);
	assert_int_equal(
		parse_repeated("(THRID,PID IN (PID,1)) IN ((PID,2) IN (CPUID,PID),"
			       "PID,PID,PID)||",
			       "0", "", 15000),
		-EINVAL);
	assert_int_equal(parse_repeated("", "CPUID IN 1", ",7", 100000), 0);
}

static void long_chains_are_not_deep(void **state)
{
	assert_int_equal(parse_repeated("THRID==1||", "0", "", 50000), 0);
	assert_int_equal(parse_repeated("THRID==1&&", "1", "", 50000), 0);
	assert_int_equal(parse_repeated("1,", "2 IN 1", ",7", 50000), 0);
	assert_int_equal(parse_repeated("THRID==1||", "0", "", 500000), -EINVAL);
}

/* ---- facts ---- */

static void assert_depends(const char *text, unsigned int expected)
{
	cleanup(expression_freep) struct expression *expression = parse(text);

	if (expression_depends(expression) != expected)
		fail_msg("%s depends on %x", text, expression_depends(expression));
}

static void dependence_is_known(void **state)
{
	assert_depends("1", 0);
	assert_depends("1+2*3 IN (7,1)", 0);
	assert_depends("THRID==3", EXPRESSION_ON_FIELDS);
	assert_depends("TSTAMP>3", EXPRESSION_ON_TIME);
	assert_depends("SAMPLE>3&&TSTAMP<9", EXPRESSION_ON_TIME);
	assert_depends("EXPID==2", EXPRESSION_ON_EXPERIMENT);
	assert_depends("LEAF==2", EXPRESSION_ON_STACK);
	assert_depends("2 IN USTACK", EXPRESSION_ON_STACK);
	assert_depends("FNAME(\"a\") IN USTACK",
		       EXPRESSION_ON_STACK | EXPRESSION_ON_NAMES);
	assert_depends("THRID==3||TSTAMP>3", EXPRESSION_ON_FIELDS | EXPRESSION_ON_TIME);
	assert_depends("DOBJ IN DNAME(\"a\")",
		       EXPRESSION_ON_FIELDS | EXPRESSION_ON_NAMES);
}

static void a_part_that_decides_nothing_is_not_depended_on(void **state)
{
	assert_depends("THRID && 0", 0);
	assert_depends("0 && THRID", 0);
	assert_depends("1 || THRID", 0);
	assert_depends("1 && THRID", EXPRESSION_ON_FIELDS);
	assert_depends("1 ? TSTAMP : THRID", EXPRESSION_ON_TIME);
	assert_depends("0 ? TSTAMP : 3", 0);
	assert_depends("THRID, 1", 0);
}

static void words_are_found(void **state)
{
	cleanup(expression_freep) struct expression *expression =
		parse("THRID IN (1,2) && (0 || VADDR ? LEAF : 3 IN USTACK)");

	assert_true(expression_uses(expression, EXPRESSION_THRID));
	assert_true(expression_uses(expression, EXPRESSION_VADDR));
	assert_true(expression_uses(expression, EXPRESSION_LEAF));
	assert_true(expression_uses(expression, EXPRESSION_USTACK));
	assert_false(expression_uses(expression, EXPRESSION_XSTACK));
	assert_false(expression_uses(expression, EXPRESSION_CPUID));
}

static void names_are_listed(void **state)
{
	cleanup(expression_freep) struct expression *expression =
		parse("FNAME(\"a.c\") IN USTACK && DNAME(\"d|e\") == DOBJ && FNAME(\"\") "
		      "IN LEAF");

	assert_int_equal(expression_name_count(expression), 3);
	assert_string_equal(expression_name(expression, 0), "a.c");
	assert_false(expression_name_is_data(expression, 0));
	assert_string_equal(expression_name(expression, 1), "d|e");
	assert_true(expression_name_is_data(expression, 1));
	assert_true(expression_name_matches(expression, 0, "abc"));
	assert_false(expression_name_matches(expression, 0, "abcd"));
	assert_true(expression_name_matches(expression, 1, "e"));
	assert_false(expression_name_matches(expression, 1, "de"));
	assert_true(expression_name_matches(expression, 2, ""));
	assert_false(expression_name_matches(expression, 2, "a"));
}

static void all_words_have_a_name_and_are_found_by_it(void **state)
{
	for (int i = 0; i < EXPRESSION_WORD_COUNT; i++) {
		const struct expression_word_info *info =
			expression_word_info((enum expression_word)i);

		assert_non_null(info->name);
		assert_non_null(info->title);
		assert_int_not_equal(info->dependence, 0);
		assert_int_equal(expression_word_find(info->name, strlen(info->name)), i);
	}
	assert_int_equal(expression_word_find("THRI", 4), EXPRESSION_WORD_COUNT);
	assert_int_equal(expression_word_find("", 0), EXPRESSION_WORD_COUNT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_missing_operand_is_refused),
		cmocka_unit_test(a_missing_operator_is_refused),
		cmocka_unit_test(a_character_without_meaning_is_refused),
		cmocka_unit_test(a_number_that_is_not_whole_is_refused),
		cmocka_unit_test(an_unknown_name_is_refused),
		cmocka_unit_test(a_name_is_in_double_quotes),
		cmocka_unit_test(a_bad_regular_expression_is_refused),
		cmocka_unit_test(a_large_regular_expression_is_refused),
		cmocka_unit_test(a_list_is_not_a_number),
		cmocka_unit_test(a_definition_is_in_parentheses),
		cmocka_unit_test(a_fault_in_a_definition_has_its_place),
		cmocka_unit_test(a_recursive_definition_is_refused),
		cmocka_unit_test(definitions_cannot_grow_without_end),
		cmocka_unit_test(nesting_has_a_limit),
		cmocka_unit_test(comparisons_have_a_limit),
		cmocka_unit_test(long_chains_are_not_deep),
		cmocka_unit_test(dependence_is_known),
		cmocka_unit_test(a_part_that_decides_nothing_is_not_depended_on),
		cmocka_unit_test(words_are_found),
		cmocka_unit_test(names_are_listed),
		cmocka_unit_test(all_words_have_a_name_and_are_found_by_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
