/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines of memory at which a thread's registers have pointed when it was interrupted. Few
 * bytes of a large program are accessed often, and these are likely to be among them.
 */
#ifndef COLLECTOR_WATCH_LINES_H
#define COLLECTOR_WATCH_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/unwind/unwind.h"

#define WATCH_LINE_SIZE 64

struct registers;

struct watch_line {
	uint64_t address; /* 0: none */
	double weight;	  /* bytes accessed in a period */
	double rate;	  /* accesses to a byte in a nanosecond */
	unsigned choices;
	bool is_new; /* found at the end of the last period: not to be chosen yet */
};

struct watch_lines {
	struct watch_line items[8];
};

bool watch_lines_are_there(const struct watch_lines *lines);
/* Returns true if the byte is in a line that may be chosen. */
bool watch_lines_have(const struct watch_lines *lines, uint64_t address);
/* Choose a line; *chance is that of this choice. fraction: random, 0 to below 1. */
const struct watch_line *watch_lines_choose(const struct watch_lines *lines,
					    double fraction, double *chance);
/* Call at the end of a period, in the handler: take up a line of the interrupted program,
 * in the place of the one that matters least. It will be chosen from the next period on:
 * now the program is about to access it, which it is not at other times. */
void watch_lines_renew(struct watch_lines *lines, const struct registers *registers,
		       const struct unwind_bounds *stack, uint64_t random);

#endif
