/* SPDX-License-Identifier: Apache-2.0 */
/* Records of the kernel in memory, given out in the order of time. */
#ifndef COLLECTOR_OUTSIDE_BATCH_H
#define COLLECTOR_OUTSIDE_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/outside/record.h"

struct batch {
	/* The bytes of the records, which remain where they are: the first use of memory
	 * costs more than what is written to it. */
	struct batch_chunk *first, *last;
	struct batch_chunk *spare; /* without records, for later ones */
	struct batch_entry {
		uint64_t time_ns;
		size_t order;
		const struct perf_event_header *header;
		struct batch_chunk *chunk; /* where it is */
	} * entries;
	size_t length; /* bytes */
	size_t count, entry_room;
	size_t given;	  /* entries that were given out */
	bool has_stacks;  /* RECORD_STACK_TYPE */
	uint64_t skipped; /* samples for which there was no room */
};

/* Samples wait in no batch that is larger; other records always do. In bytes. */
#define BATCH_MAX (64 << 20)

static inline bool batch_is_full(const struct batch *batch)
{
	return batch->length >= BATCH_MAX;
}

/* Returns room for a record at the end, or NULL; batch_add() then adds what is there. */
void *batch_room(struct batch *batch, size_t size);
void batch_add(struct batch *batch);
/* Add the records of another batch, of which none was given out, and the count of those
 * that were skipped. The other one is empty then, and has the spare memory of both.
 * False: out of memory, and nothing has changed. */
bool batch_take(struct batch *batch, struct batch *from);
/* Forget the records given out, and order the others. */
void batch_order(struct batch *batch);
/* Get the next record older than before_ns. It is valid until the next call of
 * batch_order(). */
bool batch_next(struct batch *batch, uint64_t before_ns, struct perf_record *record);
void batch_release(struct batch *batch);

#endif
