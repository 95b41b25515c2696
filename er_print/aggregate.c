/* SPDX-License-Identifier: Apache-2.0 */
/* From records to sums by stack, and from those to sums by function. */
#include "er_print/aggregate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/escape.h"
#include "libexpt/cli/cli.h"

#define PLACE_NONE    SIZE_MAX	       /* no value is kept for a metric */
#define PLACE_DROPPED (IDMAP_NONE - 1) /* a PLT stub; see row_of_pc() */

void aggregate_free(struct aggregate *aggregate)
{
	if (!aggregate)
		return;
	for (size_t i = 0; i < aggregate->member_count; i++) {
		idmap_release(&aggregate->members[i].threads.ids);
		idmap_release(&aggregate->members[i].lwps.ids);
		idmap_release(&aggregate->members[i].cpus.ids);
	}
	for (size_t i = 0; aggregate->summaries && data_kinds[i]; i++) {
		if (aggregate->summaries[i])
			data_kinds[i]->release_summary(aggregate->summaries[i]);
		free(aggregate->summaries[i]);
	}
	free(aggregate->summaries);
	free(aggregate->members);
	free(aggregate->value_places);
	array_release(&aggregate->rows);
	array_release(&aggregate->stacks);
	idmap_release(&aggregate->rows_by_function);
	idmap_release(&aggregate->rows_by_identity);
	idmap_release(&aggregate->places);
	arena_release(&aggregate->arena);
	free(aggregate);
}

/* ---- rows ---- */

static struct row *add_row(struct aggregate *aggregate)
{
	size_t bytes = aggregate->width * sizeof(int64_t);
	int64_t *values = arena_alloc(&aggregate->arena, 2 * bytes + 1);
	struct row *row = values ? array_add(&aggregate->rows) : NULL;

	if (!row)
		return NULL;
	row->exclusive = values;
	row->inclusive = values + aggregate->width;
	return row;
}

static bool add_first_rows(struct aggregate *aggregate)
{
	static const char *const names[] = {
		[ROW_TOTAL] = "<Total>",
		[ROW_TRUNCATED] = "<Truncated-stack>",
		[ROW_FAILED] = "<Stack-unwind-failed>",
	};

	for (size_t i = 0; i < ROW_FIRST_FUNCTION; i++) {
		struct row *row = add_row(aggregate);

		if (!row)
			return false;
		row->name = names[i];
	}
	return true;
}

/* Functions of different founders are one row if they are the same function of the same object. */
static uint64_t identity_key(const struct expt_function *function)
{
	const struct expt_object *object = expt_function_object(function);
	uint64_t offset = expt_function_offset(function);
	uint64_t key = idmap_key(IDMAP_KEY, &offset, sizeof offset);

	key = idmap_text_key(key, expt_object_path(object));
	key = idmap_text_key(key, expt_object_build_id(object));
	return idmap_text_key(key, expt_function_name(function, EXPT_NAME_MANGLED));
}

uint32_t aggregate_row(struct session *session, const struct expt_function *function)
{
	struct aggregate *aggregate = session->aggregate;
	uint32_t *slot = idmap_add(&aggregate->rows_by_function, (uintptr_t)function);
	uint32_t *same = NULL;
	struct row *row;

	if (!slot || *slot != IDMAP_NONE)
		return slot ? *slot : IDMAP_NONE;
	if (session->founders > 1) {
		same = idmap_add(&aggregate->rows_by_identity, identity_key(function));
		if (!same)
			return IDMAP_NONE;
		if (*same != IDMAP_NONE)
			return *slot = *same;
	}
	*slot = (uint32_t)aggregate->rows.count;
	if (same)
		*same = *slot;
	row = add_row(aggregate);
	if (!row)
		return IDMAP_NONE;
	row->function = function;
	return *slot;
}

/* The row of an address. Most addresses occur in many stacks: they are looked up once. PLT stubs
 * have no row of their own but their number is remembered, as they count in the middle of a stack. */
