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
#define MESSAGES 4000
#define FASTEST	 20000 /* ns that each message takes at least */

static const int64_t ahead[HOSTS] = { 0, 5000000000, -70000000000, 123, -1 };

struct message {
	size_t from, to;
	int64_t sent_ns, received_ns; /* by the clocks of the hosts */
};

/* Add a message, which takes the fastest time, and mostly more. */
static void add(struct clocks *clocks, struct message *message, size_t from, size_t to)
{
	int64_t now = (int64_t)random() * 1000, taken = FASTEST;

	if (random() % 8)
		taken += random() % 1000000;
	*message =
		(struct message){ from, to, now + ahead[from], now + taken + ahead[to] };
	assert_true(clocks_add(clocks, from, to, message->sent_ns, message->received_ns));
}

static void assert_none_is_early(const struct clocks *clocks,
				 const struct message *messages, size_t count)
{
	for (size_t i = 0; i < count; i++)
		assert_true(messages[i].sent_ns + clocks->offset_ns[messages[i].from] <=
			    messages[i].received_ns + clocks->offset_ns[messages[i].to]);
}

static void finds_offsets_from_messages_both_ways(void **state)
{
	static struct message messages[MESSAGES];
	struct clocks clocks;

	assert_true(clocks_begin(&clocks, HOSTS));
	for (size_t i = 0; i < MESSAGES; i++)
		add(&clocks, &messages[i], (size_t)random() % HOSTS,
		    (size_t)random() % HOSTS);
	for (size_t i = 0; i < HOSTS; i++)
		clocks.offset_ns[i] = (int64_t)i * 1000000000; /* a bad guess */
	assert_true(clocks_align(&clocks));
	for (size_t i = 0; i < HOSTS; i++)
		assert_in_range(clocks.offset_ns[i] + ahead[i] + 1000, 0, 2000);
	assert_none_is_early(&clocks, messages, MESSAGES);
	clocks_release(&clocks);
}

/* Only neighbours in a row of hosts talk to each other. */
static void finds_offsets_over_other_hosts(void **state)
{
	static struct message messages[MESSAGES];
	struct clocks clocks;

	assert_true(clocks_begin(&clocks, HOSTS));
	for (size_t i = 0; i < MESSAGES; i++) {
		size_t first = (size_t)random() % (HOSTS - 1);
		bool is_back = random() % 2;

		add(&clocks, &messages[i], first + is_back, first + !is_back);
	}
	assert_true(clocks_align(&clocks));
	for (size_t i = 0; i < HOSTS; i++)
		assert_in_range(clocks.offset_ns[i] + ahead[i] + 1000, 0, 2000);
	assert_none_is_early(&clocks, messages, MESSAGES);
	clocks_release(&clocks);
}

/* Then the guess is kept as far as the messages permit it. */
static void keeps_a_guess_that_is_possible(void **state)
{
	static struct message messages[MESSAGES];
	struct clocks clocks;

	assert_true(clocks_begin(&clocks, 3));
	for (size_t i = 0; i < MESSAGES; i++)
		add(&clocks, &messages[i], 0, 1 + i % 2);
	clocks.offset_ns[1] = -ahead[1] + 5000;	    /* possible: 5 us later */
	clocks.offset_ns[2] = -ahead[2] - 90000000; /* it would receive too early */
	assert_true(clocks_align(&clocks));
	assert_int_equal(clocks.offset_ns[0], 0);
	assert_none_is_early(&clocks, messages, MESSAGES);
	assert_in_range(clocks.offset_ns[2] - clocks.offset_ns[0] + ahead[2] + FASTEST, 0,
			1000);
	clocks_release(&clocks);
}

/* Clocks of different speeds contradict each other. */
static void ends_where_nothing_fits(void **state)
{
	struct clocks clocks;

	assert_true(clocks_begin(&clocks, 2));
	assert_true(clocks_add(&clocks, 0, 1, 1000, 900));
	assert_true(clocks_add(&clocks, 1, 0, 5000, 4900));
	assert_true(clocks_add(&clocks, 0, 1, INT64_MIN, INT64_MAX)); /* does not count */
	assert_true(clocks_align(&clocks));
	assert_int_equal(clocks.offset_ns[0], 0);
	clocks_release(&clocks);
	assert_true(clocks_begin(&clocks, 0));
	assert_true(clocks_align(&clocks));
	clocks_release(&clocks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_offsets_from_messages_both_ways),
		cmocka_unit_test(finds_offsets_over_other_hosts),
		cmocka_unit_test(keeps_a_guess_that_is_possible),
		cmocka_unit_test(ends_where_nothing_fits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
