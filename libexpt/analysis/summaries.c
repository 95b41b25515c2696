/* SPDX-License-Identifier: Apache-2.0 */
/* The heap's summary, and numbers of threads and the like. */

#include "libexpt/events/problems.h"
#include "libexpt/events/stack_sums.h"
#include "libexpt/kinds/heap.h"

static void *summary_of(const struct expt_view *view, const struct data_kind *kind)
{
	for (size_t i = 0; i < KIND_COUNT; i++)
		if (view->uses[i].kind == kind)
			return view->sums->summaries[i];
	return NULL;
}

int expt_view_heap(struct expt_view *view, const struct expt_heap **heap,
		   struct expt_error *err)
{
	struct heap_summary *summary;

	if (!stack_sums_get(view))
		return view_refuse(view, err);
	summary = summary_of(view, &heap_kind);
	summary->heap.peak_times_ns = summary->times.items;
	summary->heap.peak_count = summary->times.count;
	summary->heap.levels = summary->levels.items;
	summary->heap.level_count = summary->levels.count;
	*heap = &summary->heap;
	return 0;
}

int expt_view_counts(struct expt_view *view, size_t i, struct expt_counts *counts,
		     struct expt_error *err)
{
	const struct member_counts *members;

	if (!stack_sums_get(view))
		return view_refuse(view, err);
	members = view->sums->members;
	*counts = (struct expt_counts){
		.records = members[i].records,
		.threads = members[i].threads.ids.count,
		.lwps = members[i].lwps.ids.count,
		.cpus = members[i].cpus.ids.count,
	};
	return 0;
}
