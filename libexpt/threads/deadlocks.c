/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlocks: threads that hold locks and request those of each other. Each lock is a
 * record. */
#include <stdlib.h>

#include "libexpt/base/array.h"
#include "libexpt/events/problems.h"
#include "libexpt/threads/stack_list.h"

struct lock {
	uint32_t deadlock;
	size_t number; /* in the order of time */
	size_t order;  /* of the thread: the number of its first lock */
	struct expt_lock shown;
};

struct expt_deadlocks {
	struct {
		struct expt_deadlock *items;
		size_t count, capacity;
	} list;
	struct {
		struct lock *items;
		size_t count, capacity;
	} locks;
	struct expt_lock *shown; /* of all deadlocks */
	struct idmap by_id, by_thread;
	struct stack_list stacks;
};

void expt_deadlocks_free(struct expt_deadlocks *deadlocks)
{
	if (!deadlocks)
		return;
	array_release(&deadlocks->list);
	array_release(&deadlocks->locks);
	free(deadlocks->shown);
	idmap_release(&deadlocks->by_id);
	idmap_release(&deadlocks->by_thread);
	stack_list_release(&deadlocks->stacks);
	free(deadlocks);
}

/* Returns the number of the deadlock with this id, or IDMAP_NONE: out of memory. */
static uint32_t number_of(struct expt_deadlocks *deadlocks, uint32_t member, uint64_t id)
{
	uint64_t words[] = { member, id };
	uint32_t *slot =
		idmap_add(&deadlocks->by_id, idmap_key(IDMAP_KEY, words, sizeof(words)));
	struct expt_deadlock *deadlock;

	if (!slot || *slot != IDMAP_NONE)
		return slot ? *slot : IDMAP_NONE;
	deadlock = array_add(&deadlocks->list);
	if (!deadlock)
		return IDMAP_NONE;
	deadlock->id = id;
	deadlock->expt = member;
	deadlock->is_potential = true;
	return *slot = (uint32_t)(deadlocks->list.count - 1);
}

/* Threads are in the order of their first locks. */
static bool find_order(struct expt_deadlocks *deadlocks, struct lock *lock)
{
	uint64_t words[] = { lock->deadlock, lock->shown.thread };
	uint32_t *slot = idmap_add(&deadlocks->by_thread,
				   idmap_key(IDMAP_KEY, words, sizeof(words)));

	if (!slot)
		return false;
	if (*slot == IDMAP_NONE)
		*slot = (uint32_t)deadlocks->locks.count;
	lock->order = *slot;
	return true;
}

static bool add_lock(struct expt_deadlocks *deadlocks, uint32_t member,
		     const struct expt_record *record, uint32_t number)
{
	int64_t kind = EXPT_LOCK_HELD, address = 0;
	uint32_t stack = stack_list_add(&deadlocks->stacks, member, record, 0);
	struct lock lock = { .deadlock = number, .number = deadlocks->locks.count };
	struct lock *new;

	expt_record_value(record, EXPT_DTYPE, &kind);
	expt_record_value(record, EXPT_DVADDR, &address);
	lock.shown = (struct expt_lock){
		.is_held = kind == EXPT_LOCK_HELD,
		.address = (uint64_t)address,
		.thread = record->thread,
		.stack = stack,
	};
	if (stack == IDMAP_NONE || !find_order(deadlocks, &lock))
		return false;
	new = array_add(&deadlocks->locks);
	if (new)
		*new = lock;
	return new;
}

/* A deadlock that happened once is an actual one. */
static bool take(void *context, uint32_t member, const struct expt_record *record)
{
	struct expt_deadlocks *deadlocks = context;
	int64_t id = 0, kind = EXPT_DEADLOCK_ACTUAL;
	uint32_t number;

	expt_record_value(record, EXPT_DID, &id);
	expt_record_value(record, EXPT_DLTYPE, &kind);
	number = number_of(deadlocks, member, (uint64_t)id);
	if (number == IDMAP_NONE)
		return false;
	if (kind == EXPT_DEADLOCK_ACTUAL)
		deadlocks->list.items[number].is_potential = false;
	return add_lock(deadlocks, member, record, number);
}

static int compare_numbers(size_t a, size_t b)
{
	return a < b ? -1 : a > b;
}

/* A thread's locks are in the order of time, except that it requests one last. */
static int compare_locks(const void *left, const void *right)
{
	const struct lock *a = left, *b = right;
	int order = compare_numbers(a->deadlock, b->deadlock);

	if (order == 0)
		order = compare_numbers(a->order, b->order);
	if (order == 0)
		order = compare_numbers(!a->shown.is_held, !b->shown.is_held);
	return order ? order : compare_numbers(a->number, b->number);
}

static int compare_deadlocks(const void *left, const void *right)
{
	const struct expt_deadlock *a = left, *b = right;
	int order = compare_numbers(a->expt, b->expt);

	return order ? order : compare_numbers(a->id, b->id);
}

static bool finish(struct expt_deadlocks *deadlocks)
{
	size_t count = deadlocks->locks.count;
	struct lock *locks = deadlocks->locks.items;

	deadlocks->shown = calloc(count + 1, sizeof(*deadlocks->shown));
	if (!deadlocks->shown || count == 0)
		return deadlocks->shown;
	qsort(locks, count, sizeof(*locks), compare_locks);
	for (size_t i = 0; i < count; i++) {
		struct expt_deadlock *deadlock =
			&deadlocks->list.items[locks[i].deadlock];

		deadlocks->shown[i] = locks[i].shown;
		if (deadlock->lock_count++ == 0)
			deadlock->locks = &deadlocks->shown[i];
	}
	qsort(deadlocks->list.items, deadlocks->list.count,
	      sizeof(*deadlocks->list.items), compare_deadlocks);
	return true;
}

int expt_deadlocks_find(struct expt_deadlocks **out, struct expt_view *view,
			struct expt_error *err)
{
	struct expt_deadlocks *deadlocks = calloc(1, sizeof(*deadlocks));

	if (deadlocks) {
		deadlocks->stacks.view = view;
		if (stack_sums_get(view) &&
		    stack_list_read(view, EXPT_DEADLOCK, take, deadlocks) &&
		    finish(deadlocks)) {
			*out = deadlocks;
			return 0;
		}
	}
	expt_deadlocks_free(deadlocks);
	return view_refuse(view, err);
}

size_t expt_deadlocks_count(const struct expt_deadlocks *deadlocks)
{
	return deadlocks->list.count;
}

const struct expt_deadlock *expt_deadlock(const struct expt_deadlocks *deadlocks,
					  size_t i)
{
	return &deadlocks->list.items[i];
}

int expt_deadlocks_frames(struct expt_deadlocks *deadlocks, expt_conflict_stack stack,
			  struct expt_frames *frames, struct expt_error *err)
{
	return stack_list_frames(&deadlocks->stacks, stack, frames, err);
}
