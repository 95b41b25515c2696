/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/dataspace/moments.h"

#include <stdlib.h>

#include "libexpt/base/array.h"

static bool add(struct moments *moments, enum moment_kind kind, uint64_t time_ns,
		size_t child)
{
	struct moment *moment = array_add(moments);

	if (moment)
		*moment = (struct moment){ .time_ns = time_ns,
					   .number = moments->count,
					   .kind = kind,
					   .child = child };
	return moment;
}

static bool add_pauses(struct moments *moments, const struct expt *expt)
{
	for (size_t i = 0; i < expt_event_count(expt); i++) {
		const struct expt_event *event = expt_event(expt, i);
		enum moment_kind kind;

		if (event->kind == EXPT_EVENT_PAUSE || event->kind == EXPT_EVENT_RESUME)
			kind = MOMENT_PAUSE;
		else if (event->kind == EXPT_EVENT_THREAD_PAUSE)
			kind = MOMENT_THREAD_PAUSE;
		else if (event->kind == EXPT_EVENT_THREAD_RESUME)
			kind = MOMENT_THREAD_RESUME;
		else
			continue;
		if (!add(moments, kind, event->time_ns, 0))
			return false;
	}
	return true;
}

static int compare(const void *left, const void *right)
{
	const struct moment *a = left, *b = right;

	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

bool moments_find(struct moments *moments, const struct expt_view *view, size_t member,
		  const struct lineage *lineages, const bool *is_wanted)
{
	if (!add_pauses(moments, view->members.items[member].expt))
		return false;
	for (size_t i = 0; i < view->members.count; i++)
		if (lineages[i].parent == member && is_wanted[i] &&
		    (!add(moments, MOMENT_FORK, lineages[i].before_ns, i) ||
		     !add(moments, MOMENT_FORKED, lineages[i].after_ns, i)))
			return false;
	if (moments->count > 1)
		qsort(moments->items, moments->count, sizeof(*moments->items), compare);
	return true;
}
