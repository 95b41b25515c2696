/* SPDX-License-Identifier: Apache-2.0 */
/* gprofng 2.40 crashes on lists that are refused here, and of parts for one experiment it
 * uses the last one. */
#include "tests/libexpt/expression/facts.h"

#include "libexpt/expression/selection.h"

static struct expression *select_by(const char *list)
{
	struct expression *expression;
	struct expt_error err = { .message = "" };

	if (expression_parse_selection(&expression, EXPRESSION_THRID, list, &err) < 0)
		fail_msg("%s: %s", list, err.message);
	return expression;
}

static bool selects(const struct expression *expression, int experiment, int thread)
{
	struct event event = {
		.values = { [EXPRESSION_EXPID] = experiment, [EXPRESSION_THRID] = thread },
		.is_known = { [EXPRESSION_EXPID] = true, [EXPRESSION_THRID] = true }
	};
	struct expression_facts facts = event_facts(&event, expression);
	int64_t value;

	assert_true(expression_evaluate(expression, &facts, &value));
	return value;
}

/* expected: threads that are selected in experiments 1, 2 and 3, as digits */
static void assert_selects(const char *list, const char *expected)
{
	cleanup(expression_freep) struct expression *expression = select_by(list);
	char selected[40] = "", *end = selected;

	for (int experiment = 1; experiment <= 3; experiment++) {
		for (int thread = 0; thread <= 9; thread++)
			if (selects(expression, experiment, thread))
				end += sprintf(end, "%d", thread);
		end = stpcpy(end, experiment < 3 ? " " : "");
	}
	assert_string_equal(selected, expected);
	assert_string_equal(expression_text(expression), list);
}

static void numbers_and_ranges_are_selected(void **state)
{
	assert_selects("1-6", "123456 123456 123456");
	assert_selects("7", "7 7 7");
	assert_selects("1,3,5", "135 135 135");
	assert_selects("1, 2", "12 12 12");
	assert_selects("1,3-5,7,9-9", "134579 134579 134579");
	assert_selects("0", "0 0 0");
	assert_selects("99", "  ");
	assert_selects("all", "0123456789 0123456789 0123456789");
}

static void experiments_are_selected(void **state)
{
	assert_selects("2:7-9,1", " 1789 ");
	assert_selects("1:1-4+2:5,6", "1234 56 ");
	assert_selects("all:1,3-6", "13456 13456 13456");
	assert_selects("1-2:3", "3 3 ");
	assert_selects("1,3:all", "0123456789  0123456789");
	assert_selects("1:1+1:3", "13  ");
	assert_selects("4+2:5", "4 45 4");
	assert_selects("2:5+4", "4 45 4");
}

static void an_event_without_the_property_is_unknown(void **state)
{
	cleanup(expression_freep) struct expression *expression = select_by("1-6");
	struct event event = { .has_stack = false };
	struct expression_facts facts = event_facts(&event, expression);
	int64_t value;

	assert_false(expression_evaluate(expression, &facts, &value));
}

static void dependence_is_that_of_the_word(void **state)
{
	cleanup(expression_freep) struct expression *all = select_by("all");
	cleanup(expression_freep) struct expression *some = select_by("1,2");
	cleanup(expression_freep) struct expression *both = select_by("1:2");

	assert_int_equal(expression_depends(all), 0);
	assert_int_equal(expression_depends(some), EXPRESSION_ON_FIELDS);
	assert_int_equal(expression_depends(both),
			 EXPRESSION_ON_FIELDS | EXPRESSION_ON_EXPERIMENT);
}

static void assert_refused(const char *list, const char *message)
{
	struct expression *expression;
	struct expt_error err = { .message = "" };

	assert_int_equal(expression_parse_selection(&expression, EXPRESSION_THRID, list,
						    &err),
			 -EINVAL);
	assert_string_equal(err.message, message);
}

static void faults_are_refused(void **state)
{
	assert_refused("4-1", "column 3: the range ends before it begins");
	assert_refused("x", "column 1: a number or 'all' is missing");
	assert_refused("", "column 1: a number or 'all' is missing");
	assert_refused("1-", "column 3: the last number of the range is missing");
	assert_refused("-2", "column 1: a number or 'all' is missing");
	assert_refused("1,", "column 3: a number or 'all' is missing");
	assert_refused("1 2", "column 3: ',' or '+' is missing");
	assert_refused("1:2:3", "column 4: ',' or '+' is missing");
	assert_refused("1-2 3:4", "column 5: ':' or ',' is missing");
	assert_refused("1:", "column 3: a number or 'all' is missing");
	assert_refused("all,1", "column 4: ',' or '+' is missing");
	assert_refused("1+", "column 3: a number or 'all' is missing");
	assert_refused("99999999999999999999", "column 1: a number or 'all' is missing");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_and_ranges_are_selected),
		cmocka_unit_test(experiments_are_selected),
		cmocka_unit_test(an_event_without_the_property_is_unknown),
		cmocka_unit_test(dependence_is_that_of_the_word),
		cmocka_unit_test(faults_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
