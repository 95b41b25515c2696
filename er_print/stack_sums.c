/* SPDX-License-Identifier: Apache-2.0 */
#include "er_print/stack_sums.h"

#include <inttypes.h>
#include <stdlib.h>

#include "libexpt/base/array.h"
#include "libexpt/cli/cli.h"

/* The sums of the records of one member read so far, by stack and epoch. */
struct stack_index {
	struct idmap by_stack;
	uint32_t member;
};

static struct stack_sum *sum_of_record(struct session *session, struct stack_index *index,
				       const struct expt_record *record, uint64_t leaf)
{
	struct aggregate *aggregate = session->aggregate;
	struct expt *expt = session->members.items[index->member].expt;
	uint32_t epoch = expt_epoch(expt, record->time_ns);
	struct stack_sum *sum;
	uint32_t *slot;

	/* Stack uids are hashes; epoch and leaf are spread over all bits, too. */
	slot = idmap_add(&index->by_stack, record->stack ^
						   epoch * UINT64_C(0x9e3779b97f4a7c15) ^
						   leaf * UINT64_C(0xc2b2ae3d27d4eb4f));
	if (!slot)
		return NULL;
	if (*slot != IDMAP_NONE)
		return &aggregate->stacks.items[*slot];
	*slot = (uint32_t)aggregate->stacks.count;
	sum = array_add(&aggregate->stacks);
	if (!sum)
		return NULL;
	sum->values = arena_alloc(&aggregate->arena,
				  aggregate->width * sizeof(*sum->values) + 1);
	*sum = (struct stack_sum){
		.member = index->member,
		.uid = record->stack,
		.time_ns = record->time_ns,
		.leaf = leaf,
		.epoch = epoch,
		.values = sum->values,
	};
	return sum->values ? sum : NULL;
}

static bool add_id(struct id_set *set, uint64_t id)
{
	size_t i = id % RECENT_IDS;

	if (set->is_recent[i] && set->recent[i] == id)
		return true;
	set->recent[i] = id;
	set->is_recent[i] = true;
	return idmap_add(&set->ids, id);
}

static bool count_ids(struct member_counts *counts, const struct expt_record *record)
{
	counts->records++;
	return add_id(&counts->threads, record->thread) &&
	       add_id(&counts->lwps, record->lwp) && add_id(&counts->cpus, record->cpu);
}

/* Returns the tables' kind for the data, and the index of its first metric in base; NULL
 * if tables do not support it. */
static const struct data_kind *kind_of_data(enum expt_data data, size_t *base)
{
	for (size_t i = 0; data_kinds[i]; i++)
		if (data_kinds[i]->data == data) {
			*base = metric_base(i);
			return data_kinds[i];
		}
	return NULL;
}

void *stack_sums_summary(const struct aggregate *aggregate, const struct data_kind *kind)
{
	for (size_t i = 0; data_kinds[i]; i++)
		if (data_kinds[i] == kind)
			return aggregate->summaries[i];
	return NULL;
}

/* How the current records are measured. */
struct gauge {
	const struct data_kind *kind; /* NULL: records are only counted */
	int64_t scale;
	struct {
		size_t metric, place; /* within the kind, and among kept values */
	} kept[KIND_METRICS_MAX];
	size_t kept_count;
};

static void set_gauge(struct gauge *gauge, const struct session *session,
		      enum expt_data data, const struct expt *expt)
{
	size_t base;

	*gauge = (struct gauge){ .kind = kind_of_data(data, &base) };
	if (!gauge->kind)
		return;
	gauge->scale = gauge->kind->scale ? gauge->kind->scale(expt) : 0;
	for (size_t i = 0; i < gauge->kind->metric_count; i++) {
		size_t place = session->aggregate->value_places[base + i];

		if (place == PLACE_NONE)
			continue;
		gauge->kept[gauge->kept_count].metric = i;
		gauge->kept[gauge->kept_count++].place = place;
	}
}

uint32_t replay_stack(struct replay *replay, const struct expt_record *record)
{
	struct aggregate *aggregate = replay->session->aggregate;
	struct stack_sum *sum = sum_of_record(replay->session, replay->index, record, 0);

	return sum ? (uint32_t)(sum - aggregate->stacks.items) : IDMAP_NONE;
}