static uint32_t row_of_pc(struct session *session, const struct stack_sum *stack,
			  uint64_t pc, bool is_leaf)
{
	struct aggregate *aggregate = session->aggregate;
	struct expt_place place;
	uint32_t *slot;

	if (aggregate->places_member != stack->member ||
	    aggregate->places_epoch != stack->epoch) {
		idmap_release(&aggregate->places);
		aggregate->places_member = stack->member;
		aggregate->places_epoch = stack->epoch;
	}
	slot = idmap_add(&aggregate->places, pc);
	if (!slot)
		return IDMAP_NONE;
	if (*slot != IDMAP_NONE && *slot != PLACE_DROPPED)
		return *slot;
	expt_place(session->members.items[stack->member].expt, pc, stack->time_ns, &place);
	if (place.is_plt) {
		*slot = PLACE_DROPPED;
		return is_leaf ? PLACE_DROPPED : aggregate_row(session, place.function);
	}
	return *slot = aggregate_row(session, place.function);
}

static uint64_t pc_at(const struct stack_sum *sum, const struct expt_stack *whole, size_t i)
{
	return i == 0 && sum->leaf ? sum->leaf : whole->pcs[i];
}

int aggregate_path(struct session *session, const struct stack_sum *stack,
		   struct row_path *path)
{
	struct expt_stack whole;
	struct expt_error err;
	size_t i = 0;

	path->count = 0;
	if (stack->uid == 0) /* none, or the file of stacks cannot be read */
		return 0;
	if (expt_stack(session->members.items[stack->member].expt, stack->uid, &whole,
		       &err) < 0)
		return -1;
	for (; i < whole.count + (whole.end != EXPT_STACK_WHOLE); i++) {
		uint32_t row = i < whole.count ? row_of_pc(session, stack,
							   pc_at(stack, &whole, i), i == 0)
			       : whole.end == EXPT_STACK_FAILED ? ROW_FAILED
								: ROW_TRUNCATED;
		uint32_t *new;

		if (row == PLACE_DROPPED)
			continue;
		new = row == IDMAP_NONE ? NULL : array_add(path);
		if (!new)
			return -1;
		*new = row;
	}
	return (int)path->count;
}

static void add_values(int64_t *sums, const int64_t *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		add_saturated(&sums[i], values[i]);
}

static bool has_value(const int64_t *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (values[i])
			return true;
	return false;
}

/* A stack counts for its leaf, and once for every function on it however often that recurs. */
static bool add_stack_to_rows(struct session *session, const struct stack_sum *stack,
			      struct row_path *path)
{
	struct aggregate *aggregate = session->aggregate;
	bool is_counted = has_value(stack->values, aggregate->width);

	if (aggregate_path(session, stack, path) < 0)
		return false;
	aggregate->visit++;
	for (size_t i = 0; i < path->count; i++) {
		struct row *row = &aggregate->rows.items[path->items[i]];

		if (i == 0)
			add_values(row->exclusive, stack->values, aggregate->width);
		if (row->visit == aggregate->visit)
			continue;
		row->visit = aggregate->visit;
		row->is_counted |= is_counted;
		add_values(row->inclusive, stack->values, aggregate->width);
	}
	return true;
}

static bool sum_by_function(struct session *session)
{
	struct aggregate *aggregate = session->aggregate;
	struct row_path path = { 0 };
	bool is_good = true;

	for (size_t i = 0; i < aggregate->stacks.count && is_good; i++)
		is_good = add_stack_to_rows(session, &aggregate->stacks.items[i], &path);
	array_release(&path);
	return is_good;
}

/* ---- stacks ---- */

/* The sums of the records read so far of one member, found by stack and epoch. */
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

	/* Stack uids are hashes; an epoch or a leaf spread over all bits keeps them apart. */
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
	sum->values =
		arena_alloc(&aggregate->arena, aggregate->width * sizeof *sum->values + 1);
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

/* The kind of data as tables know it, and the number of its first metric; NULL if they do not. */
static const struct data_kind *kind_of_data(enum expt_data data, size_t *base)
{
	for (size_t i = 0; data_kinds[i]; i++)
		if (data_kinds[i]->data == data) {
			*base = metric_base(i);
			return data_kinds[i];
		}
	return NULL;
}

