/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call stacks: a stack is joined from its lists of values at its first use; one without a
 * continuation, the usual case, needs no copy.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "libexpt/base/array.h"
#include "libexpt/common/error.h"
#include "libexpt/experiment/damage.h"
#include "libexpt/experiment/private.h"
#include "libexpt/experiment/stack_table.h"
#include "libexpt/format.h"

/* Capacity of one packet: no recorder writes longer stacks. A longer linked one would be
 * walked again for each of its records. */
#define DEPTH_MAX ((size_t)16384)

/* Stacks joined from links may be far larger than their file. This limit on values and
 * links in total exceeds any real recording and still fits a small machine. */
#define JOINED_VALUES_MAX (UINT64_C(1) << 25)

static struct value_list *next_list(struct stack_table *table,
				    const struct value_list *list)
{
	uint32_t index;

	if (!list->has_link)
		return NULL;
	index = idmap_find(&table->list_uids, list->link);
	return index == IDMAP_NONE ? NULL : &table->lists.items[index];
}

static bool append(struct stack_table *table, const uint64_t *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t *new = array_add(&table->joined);

		if (!new)
			return false;
		*new = values[i];
	}
	return true;
}

/* Mark the cut, which readers show as a frame of its own. */
static bool cut_off(struct expt *expt, const char *what)
{
	static const uint64_t marker = STACK_TRUNCATED;

	expt_add_damage(expt, "%s: %s", expt->stacks->file, what);
	return append(expt->stacks, &marker, 1);
}

static bool append_lists(struct expt *expt, struct value_list *list)
{
	struct stack_table *table = expt->stacks;

	for (; list; list = next_list(table, list)) {
		if (list->visit == table->visit) {
			expt_add_damage(expt,
					"%s: stack 0x%016" PRIx64 " continues in itself",
					table->file, list->link);
			return true;
		}
		list->visit = table->visit;
		table->joined_total += 1 + list->count;
		if (table->joined_total > JOINED_VALUES_MAX)
			return cut_off(expt, "the stacks are too long: truncated");
		if (list->count > DEPTH_MAX - table->joined.count)
			return cut_off(expt, "a stack is too deep: truncated");
		if (list->count > 0 &&
		    !append(table, table->values.items + list->first, list->count))
			return false;
	}
	return true;
}

/* The values of a stack, joined. */
struct whole {
	const uint64_t *values;
	size_t count;
};

static int cannot_read(struct expt *expt, struct expt_error *err)
{
	return expt_fail(err, -ENOMEM, "cannot read '%s'", expt->stacks->file);
}

/* Follow the links from a list on, and copy all values to the arena. */
static int join_lists(struct expt *expt, struct value_list *list, struct whole *whole,
		      struct expt_error *err)
{
	struct stack_table *table = expt->stacks;
	uint64_t *values;

	table->joined.count = 0;
	table->visit++;
	if (!append_lists(expt, list))
		return cannot_read(expt, err);
	values = arena_alloc(&table->arena, (table->joined.count + 1) * sizeof(*values));
	if (!values)
		return cannot_read(expt, err);
	if (table->joined.count)
		memcpy(values, table->joined.items,
		       table->joined.count * sizeof(*values));
	whole->values = values;
	whole->count = table->joined.count;
	return 0;
}

/* Get all values of the list with this number. */
static int join(struct expt *expt, uint32_t number, struct whole *whole,
		struct expt_error *err)
{
	struct value_list *list;

	*whole = (struct whole){ .count = 0 };
	if (number == IDMAP_NONE)
		return 0;
	list = &expt->stacks->lists.items[number];
	if (list->has_link)
		return join_lists(expt, list, whole, err);
	if (list->count > 0) {
		whole->values = expt->stacks->values.items + list->first;
		whole->count = list->count;
	}
	return 0;
}

/* Remove the marker at the root of a native stack, and return its meaning. */
static enum expt_stack_end take_end(struct whole *whole)
{
	uint64_t last = whole->count ? whole->values[whole->count - 1] : 0;

	if (last != STACK_TRUNCATED && last != STACK_UNWIND_FAILED)
		return EXPT_STACK_WHOLE;
	whole->count--;
	return last == STACK_TRUNCATED ? EXPT_STACK_TRUNCATED : EXPT_STACK_FAILED;
}

static int join_frame(struct expt *expt, struct frame *frame, struct expt_error *err)
{
	struct whole whole;
	int rc = join(expt, frame->list, &whole, err);

	if (rc < 0)
		return rc;
	frame->end = take_end(&whole);
	frame->pcs = whole.values;
	frame->count = whole.count;
	frame->is_joined = true;
	return 0;
}

