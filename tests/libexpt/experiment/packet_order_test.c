/* SPDX-License-Identifier: Apache-2.0 */
/* Records in the order of time. */
#include "tests/libexpt/experiment/read.h"

/* Puts count packets of one thread, step milliseconds apart, in a block of their own. */
static void put_stretch(unsigned milliseconds, unsigned step, unsigned count,
			unsigned thread)
{
	for (unsigned i = 0; i < count; i++)
		put_clock(milliseconds + i * step, thread);
	put_head(64, PACKET_CLOSED);
	put_zeros_to((file.size + 2 * RESYNC_SIZE) / RESYNC_SIZE * RESYNC_SIZE);
}

static void open_ordered(void)
{
	struct expt_error err;

	open_records();
	assert_int_equal(expt_records_order(records, &err), 0);
}

static void records_can_come_in_the_order_of_time(void **state)
{
	uint64_t last_ns = 0, last_offset = 0;
	size_t count = 0;

	put_stretch(1000, 1, 600, 1);
	put_stretch(10, 5, 500, 2);
	put_stretch(1600, 1, 600, 1);
	put_stretch(1, 1, 1, 3);
	put_stretch(900, 0, 300, 4); /* all at one time, shared with others */
	put_stretch(900, 0, 300, 5);
	put_clock(20, 6); /* a block in which time goes back */
	put_clock(15, 6);
	put_clock(12, 6);
	open_ordered();
	for (; next(); count++) {
		assert_true(record.time_ns > last_ns ||
			    (record.time_ns == last_ns && record.offset > last_offset));
		last_ns = record.time_ns;
		last_offset = record.offset;
	}
	assert_int_equal(count, 600 + 500 + 600 + 1 + 300 + 300 + 3);
	assert_int_equal(expt_damage_count(expt), 0);
	close_records();
}

static void damage_does_not_disturb_the_order(void **state)
{
	put_clock(3, 1);
	put_u32(1);
	put_zeros_to(RESYNC_SIZE);
	put_clock(2, 2);
	put_head(100, 99);
	put_zeros_to(RESYNC_SIZE + 56 + 100);
	put_clock(1, 3);
	put(file.bytes, 20);
	open_ordered();
	for (unsigned thread = 3; thread > 0; thread--) {
		assert_true(next());
		assert_int_equal(record.thread, thread);
	}
	assert_false(next());
	assert_false(next());
	assert_int_equal(expt_damage_count(expt), 2);
	close_records();
}

static void old_clock_packets_can_be_ordered(void **state)
{
	put_clock(1, 1);
	put_head(64, PACKET_CLOCK_OLD);
	put_zeros_to(56 + 32);
	put_u64(START_NS + 7);
	put_zeros_to(56 + 48);
	put_u32(4);
	put_u32(5);
	put_u32(6);
	put_u32(0);
	open_ordered();
	for (int i = 0; i < 3; i++) {
		assert_true(next());
		assert_int_equal(record.time_ns, 7);
	}
	assert_true(next());
	assert_int_equal(record.time_ns, 1000000);
	assert_false(next());
	close_records();
}

static void nothing_is_in_order(void **state)
{
	struct expt_error err;

	expt = open_with(HEAP_FILE);
	assert_int_equal(expt_records_open(&records, expt, EXPT_CLOCK, &err), 0);
	assert_int_equal(expt_records_order(records, &err), 0);
	assert_false(next());
	close_records();
}

#define test(name) cmocka_unit_test_setup_teardown(name, start_afresh, start_afresh)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(records_can_come_in_the_order_of_time),
		test(damage_does_not_disturb_the_order),
		test(old_clock_packets_can_be_ordered),
		test(nothing_is_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
