/* SPDX-License-Identifier: Apache-2.0 */
/* Functions and objects that several founders have in common: they are one row. */
#ifndef LIBEXPT_ANALYSIS_IDENTITY_H
#define LIBEXPT_ANALYSIS_IDENTITY_H

#include "libexpt/analysis/rows.h"

/* Returns the slot for the row of a function or object, IDMAP_NONE if it is the first one
 * of its kind; NULL: out of memory. Ask once for each pointer. */
uint32_t *identity_of_function(struct expt_rows *rows, const void *function);
uint32_t *identity_of_object(struct expt_rows *rows, const void *object);
/* Returns a key that is the same for what is the same object. */
uint64_t identity_key_of_object(const struct expt_rows *rows,
				const struct expt_object *object);
/* Get the number of something at a place in an object among those with the same key, as
 * they were met. false: out of memory. */
bool identity_number(uint32_t *number, struct expt_rows *rows,
		     const struct expt_object *object, uint64_t key, uint64_t place);

#endif
