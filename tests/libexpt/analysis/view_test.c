/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/libexpt/packets.h"

/* Make a view of an experiment with two events. */
static struct expt_view *make_view(void)
{
	struct expt_view *view;

	put_clock(10, 42);
	put_clock(20, 42);
	assert_int_equal(expt_view_new(&view, NULL), 0);
	assert_int_equal(expt_view_add(view, open_with(CLOCK_FILE), NULL, NULL), 0);
	return view;
}

static void a_stopped_view_forgets_what_it_read(void **state)
{
	struct expt_view *view = make_view();
	struct expt_rows *rows = NULL;
	struct expt_counts counts;
	struct expt_error err;
	volatile int stop = 1;

	expt_view_set_stop(view, &stop);
	assert_int_equal(expt_view_rows(view, EXPT_BY_FUNCTION, &rows, &err), -EINTR);
	assert_int_equal(err.code, -EINTR);
	assert_string_equal(err.message, "interrupted");
	assert_int_equal(expt_view_counts(view, 0, &counts, &err), -EINTR);
	stop = 0;
	assert_int_equal(expt_view_counts(view, 0, &counts, &err), 0);
	assert_int_equal(counts.records, 2);
	assert_int_equal(expt_view_rows(view, EXPT_BY_FUNCTION, &rows, &err), 0);
	expt_view_free(view);
}

static void sums_that_were_made_are_kept_when_stopped(void **state)
{
	struct expt_view *view = make_view();
	struct expt_rows *rows = NULL;
	struct expt_error err;
	volatile int stop = 0;

	expt_view_set_stop(view, &stop);
	assert_int_equal(expt_view_rows(view, EXPT_BY_FUNCTION, &rows, &err), 0);
	stop = 1;
	assert_int_equal(expt_view_rows(view, EXPT_BY_FUNCTION, &rows, &err), 0);
	assert_int_equal(expt_view_rows(view, EXPT_BY_OBJECT, &rows, &err), -EINTR);
	expt_view_free(view);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_stopped_view_forgets_what_it_read, start_afresh),
		cmocka_unit_test_setup(sums_that_were_made_are_kept_when_stopped,
				       start_afresh),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
