/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/events/replay.h"

#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/common/pipeline.h"
#include "libexpt/events/filter.h"
#include "libexpt/events/gauge.h"
#include "libexpt/events/problems.h"
#include "libexpt/experiment/records.h"
#include "libexpt/format.h"

/* ---- records that are kept with their times ---- */

static bool set_room(struct timed_events *timed, size_t capacity)
{
	void *moments, *values;

	moments = reallocarray(timed->moments, capacity, sizeof(*timed->moments));
	timed->moments = moments ? moments : timed->moments;
	values = reallocarray(timed->values, capacity,
			      timed->width * sizeof(*timed->values));
	timed->values = values ? values : timed->values;
	if (!moments || !values)
		return false;
	array_use_large_pages(moments, capacity * sizeof(*timed->moments));
	array_use_large_pages(values, capacity * timed->width * sizeof(*timed->values));
	timed->capacity = capacity;
	return true;
}

static bool make_room(struct timed_events *timed)
{
	return timed->count < timed->capacity ||
	       (timed->count < REPLAY_DROPPED &&
		set_room(timed, 2 * timed->capacity + 1024));
}

/* Memory that is never written to costs nothing, but growing copies what there is. No
 * record is smaller than that of a free; if there is too little memory, the room grows
 * later, with what is needed. */
#define EXPECTED_MAX ((size_t)1 << 26)
static void expect(struct timed_events *timed, const struct expt_records *records)
{
	size_t expected = records_size(records) / sizeof(struct heap_free_packet);

	expected = expected < EXPECTED_MAX ? expected : EXPECTED_MAX;
	if (timed->capacity - timed->count < expected &&
	    timed->count + expected > 2 * timed->capacity)
		set_room(timed, timed->count + expected);
}

/* Keep a record. Returns its values, all of them 0; NULL: out of memory. */
static int64_t *keep(struct replay *replay, const struct expt_record *record,
		     const struct stack_sum *sum)
{
	struct timed_events *timed = replay->timed;
	int64_t *values;

	if (!make_room(timed))
		return NULL;
	timed->moments[timed->count] = (struct expt_table_moment){
		.time_ns = record->time_ns + replay->later_ns,
		.stack = (uint32_t)(sum - replay->index->sums->stacks.items),
	};
	values = timed->values + timed->count++ * timed->width;
	memset(values, 0, timed->width * sizeof(*values));
	return values;
}

static void measure(const struct replay *replay, const struct expt_record *record,
		    const struct stack_sum *sum)
{
	gauge_add(replay->gauge, record, &sum->figures);
	if (replay->second)
		gauge_add(replay->second, record, &sum->figures);
}

/* The values of a record are what it adds to the sum. One without any is not kept. */
static bool measure_timed(struct replay *replay, const struct expt_record *record,
			  const struct stack_sum *sum)
{
	const struct timed_events *timed = replay->timed;
	const int64_t *sums = sum->figures.values;
	int64_t *values = keep(replay, record, sum);
	bool is_counted = false;

	if (!values)
		return false;
	for (size_t i = 0; i < timed->width; i++)
		values[i] = sums[timed->places[i]];
	measure(replay, record, sum);
	for (size_t i = 0; i < timed->width; i++) {
		if (__builtin_sub_overflow(sums[timed->places[i]], values[i], &values[i]))
			values[i] = 0;
		is_counted |= values[i] != 0;
	}
	if (!is_counted)
		replay->timed->count--;
	return true;
}

/* ---- records ---- */

uint32_t replay_number(struct replay *replay, const struct expt_record *record)
{
	struct stack_sum *sum;

	if (!replay->keeps)
		return REPLAY_DROPPED;
	sum = stack_index_sum(replay->view, replay->index, record, 0, false);
	if (!sum || (replay->timed && !keep(replay, record, sum)))
		return IDMAP_NONE;
	return replay->timed ? (uint32_t)(replay->timed->count - 1)
			     : (uint32_t)(sum - replay->index->sums->stacks.items);
}

uint32_t replay_stack(const struct replay *replay, uint32_t number)
{
	return replay->timed ? replay->timed->moments[number].stack : number;
}

/* Add to the values of a record that was kept. */
static void add_later(struct timed_events *timed, uint32_t number, size_t place,
		      int64_t value)
{
	for (size_t i = 0; i < timed->width; i++)
		if (timed->places[i] == place)
			add_saturated(&timed->values[number * timed->width + i], value);
}

void replay_add(struct replay *replay, uint32_t number, size_t metric, int64_t value)
{
	struct stack_sum *sum;

	if (number == REPLAY_DROPPED)
		return;
	sum = &replay->index->sums->stacks.items[replay_stack(replay, number)];
	for (size_t i = 0; i < replay->gauge->kept_count; i++) {
		size_t place = replay->gauge->kept[i].place;

		if (replay->gauge->kept[i].metric != metric)
			continue;
		add_saturated(&sum->figures.values[place], value);
		if (replay->timed)
			add_later(replay->timed, number, place, value);
	}
}

