/* SPDX-License-Identifier: Apache-2.0 */
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/libexpt/experiment/read.h"

static void a_record_has_its_declared_fields(void **state)
{
	int64_t value;

	put_clock(10, 42);
	open_records();
	assert_true(next());
	assert_int_equal(record.time_ns, 10000000);
	assert_int_equal(record.thread, 42);
	assert_int_equal(record.lwp, 43);
	assert_int_equal(record.cpu, 3);
	assert_int_equal(record.stack, 77);
	assert_true(expt_record_value(&record, EXPT_MSTATE, &value));
	assert_int_equal(value, EXPT_STATE_SYSTEM);
	assert_true(expt_record_value(&record, EXPT_NTICK, &value));
	assert_int_equal(value, 2);
	assert_false(expt_record_value(&record, EXPT_HSIZE, &value));
	assert_false(next());
	assert_int_equal(expt_damage_count(expt), 0);
	close_records();
}

static const struct expt_field_declaration *field_named(const char *name)
{
	for (size_t i = 0; i < record.declaration->field_count; i++)
		if (strcmp(record.declaration->fields[i].name, name) == 0)
			return &record.declaration->fields[i];
	fail_msg("no field '%s'", name);
	return NULL;
}

static void a_text_ends_with_its_packet(void **state)
{
	const char *text;

	put_clock(1, 1);
	file.bytes[0] = 64;
	put("abcdefgh", 8);
	put_clock(2, 1);
	file.bytes[64] = 64;
	put("xy\0zzzzz", 8);
	open_records();
	assert_true(next());
	assert_int_equal(expt_record_text(&record, field_named("WHAT"), &text), 8);
	assert_memory_equal(text, "abcdefgh", 8);
	assert_true(next());
	assert_int_equal(expt_record_text(&record, field_named("WHAT"), &text), 2);
	close_records();
}

static void a_field_beyond_its_packet_is_absent(void **state)
{
	int64_t value;
	const char *text;

	put_clock(1, 5);
	file.bytes[0] = 48;
	file.size = 48;
	open_records();
	assert_true(next());
	assert_int_equal(record.thread, 5);
	assert_false(expt_record_value(&record, EXPT_MSTATE, &value));
	assert_int_equal(expt_record_text(&record, field_named("WHAT"), &text), 0);
	close_records();
}

static void a_time_before_the_start_is_the_start(void **state)
{
	struct clock_packet packet = {
		.head.packet = { sizeof(packet), PACKET_CLOCK },
		.head.time_ns = START_NS - 1,
	};

	put(&packet, sizeof(packet));
	open_records();
	assert_true(next());
	assert_int_equal(record.time_ns, 0);
	close_records();
}

static void fillers_and_undeclared_packets_are_passed_over(void **state)
{
	put_head(64, PACKET_EMPTY);
	memset(file.bytes + file.size, 0xee, 60);
	file.size += 60;
	put_clock(1, 1);
	put_head(8, 200);
	put_u32(0);
	put_head((unsigned)(65536 - file.size), PACKET_CLOSED);
	put_zeros_to(65536);
	put_clock(2, 1);
	assert_int_equal(read_all(), 2);
	assert_int_equal(expt_damage_count(expt), 0);
	close_records();
}

static void zeros_are_no_damage(void **state)
{
	put_clock(1, 1);
	put_zeros_to(16384);
	put_clock(2, 1);
	put_zeros_to(3 * 65536);
	put_clock(3, 1);
	put_zeros_to(4 * 65536 - 2);
	assert_int_equal(read_all(), 3);
	assert_int_equal(expt_damage_count(expt), 0);
	close_records();
}

/* Range that the first read of a file does not yet find: it reads zeros. */
static off_t late_from, late_to;

/* Replaces libc's pread(). */
ssize_t pread(int fd, void *bytes, size_t length, off_t offset)
{
	ssize_t got = syscall(SYS_pread64, fd, bytes, length, offset);

	if (late_to && late_from >= offset && late_to <= offset + got) {
		memset((char *)bytes + (late_from - offset), 0,
		       (size_t)(late_to - late_from));
		late_to = 0;
	}
	return got;
}

static void a_packet_that_comes_while_it_is_read_is_no_damage(void **state)
{
	put_clock(1, 1);
	late_from = (off_t)file.size;
	late_to = late_from + 4;
	put_clock(2, 2);
	put_clock(3, 3);
	put_zeros_to(2 * RESYNC_SIZE);
	put_clock(4, 4);
	assert_int_equal(read_all(), 4);
	assert_int_equal(expt_damage_count(expt), 0);
	close_records();
}

/* The piece after the gap then does not begin with a packet. */
static void so_are_many_that_come_while_they_are_read(void **state)
{
	size_t count = 0;

	while (file.size < RESYNC_SIZE + 2000) {
		put_clock(1, 1);
		count++;
	}
	late_from = (off_t)sizeof(struct clock_packet) * 100;
	late_to = RESYNC_SIZE;
	assert_int_equal(read_all(), count);
	assert_int_equal(expt_damage_count(expt), 0);
	close_records();
}

static void rubbish_is_damage_up_to_the_next_piece(void **state)
{
	put_clock(1, 1);
	put_u64(UINT64_C(0x1234567800000000));
	put_clock(2, 1);
	put_zeros_to(16384);
	put_clock(3, 1);
	assert_int_equal(read_all(), 2);
	assert_int_equal(expt_damage_count(expt), 1);
	assert_string_equal(expt_damage(expt, 0),
			    "profile: offset 56: no packet here, 16328 bytes skipped");
	close_records();
}

