/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/libexpt/test.h"

#include "libexpt/expt.h"
#include "libexpt/format.h"

#define LOG(bits)                                                             \
	"<process wsize=\"" bits "\"/><event kind=\"run\" tstamp=\"100.0\"/>" \
	"<event kind=\"sample\" tstamp=\"0.0\" id=\"0\" label=\"first\"/>"    \
	"<event kind=\"sample\" tstamp=\"1.0\" id=\"1\" label=\"second\"/>"   \
	"<event kind=\"sample\" tstamp=\"3.0\" id=\"2\" label=\"third\"/>"    \
	"<event kind=\"sample\" tstamp=\"9.0\" id=\"77\" label=\"too many\"/>"

static const struct overview_record records[3] = {
	{ .stamp = { 100, 500 }, .user = { 1, 0 }, .minor_faults = 10 },
	{ .stamp = { 101, 0 },
	  .real = { 1, 0 },
	  .user = { 1, 250000000 },
	  .system = { 0, 50000000 },
	  .minor_faults = 15,
	  .involuntary_switches = 3 },
	{ .stamp = { 103, 0 },
	  .real = { 3, 0 },
	  .user = { 1, 250000000 },
	  .system = { 0, 50000000 },
	  .wait_cpu = { 0, 700000000 },
	  .stopped = { 1, 0 },
	  .minor_faults = 15,
	  .involuntary_switches = 2 },
};

static struct expt *open_overview(const char *log, const void *bytes, size_t size)
{
	struct expt *expt = NULL;

	make_directory("overview.er");
	write_text("overview.er/log.xml", log);
	if (bytes)
		write_bytes("overview.er/overview", bytes, size);
	assert_int_equal(expt_open(&expt, "overview.er", NULL), 0);
	return expt;
}

static int remove_overview(void **state)
{
	remove_all("overview.er");
	return 0;
}

static void a_sample_is_what_was_used_between_two_records(void **state)
{
	struct expt *expt = open_overview(LOG("64"), records, sizeof(records));
	const struct expt_sample *sample;

	assert_int_equal(expt_sample_count(expt), 2);
	sample = expt_sample(expt, 0);
	assert_int_equal(sample->number, 1);
	assert_string_equal(sample->start_label, "first");
	assert_string_equal(sample->end_label, "second");
	assert_int_equal(sample->start_ns, 500);
	assert_int_equal(sample->end_ns, 1000000000);
	assert_int_equal(sample->thread_ns, 1000000000);
	assert_int_equal(sample->times_ns[EXPT_TIME_USER], 250000000);
	assert_int_equal(sample->times_ns[EXPT_TIME_SYSTEM], 50000000);
	assert_int_equal(sample->times_ns[EXPT_TIME_SLEEP], 700000000);
	assert_int_equal(sample->counts[EXPT_MINOR_FAULTS], 5);
	assert_int_equal(sample->counts[EXPT_INVOLUNTARY_SWITCHES], 3);
	sample = expt_sample(expt, 1);
	assert_string_equal(sample->end_label, "third");
	assert_int_equal(sample->times_ns[EXPT_TIME_STOPPED], 1000000000);
	assert_int_equal(sample->times_ns[EXPT_TIME_WAIT_CPU], 700000000);
	assert_int_equal(sample->times_ns[EXPT_TIME_SLEEP], 300000000);
	assert_int_equal(sample->counts[EXPT_INVOLUNTARY_SWITCHES], -1);
	assert_null(expt_sample(expt, 2));
	assert_int_equal(expt_info(expt)->end_ns, 9000000000);
	assert_int_equal(expt_damage_count(expt), 0);
	expt_close(expt);
}