void replay_add(struct replay *replay, uint32_t stack, size_t metric, int64_t value)
{
	struct stack_sum *sum = &replay->session->aggregate->stacks.items[stack];

	for (size_t i = 0; i < replay->gauge->kept_count; i++)
		if (replay->gauge->kept[i].metric == metric)
			add_saturated(&sum->values[replay->gauge->kept[i].place], value);
}

static bool add_record(struct session *session, struct stack_index *index,
		       struct replay *replay, const struct expt_record *record)
{
	const struct gauge *gauge = replay->gauge;
	int64_t values[KIND_METRICS_MAX] = { 0 };
	struct stack_sum *sum;

	if (!count_ids(&session->aggregate->members[index->member], record))
		return false;
	if (!gauge->kind)
		return true;
	if (gauge->kind->follow)
		return gauge->kind->follow(replay, record);
	sum = sum_of_record(session, index, record,
			    gauge->kind->leaf ? gauge->kind->leaf(record, gauge->scale)
					      : 0);
	if (!sum)
		return false;
	gauge->kind->measure(record, gauge->scale, values);
	for (size_t i = 0; i < gauge->kept_count; i++)
		add_saturated(&sum->values[gauge->kept[i].place],
			      values[gauge->kept[i].metric]);
	return true;
}

/* false: out of memory. *rc is negative if the records cannot be read. */
static bool add_records(struct session *session, struct replay *replay,
			struct expt_records *records, int *rc, struct expt_error *err)
{
	const struct data_kind *kind = replay->gauge->kind;
	bool is_followed = kind && kind->follow, is_good = true;
	struct expt_record record;

	*rc = 0;
	if (is_followed) {
		replay->state = calloc(1, kind->state_size);
		replay->summary = stack_sums_summary(session->aggregate, kind);
		is_good = replay->state;
		*rc = expt_records_order(records, err);
	}
	while (is_good && *rc >= 0 &&
	       (*rc = expt_records_next(records, &record, err)) > 0)
		is_good = add_record(session, replay->index, replay, &record);
	if (is_followed && replay->state)
		is_good = kind->finish(replay) && is_good;
	free(replay->state);
	return is_good;
}

static bool read_data(struct session *session, struct stack_index *index,
		      enum expt_data data)
{
	struct member *member = &session->members.items[index->member];
	struct expt_records *records;
	struct expt_error err;
	struct gauge gauge;
	struct replay replay = { .session = session,
				 .member = index->member,
				 .gauge = &gauge,
				 .index = index };
	bool is_good = true;
	int rc;

	set_gauge(&gauge, session, data, member->expt);
	rc = expt_records_open(&records, member->expt, data, &err);
	if (rc == 0) {
		is_good = add_records(session, &replay, records, &rc, &err);
		expt_records_close(records);
	}
	if (rc < 0) {
		cli_error("%s: %s", member->name, err.message);
		session->status = CLI_FAILED;
	}
	return is_good;
}

bool stack_sums_read(struct session *session, uint32_t member)
{
	struct stack_index index = { .member = member };
	bool is_good = true;

	for (int data = 0; data < EXPT_DATA_COUNT && is_good; data++)
		if (expt_has_data(session->members.items[member].expt,
				  (enum expt_data)data))
			is_good = read_data(session, &index, (enum expt_data)data);
	idmap_release(&index.by_stack);
	return is_good;
}

void stack_sums_check(struct session *session)
{
	struct aggregate *aggregate = session->aggregate;
	uint32_t unreadable = IDMAP_NONE;

	for (size_t i = 0; i < aggregate->stacks.count; i++) {
		struct stack_sum *sum = &aggregate->stacks.items[i];
		struct member *member = &session->members.items[sum->member];
		struct expt_stack stack;
		struct expt_error err;
		int rc;

		if (sum->member == unreadable)
			sum->uid = 0;
		if (sum->uid == 0)
			continue;
		rc = expt_stack(member->expt, sum->uid, &stack, &err);
		if (rc == 0)
			aggregate->members[sum->member].unknown_stacks++;
		if (rc >= 0)
			continue;
		cli_error("%s: %s", member->name, err.message);
		session->status = CLI_FAILED;
		unreadable = sum->member;
		sum->uid = 0;
	}
	for (size_t i = 0; i < aggregate->member_count; i++)
		if (aggregate->members[i].unknown_stacks)
			cli_warn("%s: %s: %" PRIu64 " call stacks are missing: their "
				 "events count only in the total",
				 session->members.items[i].name, expt_frames_name(),
				 aggregate->members[i].unknown_stacks);
}
