/* SPDX-License-Identifier: Apache-2.0 */
/* Heap tracing: what is known of it beyond the metrics. */
#ifndef ER_PRINT_HEAP_H
#define ER_PRINT_HEAP_H

#include "er_print/heap_ranges.h"
#include "er_print/session.h"

extern const struct data_kind heap_kind;

/* The metrics, by their place. */
enum { HEAP_ALLOCATED_BYTES, HEAP_ALLOCATIONS, HEAP_LEAKED_BYTES, HEAP_LEAKS };

/* Sizes of some blocks. */
struct heap_sizes {
	uint64_t ranges[HEAP_RANGES]; /* how many are in each: see heap_ranges.h */
	uint64_t count, smallest, largest;
	int64_t bytes;
};

/* When there was most, once for each call stack that brought it to that. */
struct heap_peak {
	uint64_t bytes;
	struct {
		struct heap_moment {
			uint64_t time_ns;
			uint32_t stack;
		} * items;
		size_t count, capacity;
	} moments;
};

/* All processes together. Of those that had the most at a time, the last one is shown. */
struct heap_summary {
	struct heap_sizes allocated, leaked;
	struct heap_peak peak;
	uint32_t peak_member;
};

/* Whether any experiment has heap data, and what is said where none has. */
bool heap_is_there(const struct session *session);
int heap_report_none(struct session *session, const char *before);

#endif
