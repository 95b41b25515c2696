/* SPDX-License-Identifier: Apache-2.0 */
/* Distinct places and their frames, by number. */
#ifndef LIBEXPT_TABLES_PLACES_H
#define LIBEXPT_TABLES_PLACES_H

#include "libexpt/analysis/row_keys.h"

struct places {
	struct expt_rows *functions;
	struct {
		struct place_entry {
			struct expt_table_place shown;
			uint32_t function; /* of the address */
			bool is_part;	   /* that was moved out of its function */
		} * items;
		size_t count, capacity;
	} all;
	struct {
		struct expt_table_frame *items;
		size_t count, capacity;
	} frames;
	struct {
		struct expt_object **items;
		size_t count, capacity;
	} objects;
	struct idmap by_key, object_numbers, paths;
	struct {
		const char **items;
		size_t count, capacity;
	} path_texts;
	struct arena texts;
	struct idmap by_address; /* of the current member and epoch */
	uint32_t member, epoch;
};

/* Returns the number of a place, or IDMAP_NONE: out of memory. */
uint32_t places_number(struct places *places, const struct expt_place *place);
/* Returns that of an address of a stack; PLACES_STUB: a PLT stub, if it is the leaf. */
#define PLACES_STUB (IDMAP_NONE - 1)
uint32_t places_of_pc(struct places *places, const struct stack_sum *stack, uint64_t pc,
		      bool is_leaf);
/* Returns that of a row without a function, at the end of stacks. */
uint32_t places_of_row(struct places *places, uint32_t row);
void places_release(struct places *places);

#endif
