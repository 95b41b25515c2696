/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/libexpt/test.h"

#include <errno.h>

#include "libexpt/common/error.h"

static void what_the_system_refused_has_its_reason(void **state)
{
	struct expt_error err;

	assert_int_equal(expt_fail(&err, -ENOENT, "'%s' is lost", "x"), -ENOENT);
	assert_string_equal(err.message, "'x' is lost: No such file or directory");
	expt_fail(&err, -EPERM, "cannot rename '%s'", "x");
	assert_string_equal(err.message, "cannot rename 'x': Operation not permitted");
	expt_fail(&err, -EINVAL, "'%s' is damaged", "x");
	assert_string_equal(err.message, "'x' is damaged: Invalid argument");
}

static void what_we_refuse_is_said_in_our_words(void **state)
{
	struct expt_error err;

	expt_refuse(&err, -EPERM, "'%s' is still being recorded", "x");
	assert_string_equal(err.message, "'x' is still being recorded");
	expt_refuse(&err, -ENOENT, "cannot find '%s' in the manifest", "x");
	assert_string_equal(err.message, "cannot find 'x' in the manifest");
	expt_refuse(&err, -EINVAL, "'%s' cannot be an experiment", "x");
	assert_string_equal(err.message, "'x' cannot be an experiment");
	expt_fail_in(&err, err.code, "'%s'", "dir");
	assert_string_equal(err.message, "'dir': 'x' cannot be an experiment");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_the_system_refused_has_its_reason),
		cmocka_unit_test(what_we_refuse_is_said_in_our_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
