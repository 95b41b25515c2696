/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges of addresses with values, of which the larger ones win where ranges overlap. */
#ifndef LIBEXPT_DWARF_SPANS_H
#define LIBEXPT_DWARF_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SPAN_NONE UINT32_MAX

struct span {
	uint64_t low, high; /* the end, exclusive */
	uint32_t value;
};

/* Once they are finished, they are ascending and do not overlap. */
struct spans {
	struct span *items;
	size_t count, capacity;
};

/* Add a range; empty ones, and those of code that the linker dropped, are ignored. 0 or
 * -ENOMEM. */
int spans_add(struct spans *spans, uint64_t low, uint64_t high, uint32_t value);
/* Sort them, and cut those that overlap, after the last spans_add(). 0 or -ENOMEM. */
int spans_finish(struct spans *spans);
/* Returns the number of spans that begin at the address or before it. */
size_t spans_count_to(const struct spans *spans, uint64_t address);
/* Returns the value at an address, or SPAN_NONE. */
uint32_t spans_find(const struct spans *spans, uint64_t address);

#endif
