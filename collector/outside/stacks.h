/* SPDX-License-Identifier: Apache-2.0 */
/* data.frameinfo: call stacks by number, each written once. */
#ifndef COLLECTOR_OUTSIDE_STACKS_H
#define COLLECTOR_OUTSIDE_STACKS_H

#include <stddef.h>
#include <stdint.h>

#include "collector/outside/file.h"

struct stacks {
	struct file file;
	uint64_t *slots; /* open addressing; 0 is free */
	size_t size, used;
};

#define STACK_PCS_MAX 256

void stacks_init(struct stacks *stacks);
size_t stacks_close(struct stacks *stacks); /* returns what file_close() does */
/* Returns the number of a stack of up to STACK_PCS_MAX frames, leaf first; 0: none. */
uint64_t stacks_number(struct stacks *stacks, const uint64_t *pcs, size_t count);

#endif
