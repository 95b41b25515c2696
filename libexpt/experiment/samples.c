/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples: the resources used between two records of the overview file, whose values all
 * count from the start of the process. The labels come from the log's sample events with
 * the numbers of the two records.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/time.h"
#include "libexpt/experiment/damage.h"
#include "libexpt/experiment/log.h"
#include "libexpt/experiment/private.h"
#include "libexpt/experiment/samples.h"
#include "libexpt/format.h"

#define UNKNOWN_LABEL "<unknown>"
#define FIRST_TIME    8 /* offset: after process id and contributors */

struct sample_table {
	struct expt_sample *items;
	size_t count;
};

/* The times of a record, in the order of struct overview_record. */
enum record_time {
	TIME_STAMP,
	TIME_CREATED,
	TIME_ENDED,
	TIME_REAL,
	TIME_USER,
	TIME_SYSTEM,
	TIME_TRAP,
	TIME_TEXT_FAULT,
	TIME_DATA_FAULT,
	TIME_KERNEL_FAULT,
	TIME_USER_LOCK,
	TIME_SLEEP,
	TIME_WAIT_CPU,
	TIME_STOPPED,
	TIME_COUNT = TIME_STOPPED + 1 + 6,
};

static const enum record_time usage_times[EXPT_TIME_COUNT] = {
	[EXPT_TIME_USER] = TIME_USER,
	[EXPT_TIME_SYSTEM] = TIME_SYSTEM,
	[EXPT_TIME_TRAP] = TIME_TRAP,
	[EXPT_TIME_USER_LOCK] = TIME_USER_LOCK,
	[EXPT_TIME_DATA_FAULT] = TIME_DATA_FAULT,
	[EXPT_TIME_TEXT_FAULT] = TIME_TEXT_FAULT,
	[EXPT_TIME_KERNEL_FAULT] = TIME_KERNEL_FAULT,
	[EXPT_TIME_STOPPED] = TIME_STOPPED,
	[EXPT_TIME_WAIT_CPU] = TIME_WAIT_CPU,
	[EXPT_TIME_SLEEP] = TIME_SLEEP,
};

/* A record of either word size, decoded. */
struct record {
	uint64_t times_ns[TIME_COUNT];
	int64_t counts[EXPT_USAGE_COUNT_COUNT];
};

static int64_t read_word(const unsigned char *bytes, size_t word)
{
	int64_t wide;
	int32_t narrow;

	if (word == sizeof(wide)) {
		memcpy(&wide, bytes, sizeof(wide));
		return wide;
	}
	memcpy(&narrow, bytes, sizeof(narrow));
	return narrow;
}

static bool read_time(uint64_t *ns, const unsigned char *bytes, size_t word)
{
	int64_t seconds = read_word(bytes, word);
	int64_t nanoseconds = read_word(bytes + word, word);

	*ns = 0;
	if (seconds < 0 || (uint64_t)seconds >= INT64_MAX / NS_PER_SECOND ||
	    nanoseconds < 0 || (uint64_t)nanoseconds >= NS_PER_SECOND)
		return false;
	*ns = (uint64_t)seconds * NS_PER_SECOND + (uint64_t)nanoseconds;
	return true;
}

/* False if a time is invalid; it is set to 0. */
static bool read_record(struct record *record, const unsigned char *bytes, size_t word)
{
	const unsigned char *next = bytes + FIRST_TIME;
	bool is_good = true;

	for (size_t i = 0; i < TIME_COUNT; i++, next += 2 * word)
		is_good &= read_time(&record->times_ns[i], next, word);
	for (size_t i = 0; i < EXPT_USAGE_COUNT_COUNT; i++, next += word)
		record->counts[i] = read_word(next, word);
	return is_good;
}

static uint64_t growth(uint64_t from, uint64_t to)
{
	return to > from ? to - from : 0;
}

/* Returns the time since the start of the experiment. */
static uint64_t relative(const struct expt *expt, uint64_t stamp)
{
	return growth(expt_info(expt)->start_ns, stamp);
}

