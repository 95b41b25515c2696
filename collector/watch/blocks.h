/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A random choice of the heap blocks that exist. The wrappers of the heap's library tell
 * of each block. Where there are too many of a class of sizes, half of the table's are
 * forgotten, and from then on half as many enter it: each one left stands for more.
 */
#ifndef COLLECTOR_WATCH_BLOCKS_H
#define COLLECTOR_WATCH_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WATCH_CLASSES 96

/* True: the wrappers tell of blocks. */
extern bool watch_blocks_are_known __attribute__((visibility("default")));
/* Call after a block is made, and before it is freed, in any thread. */
void watch_block_made(const void *address, size_t size)
	__attribute__((visibility("default")));
void watch_block_gone(const void *address) __attribute__((visibility("default")));

/* Call once. False: out of memory. */
bool watch_blocks_open(void);

struct watch_block {
	uint64_t address, size;
	size_t slot;	/* in the table, see watch_block_is_there() */
	uint64_t share; /* one in so many blocks of the class is this one */
};

/* Choose a block of the class, each with the same chance. False: there is none. */
bool watch_blocks_choose(struct watch_block *block, unsigned class, uint64_t random);
/* Returns true if the class had blocks when it was last looked at, or may have some. */
bool watch_blocks_has(unsigned class);
bool watch_block_is_there(const struct watch_block *block);

#endif