/* Find whether the filter keeps the record. false: out of memory. */
static bool judge(struct replay *replay, const struct expt_record *record, uint64_t leaf)
{
	struct event event = stack_index_event(replay->view, replay->index, record, leaf);

	return filter_keeps(&event, &replay->keeps);
}

static bool add_record(struct replay *replay, const struct expt_record *record)
{
	const struct gauge *gauge = replay->gauge;
	struct stack_sum *sum;
	uint64_t leaf;

	if (!member_counts_add(replay->index->counts, record))
		return false;
	if (!gauge->kind)
		return true;
	leaf = gauge->kind->leaf ? gauge->kind->leaf(record, gauge) : 0;
	if ((replay->index->is_filtered ||
	     (replay->index->is_filtered_later && gauge->kind->follow)) &&
	    !judge(replay, record, leaf))
		return false;
	if (gauge->kind->follow)
		return gauge->kind->follow(replay, record);
	if (!stack_index_find_subject(replay->index, record, replay->keeps))
		return false;
	if (!replay->keeps)
		return true;
	sum = stack_index_sum(replay->view, replay->index, record, leaf,
			      gauge->kind->adds_leaf);
	if (!sum)
		return false;
	if (replay->timed)
		return measure_timed(replay, record, sum);
	measure(replay, record, sum);
	return true;
}

/* Records are simple if none depends on another one, and each changes nothing but
 * sums and what is kept of it. */
static bool is_simple(const struct replay *replay)
{
	const struct stack_index *index = replay->index;
	const struct data_kind *kind = replay->gauge->kind;

	return kind && kind->is_sampled && !kind->declare && !kind->leaf &&
	       !replay->second && !index->finder && !index->is_filtered &&
	       !index->java.is_java && !index->sums->index;
}

#define BATCH 64

/* All sums are looked up first, so that the memory of one is fetched during the look-up
 * of the next. */
static bool add_simple(struct replay *replay, const struct expt_record *batch,
		       size_t count)
{
	bool is_good = true;
	struct stack_index *index = replay->index;
	const struct stack_sum *sums;
	size_t numbers[BATCH];

	for (size_t i = 0; i < count; i++) {
		const struct stack_sum *sum =
			stack_index_sum(replay->view, index, &batch[i], 0, false);

		if (!sum || !member_counts_add(index->counts, &batch[i]))
			return false;
		__builtin_prefetch(&sum->figures);
		numbers[i] = (size_t)(sum - index->sums->stacks.items);
	}
	sums = index->sums->stacks.items;
	for (size_t i = 0; i < count; i++)
		__builtin_prefetch(sums[numbers[i]].figures.values, 1);
	for (size_t i = 0; i < count && is_good; i++)
		if (replay->timed)
			is_good = measure_timed(replay, &batch[i], &sums[numbers[i]]);
		else
			gauge_add(replay->gauge, &batch[i], &sums[numbers[i]].figures);
	return is_good;
}

static bool add_batch(struct replay *replay, const struct expt_record *batch,
		      size_t count)
{
	bool is_good = true;

	if (is_simple(replay))
		return add_simple(replay, batch, count);
	for (size_t i = 0; i < count && is_good; i++)
		is_good = add_record(replay, &batch[i]);
	return is_good;
}

/* false: out of memory, or stopped. *rc is negative if the records cannot be read. */
static bool add_records(struct replay *replay, struct expt_records *records, int *rc,
			struct expt_error *err)
{
	struct expt_record batch[BATCH];
	bool is_good = true;
	size_t count;

	do {
		count = records_take(records, batch, BATCH);
		*rc = count > 0 ? 1 : expt_records_next(records, batch, err);
		if (count == 0 && *rc > 0)
			count = 1;
		is_good = add_batch(replay, batch, count);
	} while (is_good && *rc > 0 && !view_is_stopped(replay->view));
	return is_good && *rc <= 0;
}

static bool add_followed(struct replay *replay, struct expt_records *records, int *rc,
			 struct expt_error *err)
{
	const struct data_kind *kind = replay->gauge->kind;
	bool is_good;

	replay->state = calloc(1, kind->state_size);
	if (!replay->state)
		return false;
	*rc = expt_records_order(records, err);
	is_good = *rc < 0 || add_records(replay, records, rc, err);
	is_good = kind->finish(replay) && is_good;
	free(replay->state);
	return is_good;
}

/* What precedes damage counts. */
static bool add_in_order(struct replay *replay, struct expt_records *records, int *rc,
			 struct expt_error *err)
{
	int order = expt_records_order(records, err);
	bool is_good = add_records(replay, records, rc, err);

	*rc = order < 0 ? order : *rc;
	return is_good;
}

/* ---- parts of a large file, each read by a thread ---- */

#define PARTS_MAX 7