static void subtract(struct expt_sample *sample, const struct record *from,
		     const struct record *to)
{
	uint64_t accounted = 0;

	sample->thread_ns = growth(from->times_ns[TIME_REAL], to->times_ns[TIME_REAL]);
	for (size_t i = 0; i < EXPT_TIME_COUNT; i++) {
		enum record_time time = usage_times[i];

		sample->times_ns[i] = growth(from->times_ns[time], to->times_ns[time]);
		if (__builtin_add_overflow(accounted, sample->times_ns[i], &accounted))
			accounted = UINT64_MAX;
	}
	/* Several threads use more time than elapses. */
	if (sample->thread_ns < accounted)
		sample->thread_ns = accounted;
	/* Linux does not report why else a thread waits, so the rest is sleep. */
	sample->times_ns[EXPT_TIME_SLEEP] += growth(accounted, sample->thread_ns);
	for (size_t i = 0; i < EXPT_USAGE_COUNT_COUNT; i++)
		sample->counts[i] =
			(int64_t)((uint64_t)to->counts[i] - (uint64_t)from->counts[i]);
}

/* Record number i ends sample i and begins sample i + 1. */
static void set_labels(struct sample_table *table, const struct expt *expt)
{
	for (size_t i = 0; i < expt_event_count(expt); i++) {
		const struct expt_event *event = expt_event(expt, i);
		const char *label = expt_event_attribute(event, "label");
		uint64_t number = (uint64_t)event->id;

		if (event->kind != EXPT_EVENT_SAMPLE || !label || number > table->count)
			continue;
		if (number > 0)
			table->items[number - 1].end_label = label;
		if (number < table->count)
			table->items[number].start_label = label;
	}
}

static void read_records(struct sample_table *table, struct expt *expt,
			 const unsigned char *bytes, size_t size)
{
	struct expt_info *info = &expt->log->info;
	size_t word = info->word_bits / 8, count = table->count + 1;
	struct record record = { { 0 }, { 0 } }, previous;

	for (size_t i = 0; i < count; i++) {
		struct expt_sample *sample = i ? &table->items[i - 1] : NULL;

		previous = record;
		if (!read_record(&record, bytes + i * size, word))
			expt_add_damage(expt, OVERVIEW_FILE ": offset %zu: invalid times",
					i * size);
		if (!sample)
			continue;
		sample->number = i;
		sample->start_label = sample->end_label = UNKNOWN_LABEL;
		sample->start_ns = relative(expt, previous.times_ns[TIME_STAMP]);
		sample->end_ns = relative(expt, record.times_ns[TIME_STAMP]);
		subtract(sample, &previous, &record);
		if (sample->end_ns > info->end_ns)
			info->end_ns = sample->end_ns;
	}
}

/* Out of memory, or with fewer than two records, there are no samples. */
void overview_parse(struct expt *expt, const void *bytes, size_t size)
{
	size_t record = expt_info(expt)->word_bits == 32 ? OVERVIEW_RECORD_SIZE_32
							 : sizeof(struct overview_record);
	struct sample_table *table = expt->samples;

	if (size % record)
		expt_add_damage(expt,
				OVERVIEW_FILE ": offset %zu: the record is truncated",
				size - size % record);
	if (size / record < 2)
		return;
	table->items = calloc(size / record - 1, sizeof(*table->items));
	if (!table->items) {
		expt_add_damage(expt, OVERVIEW_FILE ": %s", strerrordesc_np(ENOMEM));
		return;
	}
	table->count = size / record - 1;
	read_records(table, expt, bytes, record);
	set_labels(table, expt);
}

static void read_overview(struct expt *expt)
{
	cleanup(io_file_close) struct io_file file = { 0 };
	struct expt_error inner;
	int rc = folder_read(&file, &expt->folder, OVERVIEW_FILE, &inner);

	if (rc == 0)
		overview_parse(expt, file.bytes, file.size);
	else if (rc == -EIO)
		expt_add_damage(expt, "%s", inner.message);
	else if (rc != -ENOENT)
		expt_add_damage(expt, OVERVIEW_FILE ": %s",
				rc == -EINVAL ? "not a regular file"
					      : strerrordesc_np(-rc));
}

struct sample_table *sample_table_new(void)
{
	return calloc(1, sizeof(struct sample_table));
}

size_t expt_sample_count(struct expt *expt)
{
	if (!expt->samples) {
		expt->samples = sample_table_new();
		if (!expt->samples)
			return 0;
		read_overview(expt);
	}
	return expt->samples->count;
}

const struct expt_sample *expt_sample(struct expt *expt, size_t i)
{
	return i < expt_sample_count(expt) ? &expt->samples->items[i] : NULL;
}

void sample_table_close(struct sample_table *samples)
{
	if (!samples)
		return;
	free(samples->items);
	free(samples);
}
