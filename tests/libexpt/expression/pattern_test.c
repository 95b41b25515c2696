/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/libexpt/test.h"

#include <regex.h>
#include <time.h>

#include "libexpt/expression/pattern.h"

static void expect(const char *text, const char *simplified)
{
	char copy[64];

	snprintf(copy, sizeof(copy), "%s", text);
	pattern_simplify(copy);
	assert_string_equal(copy, simplified);
}

static void repeats_of_what_may_match_nothing_are_simplified(void **state)
{
	expect("a", "a");
	expect("a+b*c?", "a+b*c?");
	expect("a***", "a*");
	expect("a*+?b", "a*b");
	expect("(a*)+", "(a*)*");
	expect("(a*b)+", "(a*b)+");
	expect("(a|b?)+", "(a|b?)*");
	expect("(a|)+", "(a|)*");
	expect("((a*)+|b)+c", "((a*)*|b)*c");
	expect("(a{0,2})+", "(a{0,2})*");
	expect("(a{1,2})+", "(a{1,2})+");
	expect("(^)+", "(^)+");
	expect("\\*+\\\\*+", "\\*+\\\\*");
	expect("[*+]*+[]*+]+", "[*+]*[]*+]+");
}

static void what_would_take_minutes_is_simplified_or_costs_too_much(void **state)
{
	static const char *const texts[] = {
		"a****+++-",
		"((((a*)+)+)+)+",
		"((((((a*b?)+)+)+)+)+)+",
		"((((((^)+)+)+)+)+)+",
		"((((\\b|a)+)+)+)+",
		"((((a*){2,}){2,}){2,}){2,}",
		"a**+++b**+++c**+++d**+++x",
		"(((((a|)+|b)+|c)+|d)+|e)+",
		"(a?){1,255}(a?){1,255}(a?){1,255}",
		"(a?){1,140}(b*){20}",
		"(b*){250}(a?){1,5}",
		"(((a?){1,10}){1,15}|x)(c?|d?){2,250}",
		"(.?){1,255}(.?){1,255}(.?){255}Q",
		"((a?b?){1,100}c*){1,3}",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		clock_t start = clock();
		char copy[64], whole[80];
		regex_t regex;

		snprintf(copy, sizeof(copy), "%s", texts[i]);
		if (pattern_simplify(copy).cost > PATTERN_COST_MAX)
			continue;
		snprintf(whole, sizeof(whole), "^(%s)$", copy);
		assert_int_equal(regcomp(&regex, whole, REG_EXTENDED | REG_NOSUB), 0);
		regfree(&regex);
		assert_true(clock() - start < 20 * CLOCKS_PER_SEC);
	}
}

static bool compile(regex_t *regex, const char *text)
{
	return regcomp(regex, text, REG_EXTENDED | REG_NOSUB) == 0;
}

static void expect_same_matches(const regex_t *one, const regex_t *other)
{
	static const char letters[] = "ab{";

	for (int number = 0; number < 3 * 3 * 3 * 3 * 3; number++)
		for (size_t length = 0; length <= 5; length++) {
			char text[6] = "";

			for (size_t i = 0, rest = (size_t)number; i < length;
			     i++, rest /= 3)
				text[i] = letters[rest % 3];
			assert_int_equal(regexec(one, text, 0, NULL, 0),
					 regexec(other, text, 0, NULL, 0));
		}
}

/* Short ones never take long. */
static void a_simplified_expression_matches_the_same(void **state)
{
	static const char letters[] = "aab()|*+?^${1,}";
	unsigned changed = 0;

	srandom(1);
	for (int i = 0; i < 60000; i++) {
		size_t length = 2 + (size_t)random() % 7;
		char text[16] = "", simple[16];
		regex_t one, other;
		bool is_good;

		for (size_t j = 0; j < length; j++)
			text[j] = letters[(size_t)random() % (sizeof(letters) - 1)];
		strcpy(simple, text);
		if (pattern_simplify(simple).is_unmatched || strcmp(simple, text) == 0)
			continue;
		is_good = compile(&one, text);
		assert_int_equal(compile(&other, simple), is_good);
		if (is_good && changed++ < 1500)
			expect_same_matches(&one, &other);
		if (is_good) {
			regfree(&one);
			regfree(&other);
		}
	}
	assert_true(changed > 500);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(repeats_of_what_may_match_nothing_are_simplified),
		cmocka_unit_test(what_would_take_minutes_is_simplified_or_costs_too_much),
		cmocka_unit_test(a_simplified_expression_matches_the_same),
	};

	return cmocka_run_group_tests_name("pattern", tests, NULL, NULL);
}
