/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the functions that a compiler moved parts out of; expt_function_whole() is in
 * expt.h. */
#ifndef LIBEXPT_OBJECTS_OUTLINED_H
#define LIBEXPT_OBJECTS_OUTLINED_H

#include <stdbool.h>

#include "libexpt/base/idmap.h"

/* The index of an object, made when the first part is met. */
struct outlined_index {
	struct idmap symbols; /* the first of each name and file, see symbol_key() */
	struct idmap rows;    /* of functions without code of their own name */
	bool is_made;	      /* or has failed */
	bool is_unusable;
};

/* Release what refers to the symbol table. */
static inline void outlined_index_unload(struct outlined_index *index)
{
	idmap_release(&index->symbols);
	index->is_made = index->is_unusable = false;
}

static inline void outlined_index_release(struct outlined_index *index)
{
	idmap_release(&index->symbols);
	idmap_release(&index->rows);
}

#endif
