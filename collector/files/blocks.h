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
	char *block; /* NULL: none yet */
	size_t offset;
	uint32_t used;
};

/* Room for a packet of size bytes in the thread's block; NULL if there is none (the
 * reason has been logged). Before cursor_publish() readers see an empty packet there. */
char *cursor_reserve(struct cursor *cursor, struct output *output, size_t size);
/* The packet's head is stored last, in one piece. */
void cursor_publish(char *room, uint16_t type, size_t size);
/* Both, for a packet whose head is still to be written; nothing if there is no room. */
void cursor_put(struct cursor *cursor, struct output *output, uint16_t type,
		const void *packet, size_t size);
/* Bytes used of the file, given that cursor may stand in its last block. */
size_t cursor_limit(const struct cursor *cursor, size_t length);

#endif
