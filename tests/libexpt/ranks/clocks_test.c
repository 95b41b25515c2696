/* SPDX-License-Identifier: Apache-2.0 */
/* Offsets of clocks that are known: those that libexpt/ranks finds from messages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "libexpt/ranks/clocks.h"

#define HOSTS	 5
#define MESSAGES 20000
#define FASTEST	 20000			/* ns that each message takes at least */
#define LENGTH	 INT64_C(1000000000000) /* of the whole, in ns */

static const int64_t ahead[HOSTS] = { 0, 5000000000, -70000000000, 123, -1 };
static double gains[HOSTS];

static struct message {
	size_t from, to;
	int64_t sent_ns, received_ns; /* by the clocks of the hosts */
} messages[MESSAGES];

static int64_t on_clock(size_t host, int64_t time_ns)
{
	return time_ns + ahead[host] + (int64_t)((double)time_ns * gains[host]);
}

static int64_t random_below(int64_t end)
{
	return (int64_t)((double)random() / ((double)RAND_MAX + 1) * (double)end);
}

/* A message takes the fastest time, and mostly more. */
static void make(struct message *message, size_t from, size_t to)
{
	int64_t now = random_below(LENGTH), taken = FASTEST;

	if (random() % 8)
		taken += random() % 1000000;
	*message = (struct message){ from, to, on_clock(from, now),
				     on_clock(to, now + taken) };
}

static void add_all(struct clocks *clocks)
{
	for (size_t i = 0; i < MESSAGES; i++)
		assert_true(clocks_add(clocks, messages[i].from, messages[i].to,
				       messages[i].sent_ns, messages[i].received_ns));
}

static size_t count_early(const struct clocks *clocks)
{
	size_t early = 0;

	for (size_t i = 0; i < MESSAGES; i++)
		early += clocks_time(clocks, messages[i].from, messages[i].sent_ns) >
			 clocks_time(clocks, messages[i].to, messages[i].received_ns);
	return early;
}

/* Returns the largest error of a clock's time during the whole. */
static int64_t error_of(const struct clocks *clocks)
{
	int64_t largest = 0;

	for (size_t i = 0; i < clocks->count; i++)
		for (int64_t time = 0; time <= LENGTH; time += LENGTH / 50) {
			int64_t error = clocks_time(clocks, i, on_clock(i, time)) - time;

			if (llabs(error) > largest)
				largest = llabs(error);
		}
	return largest;
}

static void align(struct clocks *clocks, size_t count, const int64_t *guess)
{
	assert_true(clocks_begin(clocks, count));
	for (size_t i = 0; i < count; i++)
		clocks->lines[i].offset_ns = guess[i];
	for (int i = 0; i < 2; i++) {
		add_all(clocks);
		assert_true(clocks_align(clocks));
	}
}

static const int64_t bad_guess[HOSTS] = { 0, 1000000000, 2000000000, 3000000000,
					  4000000000 };

static void finds_offsets_from_messages_both_ways(void **state)
{
	struct clocks clocks;

	for (size_t i = 0; i < MESSAGES; i++)
		make(&messages[i], (size_t)random() % HOSTS, (size_t)random() % HOSTS);
	align(&clocks, HOSTS, bad_guess);
	assert_in_range(error_of(&clocks), 0, 1000);
	assert_int_equal(count_early(&clocks), 0);
	clocks_release(&clocks);
}

/* Only neighbours in a row of hosts talk to each other. */
static void finds_offsets_over_other_hosts(void **state)
{
	struct clocks clocks;

	for (size_t i = 0; i < MESSAGES; i++) {
		size_t first = (size_t)random() % (HOSTS - 1);
		bool is_back = random() % 2;

		make(&messages[i], first + is_back, first + !is_back);
	}
	align(&clocks, HOSTS, bad_guess);
	assert_in_range(error_of(&clocks), 0, 1000);
	assert_int_equal(count_early(&clocks), 0);
	clocks_release(&clocks);
}

