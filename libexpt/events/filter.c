/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/events/filter.h"

#include "libexpt/events/evaluation.h"
#include "libexpt/events/stack_sums.h"

bool filter_is_set(const struct expt_view *view)
{
	bool is_set = view->filter;

	for (size_t i = 0; i < EXPT_SUBSET_COUNT; i++)
		is_set |= view->selections[i] != NULL;
	return is_set;
}

bool filter_is_of_stacks(const struct expt_view *view)
{
	for (size_t i = 0; i < EXPT_SUBSET_COUNT; i++)
		if (view->selections[i])
			return false;
	return view->filter && evaluation_is_of_stack(view->filter);
}

/* A filter keeps events for which it is unknown; a selection does not. */
bool filter_keeps(struct event *event, bool *keeps)
{
	struct expt_view *view = event->view;
	struct evaluation_result result;

	*keeps = true;
	for (size_t i = 0; i < EXPT_SUBSET_COUNT && *keeps; i++) {
		if (!view->selections[i])
			continue;
		if (!evaluation_find(view->selections[i], event, &result))
			return false;
		*keeps = result.is_known && result.value;
	}
	if (!*keeps || !view->filter)
		return true;
	if (!evaluation_find(view->filter, event, &result))
		return false;
	*keeps = !result.is_known || result.value;
	return true;
}

bool filter_keeps_record(struct expt_view *view, size_t member,
			 const struct expt_record *record, bool *keeps)
{
	struct event event = {
		.view = view,
		.member = (uint32_t)member,
		.record = record,
	};

	*keeps = true;
	if (!filter_is_set(view))
		return true;
	event.counts = &view->sums->members[member];
	return filter_keeps(&event, keeps);
}

void filter_reset(struct expt_view *view)
{
	if (view->filter)
		evaluation_reset(view->filter);
	for (size_t i = 0; i < EXPT_SUBSET_COUNT; i++)
		if (view->selections[i])
			evaluation_reset(view->selections[i]);
}

void filter_release(struct expt_view *view)
{
	evaluation_free(view->filter);
	view->filter = NULL;
	for (size_t i = 0; i < EXPT_SUBSET_COUNT; i++) {
		evaluation_free(view->selections[i]);
		view->selections[i] = NULL;
	}
}