static void an_odd_size_loses_the_rest_of_the_piece(void **state)
{
	put_clock(1, 1);
	file.bytes[0] = 57;
	put_clock(2, 1);
	put_zeros_to(16384);
	put_clock(3, 1);
	assert_int_equal(read_all(), 2);
	assert_int_equal(record.time_ns, 3000000);
	assert_string_equal(expt_damage(expt, 0),
			    "profile: offset 57: no packet here, 16327 bytes skipped");
	close_records();
}

static void a_packet_cut_off_by_the_end_is_damage(void **state)
{
	put_clock(1, 1);
	put_clock(2, 1);
	file.size -= 6;
	assert_int_equal(read_all(), 1);
	assert_int_equal(expt_damage_count(expt), 1);
	assert_string_equal(expt_damage(expt, 0),
			    "profile: offset 56: the file ends within a packet of 56 "
			    "bytes, 50 are there");
	close_records();
}

static void damage_of_a_file_read_twice_is_listed_once(void **state)
{
	struct expt_error err;

	put_clock(1, 1);
	file.size -= 6;
	assert_int_equal(read_all(), 0);
	assert_int_equal(expt_packet_counts_add(NULL, expt, CLOCK_FILE, &err), 0);
	assert_int_equal(expt_damage_count(expt), 1);
	close_records();
}

static void packets_cross_the_borders_of_reading(void **state)
{
	while (file.size + 56 < sizeof(file.bytes) / 2)
		put_clock(1, 1);
	put_head(65532, 200);
	put_zeros_to(file.size + 65528);
	while (file.size + 56 < sizeof(file.bytes))
		put_clock(2, 1);
	assert_int_equal(read_all(), (file.size - 65532) / 56);
	assert_int_equal(expt_damage_count(expt), 0);
	close_records();
}

static void old_clock_packets_are_one_record_per_state(void **state)
{
	int64_t value;

	put_head(64, PACKET_CLOCK_OLD);
	put_zeros_to(16);
	put_u64(9);
	put_zeros_to(32);
	put_u64(START_NS + 7);
	put_zeros_to(48);
	put_u32(4);
	put_u32(0);
	put_u32(6);
	put_u32(0);
	put_clock(1, 1);
	open_records();
	assert_true(next());
	assert_int_equal(record.thread, 9);
	assert_int_equal(record.time_ns, 7);
	assert_true(expt_record_value(&record, EXPT_MSTATE, &value));
	assert_int_equal(value, EXPT_STATE_USER);
	assert_true(expt_record_value(&record, EXPT_NTICK, &value));
	assert_int_equal(value, 4);
	assert_true(next());
	assert_true(expt_record_value(&record, EXPT_MSTATE, &value));
	assert_int_equal(value, EXPT_STATE_STOPPED);
	assert_true(expt_record_value(&record, EXPT_NTICK, &value));
	assert_int_equal(value, 6);
	assert_true(next());
	assert_int_equal(record.thread, 1);
	assert_false(next());
	close_records();
}

static void packets_are_counted_by_type(void **state)
{
	struct expt_packet_counts *counts = expt_packet_counts_new();
	const struct expt_packet_count *entry;
	struct expt_error err;

	put_clock(1, 1);
	put_head(8, 300);
	put_u32(0);
	put_head(8, PACKET_HEAP);
	put_u32(0);
	put_clock(2, 1);
	put_head(8, PACKET_EMPTY);
	put_u32(0);
	expt = open_with(CLOCK_FILE);
	assert_int_equal(expt_packet_counts_add(counts, expt, CLOCK_FILE, &err), 0);
	assert_int_equal(expt_packet_counts_count(counts), 3);
	assert_string_equal(expt_packet_counts_entry(counts, 0)->name, "heap");
	entry = expt_packet_counts_entry(counts, 1);
	assert_string_equal(entry->name, "clock");
	assert_int_equal(entry->packets, 2);
	assert_int_equal(entry->bytes, 112);
	entry = expt_packet_counts_entry(counts, 2);
	assert_string_equal(entry->name, "unknown");
	assert_int_equal(entry->type, 300);
	expt_packet_counts_free(counts);
	expt_close(expt);
}

static void a_missing_file_has_no_records(void **state)
{
	put_clock(1, 1);
	expt = open_with("heaptrace");
	assert_int_equal(expt_records_open(&records, expt, EXPT_CLOCK, NULL), 0);
	assert_false(next());
	close_records();
}

static void a_fifo_is_refused(void **state)
{
	struct expt_error err;

	expt = open_with("heaptrace");
	assert_int_equal(mkfifo("test.1.er/profile", 0644), 0);
	assert_int_equal(expt_records_open(&records, expt, EXPT_CLOCK, &err), -EINVAL);
	assert_string_equal(err.message, "'profile' is not a regular file");
	expt_close(expt);
}

#define test(name) cmocka_unit_test_setup_teardown(name, start_afresh, start_afresh)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(a_record_has_its_declared_fields),
		test(a_text_ends_with_its_packet),
		test(a_field_beyond_its_packet_is_absent),
		test(a_time_before_the_start_is_the_start),
		test(fillers_and_undeclared_packets_are_passed_over),
		test(zeros_are_no_damage),
		test(a_packet_that_comes_while_it_is_read_is_no_damage),
		test(so_are_many_that_come_while_they_are_read),
		test(rubbish_is_damage_up_to_the_next_piece),
		test(an_odd_size_loses_the_rest_of_the_piece),
		test(a_packet_cut_off_by_the_end_is_damage),
		test(damage_of_a_file_read_twice_is_listed_once),
		test(packets_cross_the_borders_of_reading),
		test(old_clock_packets_are_one_record_per_state),
		test(packets_are_counted_by_type),
		test(a_missing_file_has_no_records),
		test(a_fifo_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