struct part {
	struct expt_records *records;
	struct replay replay;
	struct stack_index index;
	struct stack_sums sums;
	struct member_counts counts;
	bool is_good;
};

static void read_part(void *job)
{
	struct part *part = job;
	struct expt_error err;
	int rc;

	part->is_good = add_records(&part->replay, part->records, &rc, &err);
}

static void begin_part(struct part *part, const struct replay *replay,
		       struct expt_records *records)
{
	part->records = records;
	part->index.sums = &part->sums;
	part->index.counts = &part->counts;
	part->index.member = replay->member;
	part->replay = *replay;
	part->replay.index = &part->index;
}

static void end_part(struct part *part)
{
	expt_records_close(part->records);
	idmap_release(&part->index.by_stack);
	member_counts_release(&part->counts);
	array_release(&part->sums.stacks);
	arena_release(&part->sums.values);
}

/* The records of a part that was not where it seemed to be are read once more. */
static bool add_parts(struct replay *replay, struct expt_records *records,
		      struct pipeline *pipeline, int *rc, struct expt_error *err)
{
	bool is_good = add_records(replay, records, rc, err);
	struct part *part;

	while (is_good && (part = pipeline_take_done(pipeline, true)) != NULL) {
		if (records_catch_up(records, part->records))
			is_good = part->is_good &&
				  stack_index_merge(replay->view, replay->index,
						    &part->index);
		pipeline_recycle(pipeline);
		is_good = is_good && add_records(replay, records, rc, err);
	}
	return is_good;
}

/* Returns the number of parts. The map is read before, as its first reader keeps it. */
static size_t begin_parts(struct part *parts, const struct replay *replay,
			  struct expt_records *records)
{
	struct expt_records *others[PARTS_MAX];
	size_t count = pipeline_threads(0) - 1;

	if (expt_segment_count(replay->view->members.items[replay->member].expt) == 0)
		return 0;
	count = records_divide(records, others, count < PARTS_MAX ? count : PARTS_MAX);
	for (size_t i = 0; i < count; i++)
		begin_part(&parts[i], replay, others[i]);
	return count;
}

static bool add_divided(struct replay *replay, struct expt_records *records, int *rc,
			struct expt_error *err)
{
	struct part parts[PARTS_MAX] = { 0 };
	size_t count = begin_parts(parts, replay, records);
	struct pipeline *pipeline;
	bool is_good = false;

	if (count == 0)
		return add_records(replay, records, rc, err);
	if (pipeline_open(&pipeline, count > 1 ? (unsigned)count : 2, parts, PARTS_MAX,
			  sizeof(*parts), read_part) == 0) {
		for (size_t i = 0; i < count; i++) {
			pipeline_take_free(pipeline);
			pipeline_submit(pipeline);
		}
		is_good = add_parts(replay, records, pipeline, rc, err);
		pipeline_close(pipeline);
	}
	for (size_t i = 0; i < count; i++)
		end_part(&parts[i]);
	return is_good;
}

/* ---- one kind of data ---- */

static bool add_all(struct replay *replay, struct expt_records *records, int *rc,
		    struct expt_error *err)
{
	const struct data_kind *kind = replay->gauge->kind;

	if (kind && kind->follow)
		return add_followed(replay, records, rc, err);
	if (replay->index->finder && replay->index->finder->is_of_all)
		return add_in_order(replay, records, rc, err);
	if (is_simple(replay) && !replay->timed &&
	    records_size(records) >= RECORDS_PART_MIN)
		return add_divided(replay, records, rc, err);
	return add_records(replay, records, rc, err);
}

bool replay_data(struct expt_view *view, struct stack_index *index, enum expt_data data)
{
	struct expt *expt = view->members.items[index->member].expt;
	const struct kind_use *use = gauge_use(view, data);
	struct expt_records *records;
	struct expt_error err;
	struct gauge gauge, second;
	struct replay replay = {
		.view = view,
		.member = index->member,
		.gauge = &gauge,
		.summary = use ? index->sums->summaries[use - view->uses] : NULL,
		.index = index,
		.timed = timed_begin(view, index->sums, data),
		.later_ns = view_later_ns(view, index->member),
		.keeps = true,
	};
	bool is_good = true;
	int rc;

	gauge_set(&gauge, view, use && use->kind->measures_clock ? NULL : use, expt);
	if (data == EXPT_CLOCK && expt_has_data(expt, EXPT_OMP)) {
		gauge_set(&second, view, gauge_use(view, EXPT_OMP), expt);
		replay.second = &second;
	}
	index->finder = index->sums->index ? NULL : view->finders[data];
	index->subject = 0;
	rc = expt_records_open(&records, expt, data, &err);
	if (rc == 0) {
		if (replay.timed)
			expect(replay.timed, records);
		is_good = add_all(&replay, records, &rc, &err);
		expt_records_close(records);
	}
	if (rc < 0)
		view_add_failure(view, index->member, &err);
	return is_good;
}
