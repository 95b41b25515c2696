/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tree of calls between functions, for formats that know nothing of addresses: lines
 * and addresses of a function are one call, and inlined functions are calls of their own.
 */
#ifndef ER_EXPORT_FORMATS_CALLS_H
#define ER_EXPORT_FORMATS_CALLS_H

#include "er_export/formats/formats.h"
#include "libexpt/base/idmap.h"

struct calls {
	struct {
		struct call {
			uint32_t parent, function;
		} * items; /* 0 is the empty one; parents precede their children */
		size_t count, capacity;
	} all;
	uint32_t *of_node; /* for each node of the tables, its call */
	struct idmap by_parent;
};

/* Sums of the chosen metrics, by thread and call. */
struct call_sums {
	struct {
		struct call_sum {
			uint32_t thread, call;
			size_t values; /* number of the first */
		} * items;	       /* in the order of the threads */
		size_t count, capacity;
	} all;
	int64_t *values;
	uint32_t *functions; /* room for the longest path */
	size_t depth;
};

/* false: out of memory. */
bool calls_make(struct calls *calls, const struct expt_tables *tables);
void calls_release(struct calls *calls);

/* Make the sums that are not zero; apart: threads are kept apart, else all of them are
 * thread 0. false: out of memory. */
bool call_sums_make(struct call_sums *sums, const struct source *source,
		    const struct calls *calls, bool apart);
/* Get the functions of a call, from the root on. Returns their number. */
size_t call_sums_path(const struct call_sums *sums, const struct calls *calls,
		      const struct call_sum *sum);
void call_sums_release(struct call_sums *sums);

#endif
