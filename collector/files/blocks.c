/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/files/blocks.h"

#include "collector/base/system.h"
#include "collector/files/limits.h"
#include "collector/process/guard.h"
#include "collector/process/process.h"
#include "libexpt/format.h"

static bool is_in_memory(const struct output *output)
{
	return !output_is_open(output) && windows_at(&output->windows, 0) != NULL;
}

static char *claim_block(struct output *output, size_t *offset)
{
	char *window;
	int error;

	if ((!output_is_open(output) && !is_in_memory(output)) ||
	    collector_is_full(BLOCK_SIZE))
		return NULL;
	*offset = atomic_fetch_add(&output->end, BLOCK_SIZE);
	if (collector_is_suspended())
		return NULL;
	window = output_window(output, *offset / output->windows.size, &error);
	if (!window) {
		collector_stop(EXPT_ERROR_FILE_RESIZE, error);
		return NULL;
	}
	/* The thread that reaches the middle of a window makes the next one: before it is
	 * needed in a sandbox, and while other threads, which would make it too, still
	 * have blocks. */
	if (*offset % output->windows.size == output->windows.size / 2)
		output_window(output, *offset / output->windows.size + 1, &error);
	return window + *offset % output->windows.size;
}

static void close_block(struct cursor *cursor, struct output *output)
{
	size_t rest = BLOCK_SIZE - cursor->used;

	if (rest >= sizeof(struct packet_head) && rest <= UINT16_MAX)
		cursor_publish(cursor->block + cursor->used, PACKET_CLOSED, rest);
	cursor->block = NULL;
	windows_count_full_block(&output->windows, cursor->offset / output->windows.size);
}

/* Signals are blocked: a handler that got here and forked would leave the child with
 * half-made windows. */
static __attribute__((noinline)) char *next_block(struct cursor *cursor,
						  struct output *output)
{
	uint64_t mask = collector_enter();
	char *block;

	if (cursor->block)
		close_block(cursor, output);
	cursor->block = block = claim_block(output, &cursor->offset);
	cursor->used = 0;
	collector_leave(mask);
	return block;
}

/* Readers skip a packet that is never published, because the process is killed first or a
 * handler jumps away. */
char *cursor_reserve(struct cursor *cursor, struct output *output, size_t size)
{
	/* Read it once: in a child forked by a handler it suddenly becomes NULL. */
	char *block = __atomic_load_n(&cursor->block, __ATOMIC_RELAXED), *room;

	if (!block || cursor->used + size > BLOCK_SIZE)
		block = next_block(cursor, output);
	if (!block)
		return NULL;
	room = block + cursor->used;
	cursor_publish(room, PACKET_EMPTY, size);
	cursor->used += (uint32_t)size;
	return room;
}

void cursor_publish(char *room, uint16_t type, size_t size)
{
	uint32_t head = (uint32_t)size | (uint32_t)type << 16;

	__atomic_store_n((uint32_t *)(void *)room, head, __ATOMIC_RELEASE);
}

void cursor_put(struct cursor *cursor, struct output *output, uint16_t type,
		const void *packet, size_t size)
{
	char *room = cursor_reserve(cursor, output, size);

	if (!room)
		return;
	copy_bytes(room + sizeof(struct packet_head),
		   (const char *)packet + sizeof(struct packet_head),
		   size - sizeof(struct packet_head));
	cursor_publish(room, type, size);
}

size_t cursor_limit(const struct cursor *cursor, size_t length)
{
	if (cursor->block && cursor->offset + BLOCK_SIZE == length)
		return cursor->offset + cursor->used;
	return length;
}