/* Find the frame with this uid: 1, or 0 if there is none. */
static int find_frame(struct expt *expt, uint64_t uid, uint32_t *index,
		      struct expt_error *err)
{
	if (!expt->stacks) {
		int rc = stack_table_open(expt, err);

		if (rc < 0)
			return rc;
	}
	*index = uid ? idmap_find(&expt->stacks->frame_uids, uid) : IDMAP_NONE;
	return *index != IDMAP_NONE;
}

int expt_stack(struct expt *expt, uint64_t uid, struct expt_stack *stack,
	       struct expt_error *err)
{
	struct frame *frame;
	uint32_t index;
	int rc;

	*stack = (struct expt_stack){ .index = EXPT_STACK_NONE };
	rc = find_frame(expt, uid, &index, err);
	if (rc <= 0)
		return rc;
	frame = &expt->stacks->frames.items[index];
	if (!frame->is_joined) {
		rc = join_frame(expt, frame, err);
		if (rc < 0)
			return rc;
	}
	*stack = (struct expt_stack){
		.pcs = frame->pcs,
		.count = frame->count,
		.end = frame->end,
		.index = index,
	};
	return 1;
}

size_t expt_stack_limit(const struct expt *expt)
{
	return expt->stacks ? expt->stacks->frames.count : 0;
}

/* ---- other stacks of a frame ---- */

/* Find them: 1, or 0 if there are none. */
static int find_extra(struct expt *expt, uint64_t uid, struct frame_extra **extra,
		      struct expt_error *err)
{
	uint32_t index;
	int rc = find_frame(expt, uid, &index, err);

	if (rc <= 0 || expt->stacks->frames.items[index].extra == IDMAP_NONE)
		return rc < 0 ? rc : 0;
	*extra = &expt->stacks->extras.items[expt->stacks->frames.items[index].extra];
	return 1;
}

/* The first word of a pair has a 32-bit number in its lower half. */
static int make_java(struct expt *expt, struct frame_extra *extra,
		     const struct whole *whole, struct expt_error *err)
{
	size_t count = whole->count / 2;
	struct expt_java_frame *frames =
		arena_alloc(&expt->stacks->arena, count * sizeof(*frames) + 1);

	if (!frames)
		return cannot_read(expt, err);
	for (size_t i = 0; i < count; i++) {
		frames[i].bci = (int32_t)(uint32_t)whole->values[2 * i];
		frames[i].method = whole->values[2 * i + 1];
	}
	if (count > 0 && frames[count - 1].method == STACK_TRUNCATED) {
		extra->java.end = EXPT_STACK_TRUNCATED;
		count--;
	}
	extra->java.frames = frames;
	extra->java.count = count;
	extra->has_java = true;
	return 0;
}

int expt_java_stack(struct expt *expt, uint64_t uid, struct expt_java_stack *stack,
		    struct expt_error *err)
{
	struct frame_extra *extra;
	struct whole whole;
	int rc = find_extra(expt, uid, &extra, err);

	*stack = (struct expt_java_stack){ .count = 0 };
	if (rc <= 0 || extra->java_list == IDMAP_NONE)
		return rc < 0 ? rc : 0;
	if (!extra->has_java) {
		rc = join(expt, extra->java_list, &whole, err);
		if (rc == 0)
			rc = make_java(expt, extra, &whole, err);
		if (rc < 0)
			return rc;
	}
	*stack = extra->java;
	return 1;
}

int expt_omp_stack(struct expt *expt, uint64_t uid, struct expt_omp_stack *stack,
		   struct expt_error *err)
{
	struct frame_extra *extra;
	struct whole whole;
	int rc = find_extra(expt, uid, &extra, err);

	*stack = (struct expt_omp_stack){ .count = 0 };
	if (rc <= 0 || !extra->has_omp_state)
		return rc < 0 ? rc : 0;
	if (!extra->has_omp && extra->has_omp_user) {
		rc = join(expt, idmap_find(&expt->stacks->list_uids, extra->omp_uid),
			  &whole, err);
		if (rc < 0)
			return rc;
		extra->omp.end = take_end(&whole);
		extra->omp.pcs = whole.values;
		extra->omp.count = whole.count;
		extra->omp.has_user = true;
	}
	extra->has_omp = true;
	*stack = extra->omp;
	return 1;
}
