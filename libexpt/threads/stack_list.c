/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/threads/stack_list.h"

#include <errno.h>

#include "libexpt/base/array.h"
#include "libexpt/common/error.h"

uint32_t stack_list_add(struct stack_list *list, uint32_t member,
			const struct expt_record *record, uint64_t leaf)
{
	struct expt *expt = list->view->members.items[member].expt;
	uint64_t words[] = { member, record->stack, leaf,
			     expt_epoch(expt, record->time_ns) };
	uint32_t *slot =
		idmap_add(&list->by_key, idmap_key(IDMAP_KEY, words, sizeof(words)));
	struct stack_sum *sum;

	if (!slot || *slot != IDMAP_NONE)
		return slot ? *slot : IDMAP_NONE;
	sum = array_add(&list->stacks);
	if (!sum)
		return IDMAP_NONE;
	sum->member = member;
	sum->uid = record->stack;
	sum->time_ns = record->time_ns;
	sum->leaf = leaf;
	sum->leaf_is_added = leaf != 0;
	return *slot = (uint32_t)(list->stacks.count - 1);
}

int stack_list_frames(struct stack_list *list, size_t stack, struct expt_frames *frames,
		      struct expt_error *err)
{
	int end = frames_find(&list->frames, list->view, &list->stacks.items[stack]);

	if (end < 0)
		return expt_refuse(err, -ENOMEM, "out of memory");
	*frames = (struct expt_frames){
		.places = list->frames.items,
		.count = list->frames.count,
		.end = (enum expt_stack_end)end,
	};
	return 0;
}

void stack_list_release(struct stack_list *list)
{
	array_release(&list->stacks);
	array_release(&list->frames);
	idmap_release(&list->by_key);
}

static bool read_member(const struct expt_view *view, uint32_t member,
			enum expt_data data, record_taker take, void *context)
{
	struct expt *expt = view->members.items[member].expt;
	struct expt_records *records;
	struct expt_record record;
	bool is_good = true;

	if (!expt_has_data(expt, data) ||
	    expt_records_open(&records, expt, data, NULL) < 0)
		return true;
	if (expt_records_order(records, NULL) == 0)
		while (is_good && expt_records_next(records, &record, NULL) > 0)
			is_good = !view_is_stopped(view) &&
				  take(context, member, &record);
	expt_records_close(records);
	return is_good;
}

bool stack_list_read(const struct expt_view *view, enum expt_data data, record_taker take,
		     void *context)
{
	for (size_t i = 0; i < view->members.count; i++)
		if (!read_member(view, (uint32_t)i, data, take, context))
			return false;
	return true;
}
