/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/outside/batch.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK_SIZE ((size_t)128 << 10) /* a record has less than half of it */

struct batch_chunk {
	struct batch_chunk *next;
	size_t used;	/* bytes */
	size_t records; /* that are not forgotten */
	uint64_t bytes[CHUNK_SIZE / sizeof(uint64_t)];
};

/* Round up, so that the next record is aligned. */
static size_t padded(size_t size)
{
	return (size + 7) & ~(size_t)7;
}

/* ---- adding ---- */

static struct batch_chunk *new_chunk(struct batch *batch)
{
	struct batch_chunk *chunk = batch->spare;

	if (chunk)
		batch->spare = chunk->next;
	else
		chunk = malloc(sizeof(*chunk));
	if (chunk) {
		chunk->next = NULL;
		chunk->used = chunk->records = 0;
	}
	return chunk;
}

/* Put chunks at the end of those of the batch. */
static void append(struct batch *batch, struct batch_chunk *first,
		   struct batch_chunk *last)
{
	if (batch->last)
		batch->last->next = first;
	else
		batch->first = first;
	batch->last = last;
}

static bool has_chunk_for(struct batch *batch, size_t size)
{
	struct batch_chunk *chunk = batch->last;

	if (chunk && sizeof(chunk->bytes) - chunk->used >= size)
		return true;
	chunk = size <= sizeof(chunk->bytes) ? new_chunk(batch) : NULL;
	if (chunk)
		append(batch, chunk, chunk);
	return chunk;
}

static bool has_entries_for(struct batch *batch, size_t count)
{
	size_t room = 2 * batch->entry_room + count + 1024;
	struct batch_entry *entries;

	if (batch->entry_room - batch->count >= count)
		return true;
	entries = realloc(batch->entries, room * sizeof(*entries));
	if (!entries)
		return false;
	batch->entries = entries;
	batch->entry_room = room;
	return true;
}

static void *end_of(struct batch_chunk *chunk)
{
	return (char *)chunk->bytes + chunk->used;
}

void *batch_room(struct batch *batch, size_t size)
{
	return has_chunk_for(batch, padded(size)) && has_entries_for(batch, 1)
		       ? end_of(batch->last)
		       : NULL;
}

void batch_add(struct batch *batch)
{
	struct batch_chunk *chunk = batch->last;
	const struct perf_event_header *header = end_of(chunk);
	size_t size = padded(header->size);

	batch->entries[batch->count] =
		(struct batch_entry){ record_time(header), batch->count, header, chunk };
	batch->count++;
	batch->length += size;
	chunk->used += size;
	chunk->records++;
}

bool batch_take(struct batch *batch, struct batch *from)
{
	struct batch_chunk *spare = batch->spare;

	if (!has_entries_for(batch, from->count))
		return false;
	for (size_t i = 0; i < from->count; i++) {
		struct batch_entry *entry = &batch->entries[batch->count];

		*entry = from->entries[i];
		entry->order = batch->count++;
	}
	if (from->first)
		append(batch, from->first, from->last);
	batch->length += from->length;
	batch->skipped += from->skipped;
	batch->has_stacks = batch->has_stacks || from->has_stacks;
	batch->spare = NULL;
	while (spare) {
		struct batch_chunk *next = spare->next;

		spare->next = from->spare;
		from->spare = spare;
		spare = next;
	}
	from->first = from->last = NULL;
	from->length = from->count = from->given = 0;
	from->skipped = 0;
	return true;
}

/* ---- giving out ---- */

static int compare(const void *a, const void *b)
{
	const struct batch_entry *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static void spare_empty_chunks(struct batch *batch)
{
	struct batch_chunk **link = &batch->first, *last = NULL;

	while (*link) {
		struct batch_chunk *chunk = *link;

		if (chunk->records > 0) {
			link = &chunk->next;
			last = chunk;
			continue;
		}
		*link = chunk->next;
		chunk->next = batch->spare;
		batch->spare = chunk;
	}
	batch->last = last;
}

static void forget_given(struct batch *batch)
{
	for (size_t i = 0; i < batch->given; i++) {
		batch->entries[i].chunk->records--;
		batch->length -= padded(batch->entries[i].header->size);
	}
	batch->count -= batch->given;
	memmove(batch->entries, batch->entries + batch->given,
		batch->count * sizeof(*batch->entries));
	batch->given = 0;
	for (size_t i = 0; i < batch->count; i++)
		batch->entries[i].order = i;
	spare_empty_chunks(batch);
}

void batch_order(struct batch *batch)
{
	if (batch->given > 0)
		forget_given(batch);
	if (batch->count > 0)
		qsort(batch->entries, batch->count, sizeof(*batch->entries), compare);
}

bool batch_next(struct batch *batch, uint64_t before_ns, struct perf_record *record)
{
	const struct batch_entry *entry = batch->entries + batch->given;

	if (batch->given == batch->count || entry->time_ns >= before_ns)
		return false;
	batch->given++;
	record_parse(record, entry->header, batch->has_stacks);
	record->time_ns = entry->time_ns;
	return true;
}

static void free_chunks(struct batch_chunk *chunk)
{
	while (chunk) {
		struct batch_chunk *next = chunk->next;

		free(chunk);
		chunk = next;
	}
}

void batch_release(struct batch *batch)
{
	free_chunks(batch->first);
	free_chunks(batch->spare);
	free(batch->entries);
	*batch = (struct batch){ 0 };
}
