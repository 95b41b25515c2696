/* SPDX-License-Identifier: Apache-2.0 */
/* Call stacks as data.frameinfo has them, read in one pass: lists of values, which may be
 * continued by other lists, also later ones. stacks.c joins them. */
#ifndef LIBEXPT_EXPERIMENT_STACK_TABLE_H
#define LIBEXPT_EXPERIMENT_STACK_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/base/arena.h"
#include "libexpt/base/idmap.h"
#include "libexpt/expt.h"

struct value_list {
	size_t first, count; /* among the values of the table */
	uint64_t link;	     /* uid of the list that continues this one */
	bool has_link;
	uint32_t visit; /* number of the last walk that came here */
};

struct frame {
	uint32_t list;	/* IDMAP_NONE: no native stack */
	uint32_t extra; /* IDMAP_NONE: nothing else */
	bool is_joined; /* pcs and count are final */
	enum expt_stack_end end;
	size_t count;
	const uint64_t *pcs;
};

/* Other stacks of a frame, which few experiments have. */
struct frame_extra {
	uint32_t java_list; /* IDMAP_NONE: no Java stack */
	bool has_java;	    /* java is final */
	struct expt_java_stack java;
	bool has_omp_state, has_omp_user;
	uint64_t omp_uid; /* of the list of the user's stack */
	bool has_omp;	  /* omp is final, but for its state */
	struct expt_omp_stack omp;
};

struct stack_table {
	struct idmap frame_uids, list_uids;
	struct {
		struct frame *items;
		size_t count, capacity;
	} frames;
	struct {
		struct frame_extra *items;
		size_t count, capacity;
	} extras;
	struct {
		struct value_list *items;
		size_t count, capacity;
	} lists;
	struct {
		uint64_t *items;
		size_t count, capacity;
	} values;
	struct {
		uint64_t *items;
		size_t count, capacity;
	} joined; /* the stack being joined */
	struct arena arena;
	uint64_t joined_total;
	uint32_t visit;
	size_t word; /* bytes of an address */
	const char *file;
};

/* Read the stacks of an experiment into expt->stacks. */
int stack_table_open(struct expt *expt, struct expt_error *err);

#endif