/* How the records at hand are measured. */
struct gauge {
	const struct data_kind *kind; /* NULL: they are only counted */
	int64_t scale;
	struct {
		size_t metric, place; /* of the kind, and of the value that is kept */
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
		replay->summary = aggregate_summary(session->aggregate, kind);
		is_good = replay->state;
		*rc = expt_records_order(records, err);
	}
	while (is_good && *rc >= 0 && (*rc = expt_records_next(records, &record, err)) > 0)
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
	struct replay replay = {
		.session = session, .member = index->member, .gauge = &gauge, .index = index
	};
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

static bool read_member(struct session *session, uint32_t member)
{
	struct stack_index index = { .member = member };
	bool is_good = true;

	for (int data = 0; data < EXPT_DATA_COUNT && is_good; data++)
		if (expt_has_data(session->members.items[member].expt, (enum expt_data)data))
			is_good = read_data(session, &index, (enum expt_data)data);
	idmap_release(&index.by_stack);
	return is_good;
}

/* Look every stack up once: a file that cannot be read leaves the total, and what is missing is
 * counted. */
static void check_stacks(struct session *session)
{
	struct aggregate *aggregate = session->aggregate;
	struct row *total = &aggregate->rows.items[ROW_TOTAL];
	uint32_t unreadable = IDMAP_NONE;

	for (size_t i = 0; i < aggregate->stacks.count; i++) {
		struct stack_sum *sum = &aggregate->stacks.items[i];
		struct member *member = &session->members.items[sum->member];
		struct expt_stack stack;
		struct expt_error err;
		int rc;

		add_values(total->exclusive, sum->values, aggregate->width);
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
	memcpy(total->inclusive, total->exclusive, aggregate->width * sizeof(int64_t));
	for (size_t i = 0; i < aggregate->member_count; i++)
		if (aggregate->members[i].unknown_stacks)
			cli_warn("%s: %s: %" PRIu64
				 " call stacks are missing, their events "
				 "count in the total only",
				 session->members.items[i].name, expt_frames_name(),
				 aggregate->members[i].unknown_stacks);
}

/* Values are kept for the metrics that can be shown. */
static bool place_values(struct session *session)
{
	struct aggregate *aggregate = session->aggregate;

	aggregate->value_places =
		calloc(metric_count() + 1, sizeof *aggregate->value_places);
	if (!aggregate->value_places)
		return false;
	for (size_t i = 0; i < metric_count(); i++)
		aggregate->value_places[i] =
			metric_is_offered(session, i) ? aggregate->width++ : PLACE_NONE;
	return true;
}

static bool make_summaries(struct aggregate *aggregate)
{
	size_t kinds = 0;

	while (data_kinds[kinds])
		kinds++;
	aggregate->summaries = calloc(kinds + 1, sizeof *aggregate->summaries);
	for (size_t i = 0; i < kinds && aggregate->summaries; i++) {
		if (data_kinds[i]->summary_size == 0)
			continue;
		aggregate->summaries[i] = calloc(1, data_kinds[i]->summary_size);
		if (!aggregate->summaries[i])
			return false;
	}
	return aggregate->summaries;
}

void *aggregate_summary(const struct aggregate *aggregate, const struct data_kind *kind)
{
	for (size_t i = 0; data_kinds[i]; i++)
		if (data_kinds[i] == kind)
			return aggregate->summaries[i];
	return NULL;
}

static bool fill_aggregate(struct session *session)
{
	struct aggregate *aggregate = session->aggregate;

	aggregate->places_member = IDMAP_NONE;
	aggregate->member_count = session->members.count;
	aggregate->members =
		calloc(aggregate->member_count + 1, sizeof *aggregate->members);
	if (!aggregate->members || !add_first_rows(aggregate) || !make_summaries(aggregate))
		return false;
	for (size_t i = 0; i < aggregate->member_count; i++)
		if (!read_member(session, (uint32_t)i))
			return false;
	check_stacks(session);
	return sum_by_function(session);
}

struct aggregate *session_aggregate(struct session *session)
{
	if (session->aggregate)
		return session->aggregate;
	session->aggregate = calloc(1, sizeof *session->aggregate);
	if (session->aggregate) {
		if (place_values(session) && fill_aggregate(session))
			return session->aggregate;
	}
	aggregate_free(session->aggregate);
	session->aggregate = NULL;
	session->status = cli_error("out of memory");
	return NULL;
}

const char *row_name(const struct session *session, const struct row *row, char *buffer,
		     size_t size)
{
	const char *name = row->function
				   ? expt_function_name(row->function, session->name_form)
				   : row->name;
	const char *object =
		row->function ? expt_object_name(expt_function_object(row->function))
			      : "<Total>";

	char line[4096];

	if (!session->has_object_names)
		return escape_line(buffer, size, name);
	snprintf(line, sizeof line, "%s [%s]", name, object);
	if (escape_line(buffer, size, line) == line)
		snprintf(buffer, size, "%s", line);
	return buffer;
}
