/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/outside/batch.h"

#include <stdlib.h>
#include <string.h>

/* Round up, so that the next record is aligned. */
static size_t padded(size_t size)
{
	return (size + 7) & ~(size_t)7;
}

static const struct perf_event_header *header_of(const struct batch *batch, size_t at)
{
	return (const void *)(batch->bytes + at);
}

static bool make_room(struct batch *batch, size_t size)
{
	if (batch->length + size > batch->room) {
		size_t room = 2 * batch->room + size + 65536;
		char *bytes = realloc(batch->bytes, room);

		if (!bytes)
			return false;
		batch->bytes = bytes;
		batch->room = room;
	}
	if (batch->count == batch->entry_room) {
		size_t room = 2 * batch->entry_room + 1024;
		struct batch_entry *entries =
			realloc(batch->entries, room * sizeof(*entries));

		if (!entries)
			return false;
		batch->entries = entries;
		batch->entry_room = room;
	}
	return true;
}

void *batch_room(struct batch *batch, size_t size)
{
	return make_room(batch, padded(size)) ? batch->bytes + batch->length : NULL;
}

void batch_add(struct batch *batch)
{
	const struct perf_event_header *header = header_of(batch, batch->length);

	batch->entries[batch->count] =
		(struct batch_entry){ record_time(header), batch->length, batch->count };
	batch->count++;
	batch->length += padded(header->size);
}

static bool copy(struct batch *batch, const struct batch *from, size_t entry)
{
	const struct perf_event_header *header = header_of(from, from->entries[entry].at);
	void *room = batch_room(batch, header->size);

	if (!room)
		return false;
	memcpy(room, header, header->size);
	batch_add(batch);
	return true;
}

bool batch_take(struct batch *batch, struct batch *from)
{
	struct batch before = *batch;

	if (batch->count == 0) {
		batch_release(batch);
		*batch = *from;
		batch->skipped += before.skipped;
		*from = (struct batch){ 0 };
		return true;
	}
	for (size_t i = from->given; i < from->count; i++)
		if (!copy(batch, from, i)) {
			batch->count = before.count;
			batch->length = before.length;
			return false;
		}
	batch->skipped += from->skipped;
	batch_release(from);
	return true;
}

static int compare(const void *a, const void *b)
{
	const struct batch_entry *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* The bytes are in no order: without memory for a copy, all of them stay. */
static void drop_given(struct batch *batch)
{
	struct batch rest = { .has_stacks = batch->has_stacks,
			      .skipped = batch->skipped };

	for (size_t i = batch->given; i < batch->count; i++)
		if (!copy(&rest, batch, i)) {
			batch_release(&rest);
			return;
		}
	batch_release(batch);
	*batch = rest;
}

void batch_order(struct batch *batch)
{
	if (batch->given > 0)
		drop_given(batch);
	if (batch->count > batch->given)
		qsort(batch->entries + batch->given, batch->count - batch->given,
		      sizeof(*batch->entries), compare);
}

bool batch_next(struct batch *batch, uint64_t before_ns, struct perf_record *record)
{
	const struct batch_entry *entry = batch->entries + batch->given;

	if (batch->given == batch->count || entry->time_ns >= before_ns)
		return false;
	batch->given++;
	record_parse(record, header_of(batch, entry->at), batch->has_stacks);
	record->time_ns = entry->time_ns;
	return true;
}

void batch_release(struct batch *batch)
{
	free(batch->bytes);
	free(batch->entries);
	*batch = (struct batch){ 0 };
}
