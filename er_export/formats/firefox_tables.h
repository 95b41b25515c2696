/* SPDX-License-Identifier: Apache-2.0 */
/* The stacks, frames, functions, load objects and symbols that one thread has, numbered
 * from 0 in the order in which they are met. */
#ifndef ER_EXPORT_FORMATS_FIREFOX_TABLES_H
#define ER_EXPORT_FORMATS_FIREFOX_TABLES_H

#include "er_export/formats/formats.h"

#define FIREFOX_NONE UINT32_MAX

/* Numbers of the whole, and those of the thread for each of them: valid if the visit is
 * that of the thread. */
struct own_numbers {
	struct own_number {
		uint32_t visit, number;
	} * of_whole;
	struct {
		uint32_t *items; /* of the whole, for each of the thread */
		size_t count, capacity;
	} list;
};

struct firefox_tables {
	const struct expt_tables *whole;
	uint32_t visit;		      /* the number of the thread, from 1 */
	struct own_numbers nodes;     /* for each node, its innermost stack */
	struct own_numbers frames;    /* of the tables */
	struct own_numbers functions; /* rows; their objects: see places */
	struct own_numbers objects;   /* resources */
	struct own_numbers symbols;   /* functions with code of their own: rows */
	struct {
		struct firefox_stack {
			uint32_t prefix, frame; /* own numbers */
		} * items;
		size_t count, capacity;
	} stacks;
	uint32_t *place_of_frame;     /* of the tables */
	uint32_t *object_of_function; /* of rows, as far as they have been met */
	uint32_t *climb;	      /* room for the nodes of a stack */
	bool is_short;		      /* of memory */
};

/* false: out of memory. */
bool firefox_tables_make(struct firefox_tables *own, const struct expt_tables *whole);
void firefox_tables_begin(struct firefox_tables *own); /* the next thread */
/* Returns the stack of a node, or FIREFOX_NONE for the empty one. */
uint32_t firefox_tables_stack(struct firefox_tables *own, uint32_t node);
/* Returns the own number of something of the whole that the thread has. */
uint32_t firefox_tables_number(const struct own_numbers *numbers, uint32_t of_whole);
void firefox_tables_release(struct firefox_tables *own);

#endif
