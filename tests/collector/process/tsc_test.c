/* SPDX-License-Identifier: Apache-2.0 */
/* The clock from the processor's counter, compared with the system's. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

#include "collector/process/tsc.h"

#define TOLERANCE_NS 20000

static uint64_t system_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void it_is_the_systems_clock(void **state)
{
	uint64_t start = system_ns(), last = 0;
	bool was_counted = false;

	/* Long enough for several lines. A reading lies between two of the system's. */
	while (system_ns() < start + 300000000) {
		uint64_t before = system_ns(), now = collector_now(), after = system_ns();

		assert_true(now + TOLERANCE_NS >= before);
		assert_true(now <= after + TOLERANCE_NS);
		assert_true(now >= last);
		last = now;
		was_counted |= atomic_load(&tsc_line) != NULL;
	}
	if (!was_counted)
		skip(); /* the system's clock does not come from the counter */
}

/* ---- time order between threads ---- */

static _Atomic uint64_t baton;
static _Atomic bool is_over;
static _Atomic unsigned wrong;

/* The two threads take turns for a while. Each reads the other's time, which must not be
 * later than its own. */
static void run(uint64_t own)
{
	while (!atomic_load(&is_over)) {
		uint64_t theirs = atomic_load(&baton);

		if ((theirs & 1) != own) {
			sched_yield();
			continue;
		}
		if (tsc_now(true) < theirs >> 1)
			atomic_fetch_add(&wrong, 1);
		atomic_store(&baton, tsc_now(true) << 1 | (own ^ 1));
	}
}

static void *run_first(void *unused)
{
	run(0);
	return NULL;
}

static void *run_other(void *unused)
{
	run(1);
	return NULL;
}

static void threads_have_one_clock(void **state)
{
	const struct timespec duration = { .tv_nsec = 200000000 };
	pthread_t first, second;

	assert_int_equal(pthread_create(&first, NULL, run_first, NULL), 0);
	assert_int_equal(pthread_create(&second, NULL, run_other, NULL), 0);
	nanosleep(&duration, NULL);
	atomic_store(&is_over, true);
	pthread_join(first, NULL);
	pthread_join(second, NULL);
	assert_int_equal(wrong, 0);
}

static void it_can_be_forbidden(void **state)
{
	uint64_t before;

	tsc_forbid();
	assert_null(atomic_load(&tsc_line));
	before = system_ns();
	assert_true(collector_now() >= before);
	assert_true(collector_now() <= system_ns());
	assert_null(atomic_load(&tsc_line));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_the_systems_clock),
		cmocka_unit_test(threads_have_one_clock),
		cmocka_unit_test(it_can_be_forbidden),
	};

	tsc_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
