/* SPDX-License-Identifier: Apache-2.0 */
/* Turns sums by stack into sums by function. */
#include "er_print/aggregate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "er_print/stack_sums.h"
#include "libexpt/base/array.h"
#include "libexpt/base/escape.h"
#include "libexpt/cli/cli.h"

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

/* Founders share the row of a function if it is the same one of the same object. */
static uint64_t identity_key(const struct expt_function *function)
{
	const struct expt_object *object = expt_function_object(function);
	uint64_t offset = expt_function_offset(function);
	uint64_t key = idmap_key(IDMAP_KEY, &offset, sizeof(offset));

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

/* Returns the row of an address. Most addresses occur in many stacks: they are looked up
 * once per epoch, except PLT stubs, which count in the middle of a stack but not at its
 * leaf. */
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
	expt_place(session->members.items[stack->member].expt, pc, stack->time_ns,
		   &place);
	if (place.is_plt) {
		*slot = PLACE_DROPPED;
		return is_leaf ? PLACE_DROPPED : aggregate_row(session, place.function);
	}
	return *slot = aggregate_row(session, place.function);
}

static uint64_t pc_at(const struct stack_sum *sum, const struct expt_stack *whole,
		      size_t i)
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
	if (stack->uid == 0) /* no stack, or the file of stacks is unreadable */
		return 0;
	if (expt_stack(session->members.items[stack->member].expt, stack->uid, &whole,
		       &err) < 0)
		return -1;
	for (; i < whole.count + (whole.end != EXPT_STACK_WHOLE); i++) {
		uint32_t row = i < whole.count
				       ? row_of_pc(session, stack,
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

/* A stack counts for its leaf, and once for every function on it, even if that recurs. */
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

static void add_total(struct aggregate *aggregate)
{
	struct row *total = &aggregate->rows.items[ROW_TOTAL];

	for (size_t i = 0; i < aggregate->stacks.count; i++)
		add_values(total->exclusive, aggregate->stacks.items[i].values,
			   aggregate->width);
	memcpy(total->inclusive, total->exclusive, aggregate->width * sizeof(int64_t));
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

/* ---- the aggregate ---- */

/* Keep values only for the metrics that can be shown. */
static bool place_values(struct session *session)
{
	struct aggregate *aggregate = session->aggregate;

	aggregate->value_places =
		calloc(metric_count() + 1, sizeof(*aggregate->value_places));
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
	aggregate->summaries = calloc(kinds + 1, sizeof(*aggregate->summaries));
	for (size_t i = 0; i < kinds && aggregate->summaries; i++) {
		if (data_kinds[i]->summary_size == 0)
			continue;
		aggregate->summaries[i] = calloc(1, data_kinds[i]->summary_size);
		if (!aggregate->summaries[i])
			return false;
	}
	return aggregate->summaries;
}

static bool fill_aggregate(struct session *session)
{
	struct aggregate *aggregate = session->aggregate;

	aggregate->places_member = IDMAP_NONE;
	aggregate->member_count = session->members.count;
	aggregate->members =
		calloc(aggregate->member_count + 1, sizeof(*aggregate->members));
	if (!aggregate->members || !add_first_rows(aggregate) ||
	    !make_summaries(aggregate))
		return false;
	for (size_t i = 0; i < aggregate->member_count; i++)
		if (!stack_sums_read(session, (uint32_t)i))
			return false;
	stack_sums_check(session);
	add_total(aggregate);
	return sum_by_function(session);
}

struct aggregate *session_aggregate(struct session *session)
{
	if (session->aggregate)
		return session->aggregate;
	session->aggregate = calloc(1, sizeof(*session->aggregate));
	if (session->aggregate) {
		if (place_values(session) && fill_aggregate(session))
			return session->aggregate;
	}
	aggregate_free(session->aggregate);
	session->aggregate = NULL;
	session->status = cli_error("out of memory");
	return NULL;
}

const char *aggregate_row_name(const struct session *session, const struct row *row,
			       char *buffer, size_t size)
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
	snprintf(line, sizeof(line), "%s [%s]", name, object);
	if (escape_line(buffer, size, line) == line)
		snprintf(buffer, size, "%s", line);
	return buffer;
}
