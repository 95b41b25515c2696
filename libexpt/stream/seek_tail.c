/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/stream/seek_tail.h"

#include <errno.h>
#include <stdlib.h>

#include "libexpt/base/array.h"
#include "libexpt/common/error.h"
#include "libexpt/stream/frame.h"
#include "libexpt/stream/seek_table.h"

/* A table of this size describes 64 TB in frames of COMPRESS_FRAME_SIZE. */
#define TABLE_MAX (64u << 20)

void seek_tail_release(struct seek_tail *tail)
{
	free(tail->index);
	*tail = (struct seek_tail){ 0 };
}

/* An index counts only if a seek table follows it directly and it is no longer than a
 * table entry can describe. */
int64_t seek_tail_frame_size(const struct seek_tail *tail, const unsigned char *head,
			     uint64_t place)
{
	uint32_t magic = seek_get32(head);
	int64_t size = (int64_t)seek_get32(head + 4) + SKIPPABLE_HEAD;

	if (magic == SEEK_INDEX_MAGIC)
		return size <= SEEK_PACKED_MAX ? size : 0;
	if (magic != SEEK_TABLE_MAGIC || !tail->index || tail->end != place)
		return 0;
	return size <= TABLE_MAX ? size : -EBADMSG;
}

/* Returns the size before compression if the index is the last frame in the table, else
 * 0. */
static uint64_t plain_size(const struct seek_tail *tail, const struct seek_table *table)
{
	const struct seek_entry *last = table->items + table->count - 1;
	uint64_t size = 0;

	if (table->count == 0 || last->plain_size != 0 ||
	    last->packed_size != tail->index_size)
		return 0;
	for (size_t i = 0; i < table->count; i++)
		size += table->items[i].plain_size;
	return size;
}

void seek_tail_add_frame(struct seek_tail *tail, unsigned char *frame, size_t size,
			 uint64_t place)
{
	struct seek_table table = { 0 };

	if (seek_get32(frame) == SEEK_INDEX_MAGIC) {
		seek_tail_release(tail);
		*tail = (struct seek_tail){ frame, size, place + size, 0 };
		return;
	}
	if (seek_table_parse(&table, frame, size, place))
		tail->plain_size = plain_size(tail, &table);
	tail->end = place + size;
	array_release(&table);
	free(frame);
}

int seek_tail_index(char **text, uint64_t *size, const struct seek_tail *tail,
		    uint64_t end, size_t max, struct expt_error *err)
{
	if (!tail->index || tail->plain_size == 0 || tail->end != end)
		return 0;
	*size = tail->plain_size;
	return seek_index_text(text, tail->index, tail->index_size, max, err);
}

int seek_index_text(char **text, const unsigned char *frame, size_t size, size_t max,
		    struct expt_error *err)
{
	int rc = -EBADMSG;

	if (size >= SKIPPABLE_HEAD && seek_get32(frame) != SEEK_INDEX_MAGIC)
		return 0;
	if (size >= SKIPPABLE_HEAD && seek_get32(frame + 4) == size - SKIPPABLE_HEAD)
		rc = frame_text(text, frame + SKIPPABLE_HEAD, size - SKIPPABLE_HEAD, max);
	if (rc == -ENOMEM)
		return expt_fail(err, rc, "cannot read the index of the bundle");
	return rc < 0 ? expt_refuse(err, rc, "the index of the bundle is damaged") : 1;
}
