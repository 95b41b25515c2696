/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/threads/omp_entries.h"

#include <stdlib.h>

#include "libexpt/base/array.h"
#include "libexpt/format.h"

/* Packets that tell of regions or tasks, and the field with the id. */
static const struct source {
	uint32_t entry, description;
	enum expt_field id;
} sources[] = {
	[EXPT_BY_REGION] = { PACKET_OMP_REGION_ENTER, PACKET_OMP_REGION, EXPT_CPRID },
	[EXPT_BY_TASK] = { PACKET_OMP_TASK_ENTER, PACKET_OMP_TASK, EXPT_TSKID },
};

static bool add_entry(struct omp_entries *entries, const struct expt_record *record,
		      uint64_t id)
{
	struct omp_entry *entry = array_add(&entries->list);

	if (entry)
		*entry = (struct omp_entry){
			.thread = record->thread,
			.time_ns = record->time_ns,
			.id = id,
			.order = entries->list.count,
		};
	return entry;
}

/* The first description of an id counts. */
static bool add_description(struct omp_entries *entries, const struct expt_record *record,
			    uint64_t id)
{
	uint32_t *slot = idmap_add(&entries->by_id, id);
	int64_t address = 0;
	uint64_t *pragma;

	if (!slot || *slot != IDMAP_NONE)
		return slot;
	pragma = array_add(&entries->pragmas);
	if (!pragma)
		return false;
	expt_record_value(record, EXPT_PRPC, &address);
	*pragma = (uint64_t)address;
	*slot = (uint32_t)(entries->pragmas.count - 1);
	return true;
}

static bool take(struct omp_entries *entries, const struct source *source,
		 const struct expt_record *record)
{
	uint32_t type = record->declaration->type;
	int64_t id;

	if (!expt_record_value(record, source->id, &id))
		return true;
	if (type == source->entry)
		return add_entry(entries, record, (uint64_t)id);
	if (type == source->description)
		return add_description(entries, record, (uint64_t)id);
	return true;
}

static int compare(const void *left, const void *right)
{
	const struct omp_entry *a = left, *b = right;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

bool omp_entries_read(struct omp_entries *entries, struct expt *expt, enum expt_omp_by by)
{
	struct expt_records *records;
	struct expt_record record;
	bool is_good = true;

	/* A failure to read has been reported with the sums of all events. */
	if (expt_records_open(&records, expt, EXPT_OMP, NULL) < 0)
		return true;
	while (is_good && expt_records_next(records, &record, NULL) > 0)
		is_good = take(entries, &sources[by], &record);
	expt_records_close(records);
	if (entries->list.count > 1)
		qsort(entries->list.items, entries->list.count,
		      sizeof(*entries->list.items), compare);
	return is_good;
}

uint64_t omp_entries_find(const struct omp_entries *entries, uint64_t thread,
			  uint64_t time_ns)
{
	struct omp_entry wanted = { thread, time_ns, 0, SIZE_MAX };
	const struct omp_entry *items = entries->list.items;
	size_t low = 0, high = entries->list.count;
	uint32_t description;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare(&items[middle], &wanted) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || items[low - 1].thread != thread)
		return 0;
	description = idmap_find(&entries->by_id, items[low - 1].id);
	return description == IDMAP_NONE ? 0 : entries->pragmas.items[description];
}

void omp_entries_release(struct omp_entries *entries)
{
	array_release(&entries->list);
	array_release(&entries->pragmas);
	idmap_release(&entries->by_id);
}
