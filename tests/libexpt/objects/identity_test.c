/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libexpt/base/time.h"
#include "libexpt/objects/identity.h"

static const struct expt_identity built = { "00ff", true, 5, 7000000008 };
static const struct expt_identity touched = { "00ff", true, 5, 8000000008 };
static const struct expt_identity rebuilt = { "00fe", true, 5, 7000000008 };
static const struct expt_identity plain = { "", true, 5, 7000000008 };
static const struct expt_identity newer = { "", true, 5, 7000000009 };
static const struct expt_identity nothing = { .build_id = "" };

static void a_build_id_is_sufficient(void **state)
{
	assert_true(identity_is_same(&built, &touched));
	assert_int_equal(identity_key("/a", &built), identity_key("/a", &touched));
	assert_int_equal(identity_compare(&built, &touched, 1), IDENTITY_SAME);
	assert_false(identity_is_same(&built, &rebuilt));
	assert_int_equal(identity_compare(&built, &rebuilt, 1), IDENTITY_DIFFERS);
	assert_int_equal(identity_compare(&built, &plain, 1), IDENTITY_DIFFERS);
	assert_false(identity_is_same(&built, &plain));
}

static void without_one_size_and_time_decide(void **state)
{
	assert_true(identity_is_same(&plain, &plain));
	assert_false(identity_is_same(&plain, &newer));
	assert_int_not_equal(identity_key("/a", &plain), identity_key("/a", &newer));
	assert_int_not_equal(identity_key("/a", &plain), identity_key("/b", &plain));
	assert_int_equal(identity_compare(&plain, &built, 1), IDENTITY_SAME);
	assert_int_equal(identity_compare(&plain, &newer, 1), IDENTITY_DIFFERS);
	assert_int_equal(identity_compare(&plain, &newer, NS_PER_SECOND), IDENTITY_SAME);
}

static void without_any_nothing_is_known(void **state)
{
	assert_true(identity_is_same(&nothing, &nothing));
	assert_false(identity_is_same(&nothing, &plain));
	assert_int_equal(identity_compare(&nothing, &plain, 1), IDENTITY_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_build_id_is_sufficient),
		cmocka_unit_test(without_one_size_and_time_decide),
		cmocka_unit_test(without_any_nothing_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
