/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which bytes of memory are watched. Each choice is random with a chance that is known,
 * so that an access to a chosen byte stands for a known number of accesses. The parts of
 * memory in which much was accessed before are chosen more often: that changes how exact
 * the sums are, not what they are.
 */
#ifndef COLLECTOR_WATCH_CELLS_H
#define COLLECTOR_WATCH_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/watch/blocks.h"
#include "collector/watch/lines.h"

struct watch_cell {
	uint64_t address;
	double bytes;  /* one byte of so many is this one */
	double chance; /* of the part of memory in which it was chosen */
	size_t part;
	unsigned version; /* of the parts */
	enum { WATCH_GLOBAL, WATCH_BLOCK, WATCH_LINE } kind;
	struct watch_block block;
	size_t line;
	bool is_in_line;  /* chosen in another way, and so not to be counted */
	uint64_t span_ns; /* watch it so long, of the program's CPU time */
};

uint64_t watch_random(uint64_t *state);

/* For handlers. random: a state of the thread. False: there is no memory to watch now. */
bool watch_cell_choose(struct watch_cell *cell, const struct watch_lines *lines,
		       uint64_t *random, uint64_t period_ns);
/* Say what was found: accesses in that time, and the bytes that they stand for in a
 * period if the part alone is considered. */
void watch_cell_learn(const struct watch_cell *cell, struct watch_lines *lines,
		      unsigned accesses, uint64_t watched_ns, double bytes);
/* Returns true as long as an access to the byte is one to the memory that was chosen. */
bool watch_cell_is_there(const struct watch_cell *cell);

#endif
