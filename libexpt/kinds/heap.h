/* SPDX-License-Identifier: Apache-2.0 */
/* Heap tracing. */
#ifndef LIBEXPT_KINDS_HEAP_H
#define LIBEXPT_KINDS_HEAP_H

#include "libexpt/events/kind.h"

/* Its metrics are those of enum expt_heap_metric. */
extern const struct data_kind heap_kind;

/* The summary of the kind, over all processes. */
struct heap_summary {
	struct expt_heap heap; /* without arrays, which are here: */
	struct {
		uint64_t *items;
		size_t count, capacity;
	} times;
	struct {
		struct expt_heap_level *items;
		size_t count, capacity;
	} levels;
};

#endif
