/* SPDX-License-Identifier: Apache-2.0 */
/* Heap tracing: data beyond the metrics. */
#ifndef ER_PRINT_HEAP_H
#define ER_PRINT_HEAP_H

#include "er_print/heap_ranges.h"
#include "er_print/session.h"

extern const struct data_kind heap_kind;

/* The metrics, by index. */
enum { HEAP_ALLOCATED_BYTES, HEAP_ALLOCATIONS, HEAP_LEAKED_BYTES, HEAP_LEAKS };

/* Sizes of some blocks. */
struct heap_sizes {
	uint64_t ranges[HEAP_RANGES]; /* number in each range; see heap_ranges.h */
	uint64_t count, smallest, largest;
	int64_t bytes;
};

/* The highest use, with its time for each call stack that reached it. */
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

/* Sums over all processes, and the highest peak: that of the last process, if equal. */
struct heap_summary {
	struct heap_sizes allocated, leaked;
	struct heap_peak peak;
	uint32_t peak_member;
};

/* Check whether any experiment has heap data, or report that none has. */
bool heap_is_there(const struct session *session);
int heap_report_none(struct session *session, const char *before);

#endif