/* Then the guess is kept as far as the messages permit it. */
static void keeps_a_guess_that_is_possible(void **state)
{
	const int64_t guess[] = {
		0, -ahead[1] + 5000,  /* possible: 5 us later */
		-ahead[2] - 90000000, /* it would receive too early */
	};
	struct clocks clocks;

	for (size_t i = 0; i < MESSAGES; i++)
		make(&messages[i], 1 + i % 2, 0);
	align(&clocks, 3, guess);
	assert_int_equal(clocks.lines[0].offset_ns, 0);
	assert_int_equal(clocks.lines[1].offset_ns, guess[1]);
	assert_int_equal(clocks.lines[2].offset_ns, guess[2]);
	clocks_release(&clocks);
	for (size_t i = 0; i < MESSAGES; i++)
		make(&messages[i], 1 + i % 2, 0);
	align(&clocks, 3, (int64_t[]){ 0, -ahead[1] + 90000000, -ahead[2] });
	assert_in_range(clocks.lines[1].offset_ns + ahead[1], FASTEST, FASTEST + 1000);
	assert_int_equal(count_early(&clocks), 0);
	clocks_release(&clocks);
}

/* Speeds differ by up to 50 us in a second: 50 ms in all. */
static void finds_speeds(void **state)
{
	struct clocks clocks;

	for (size_t i = 1; i < HOSTS; i++)
		gains[i] = (double)(random() % 100 - 50) / 1e6;
	for (size_t i = 0; i < MESSAGES; i++)
		make(&messages[i], (size_t)random() % HOSTS, (size_t)random() % HOSTS);
	align(&clocks, HOSTS, bad_guess);
	assert_true(error_of(&clocks) > 1000000);
	for (int i = 0; i < 3; i++) {
		add_all(&clocks);
		assert_true(clocks_bend(&clocks));
	}
	assert_in_range(error_of(&clocks), 0, 10000);
	assert_int_equal(count_early(&clocks), 0);
	add_all(&clocks);
	assert_true(clocks_correct(&clocks));
	assert_in_range(error_of(&clocks), 0, 10000);
	clocks_release(&clocks);
	for (size_t i = 1; i < HOSTS; i++)
		gains[i] = 0;
}

static void corrects_what_is_early(void **state)
{
	struct clocks clocks;

	for (size_t i = 0; i < MESSAGES; i++)
		make(&messages[i], (size_t)random() % HOSTS, (size_t)random() % HOSTS);
	assert_true(clocks_begin(&clocks, HOSTS));
	add_all(&clocks);
	assert_true(count_early(&clocks) > 0);
	assert_true(clocks_correct(&clocks));
	assert_int_equal(count_early(&clocks), 0);
	assert_int_equal(clocks.lines[0].offset_ns, 0);
	clocks_release(&clocks);
}

/* Every step ends. */
static void bears_what_cannot_be(void **state)
{
	struct clocks clocks;

	assert_true(clocks_begin(&clocks, 3));
	for (int i = 0; i < 2; i++) {
		assert_true(clocks_add(&clocks, 0, 1, 1000, 900));
		assert_true(clocks_add(&clocks, 1, 0, 5000, 4900));
		assert_true(clocks_add(&clocks, 1, 2, 5000, 4900));
		assert_true(clocks_add(&clocks, 2, 1, 5000, 4900));
		assert_true(clocks_add(&clocks, 0, 1, INT64_MIN, INT64_MAX));
		assert_true(clocks_align(&clocks));
	}
	assert_true(clocks_add(&clocks, 0, 1, INT64_MIN, INT64_MIN));
	assert_true(clocks_add(&clocks, 1, 0, INT64_MAX, INT64_MAX));
	assert_true(clocks_bend(&clocks));
	assert_true(clocks_correct(&clocks));
	assert_int_equal(clocks.lines[0].offset_ns, 0);
	clocks_release(&clocks);
	assert_true(clocks_begin(&clocks, 0));
	assert_true(clocks_align(&clocks) && clocks_bend(&clocks) &&
		    clocks_correct(&clocks));
	clocks_release(&clocks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_offsets_from_messages_both_ways),
		cmocka_unit_test(finds_offsets_over_other_hosts),
		cmocka_unit_test(keeps_a_guess_that_is_possible),
		cmocka_unit_test(finds_speeds),
		cmocka_unit_test(corrects_what_is_early),
		cmocka_unit_test(bears_what_cannot_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
