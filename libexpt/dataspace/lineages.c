/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/dataspace/lineages.h"

#include <stdlib.h>
#include <string.h>

static const char *lineage_of(const struct expt_view *view, size_t member)
{
	return expt_lineage(view->members.items[member].expt);
}

static uint64_t key_of(size_t founder, const char *lineage)
{
	return idmap_text_key(idmap_number_key(IDMAP_KEY, founder), lineage);
}

static bool add_names(const struct expt_view *view, struct idmap *by_name)
{
	for (size_t i = 0; i < view->members.count; i++) {
		uint32_t *slot = idmap_add(by_name, key_of(view->members.items[i].founder,
							   lineage_of(view, i)));

		if (!slot)
			return false;
		*slot = (uint32_t)i;
	}
	return true;
}

/* Check whether the lineage is that of a child by fork: "_f1_f2" of "_f1". */
static bool is_fork_of(const char *lineage, const char *parent)
{
	size_t length = strlen(parent);

	return strncmp(lineage, parent, length) == 0 &&
	       strncmp(lineage + length, "_f", 2) == 0 &&
	       !strchr(lineage + length + 1, '_');
}

static void note_fork(const struct expt_view *view, const struct idmap *by_name,
		      struct lineage *lineages, size_t parent,
		      const struct expt_event *event)
{
	const char *lineage = expt_event_attribute(event, "lineage");
	size_t founder = view->members.items[parent].founder;
	uint64_t start, parent_start;
	uint32_t child;

	if (!lineage || !event->has_time ||
	    !is_fork_of(lineage, lineage_of(view, parent)))
		return;
	child = idmap_find(by_name, key_of(founder, lineage));
	if (child == IDMAP_NONE || view->members.items[child].founder != founder ||
	    strcmp(lineage_of(view, child), lineage) != 0)
		return;
	start = expt_info(view->members.items[child].expt)->start_ns;
	parent_start = expt_info(view->members.items[parent].expt)->start_ns;
	if (lineages[child].parent != LINEAGE_NONE || start < parent_start ||
	    start - parent_start < event->time_ns)
		return;
	lineages[child] = (struct lineage){
		.parent = parent,
		.before_ns = event->time_ns,
		.after_ns = start - parent_start,
	};
}

struct lineage *lineages_find(const struct expt_view *view)
{
	struct lineage *lineages = calloc(view->members.count + 1, sizeof(*lineages));
	struct idmap by_name = { 0 };

	if (!lineages || !add_names(view, &by_name)) {
		idmap_release(&by_name);
		free(lineages);
		return NULL;
	}
	for (size_t i = 0; i < view->members.count; i++)
		lineages[i].parent = LINEAGE_NONE;
	for (size_t i = 0; i < view->members.count; i++) {
		const struct expt *expt = view->members.items[i].expt;

		for (size_t j = 0; j < expt_event_count(expt); j++)
			if (expt_event(expt, j)->kind == EXPT_EVENT_DESC_START)
				note_fork(view, &by_name, lineages, i,
					  expt_event(expt, j));
	}
	idmap_release(&by_name);
	return lineages;
}

static int compare_depths(const void *left, const void *right, void *context)
{
	size_t a = *(const size_t *)left, b = *(const size_t *)right;
	size_t depth_a = strlen(lineage_of(context, a));
	size_t depth_b = strlen(lineage_of(context, b));

	if (depth_a != depth_b)
		return depth_a < depth_b ? -1 : 1;
	return a < b ? -1 : a > b;
}

size_t *lineages_order(const struct expt_view *view)
{
	size_t *order = calloc(view->members.count + 1, sizeof(*order));

	for (size_t i = 0; order && i < view->members.count; i++)
		order[i] = i;
	if (order)
		qsort_r(order, view->members.count, sizeof(*order), compare_depths,
			(void *)(uintptr_t)view);
	return order;
}
