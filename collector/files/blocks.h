/* SPDX-License-Identifier: Apache-2.0 */
/* Block files: handed out in blocks of BLOCK_SIZE, each filled by one thread through a
 * cursor. */
#ifndef COLLECTOR_FILES_BLOCKS_H
#define COLLECTOR_FILES_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

#include "collector/files/output.h"

/* A thread's place in a block file. */
struct cursor {
	char *block; /* NULL before the first */
	size_t offset;
	uint32_t used;
};

/* Returns room for a packet of size bytes in the thread's block; NULL if there is none
 * (the reason has been logged). Readers see an empty packet there until cursor_publish().
 */
char *cursor_reserve(struct cursor *cursor, struct output *output, size_t size);
/* Store the packet's head, in one piece, after its content. */
void cursor_publish(char *room, uint16_t type, size_t size);
/* Reserve, copy and publish a packet whose head is still to be written. Does nothing if
 * there is no room. */
void cursor_put(struct cursor *cursor, struct output *output, uint16_t type,
		const void *packet, size_t size);
/* Returns the bytes used of a file of that length, given that cursor may be in its last
 * block. */
size_t cursor_limit(const struct cursor *cursor, size_t length);

#endif