static void records_of_32_bit_processes_are_narrow(void **state)
{
	int32_t narrow[2][OVERVIEW_RECORD_SIZE_32 / 4] = { 0 };
	struct expt *expt;

	static_assert(sizeof(narrow[0]) == OVERVIEW_RECORD_SIZE_32, "record");
	narrow[0][2] = 100;
	narrow[1][2] = 102;
	narrow[1][8] = 2;   /* real, at 32 */
	narrow[1][11] = 5;  /* user nanoseconds, at 44 */
	narrow[1][42] = 99; /* minor faults, at 168 */
	narrow[1][53] = 7;  /* characters, at 212 */
	expt = open_overview(LOG("32"), narrow, sizeof(narrow));
	assert_int_equal(expt_sample_count(expt), 1);
	assert_int_equal(expt_sample(expt, 0)->end_ns, 2000000000);
	assert_int_equal(expt_sample(expt, 0)->thread_ns, 2000000000);
	assert_int_equal(expt_sample(expt, 0)->times_ns[EXPT_TIME_USER], 5);
	assert_int_equal(expt_sample(expt, 0)->counts[EXPT_MINOR_FAULTS], 99);
	assert_int_equal(expt_sample(expt, 0)->counts[EXPT_CHARACTERS], 7);
	expt_close(expt);
}

static void samples_without_an_event_have_no_label(void **state)
{
	struct expt *expt = open_overview("<event kind=\"run\" tstamp=\"100.0\"/>",
					  records, sizeof(records));

	assert_string_equal(expt_sample(expt, 1)->start_label, "<unknown>");
	assert_string_equal(expt_sample(expt, 1)->end_label, "<unknown>");
	assert_int_equal(expt_info(expt)->end_ns, 3000000000);
	expt_close(expt);
}

static void without_an_overview_there_are_no_samples(void **state)
{
	struct expt *expt = open_overview(LOG("64"), NULL, 0);

	assert_int_equal(expt_sample_count(expt), 0);
	assert_int_equal(expt_damage_count(expt), 0);
	expt_close(expt);
	expt = open_overview(LOG("64"), "", 0);
	assert_int_equal(expt_sample_count(expt), 0);
	assert_int_equal(expt_damage_count(expt), 0);
	expt_close(expt);
}

static void a_record_cut_off_is_damage_at_its_offset(void **state)
{
	struct expt *expt = open_overview(LOG("64"), records, sizeof(records) - 1);

	assert_int_equal(expt_sample_count(expt), 1);
	assert_int_equal(expt_damage_count(expt), 1);
	assert_string_equal(expt_damage(expt, 0),
			    "overview: offset 1008: the record is truncated");
	expt_close(expt);
}

static void times_that_cannot_be_are_damage(void **state)
{
	struct overview_record bad[3];
	struct expt *expt;

	memcpy(bad, records, sizeof(bad));
	bad[1].user.nanoseconds = -1;
	bad[1].system.seconds = INT64_MAX;
	expt = open_overview(LOG("64"), bad, sizeof(bad));
	assert_int_equal(expt_sample_count(expt), 2);
	assert_int_equal(expt_damage_count(expt), 1);
	assert_string_equal(expt_damage(expt, 0), "overview: offset 504: invalid times");
	expt_close(expt);
}

static void values_that_go_backwards_do_not_wrap(void **state)
{
	struct overview_record bad[2] = {
		{ .stamp = { 102, 0 }, .real = { 5, 0 }, .user = { 4, 0 } },
		{ .stamp = { 99, 0 }, .real = { 1, 0 }, .user = { 1, 0 } },
	};
	struct expt *expt;

	bad[0].signals = INT64_MIN;
	bad[1].signals = INT64_MAX;
	expt = open_overview(LOG("64"), bad, sizeof(bad));
	assert_int_equal(expt_sample_count(expt), 1);
	assert_int_equal(expt_sample(expt, 0)->end_ns, 0);
	assert_int_equal(expt_sample(expt, 0)->thread_ns, 0);
	assert_int_equal(expt_sample(expt, 0)->times_ns[EXPT_TIME_USER], 0);
	expt_close(expt);
}

#define test(name) cmocka_unit_test_teardown(name, remove_overview)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(a_sample_is_what_was_used_between_two_records),
		test(records_of_32_bit_processes_are_narrow),
		test(samples_without_an_event_have_no_label),
		test(without_an_overview_there_are_no_samples),
		test(a_record_cut_off_is_damage_at_its_offset),
		test(times_that_cannot_be_are_damage),
		test(values_that_go_backwards_do_not_wrap),
	};

	return cmocka_run_group_tests_name("overview", tests, NULL, NULL);
}
