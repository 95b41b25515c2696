/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of events by garbage collection of a Java machine. */
/* clang-format off */
#ifndef LIBEXPT_API_COLLECTIONS_H
#define LIBEXPT_API_COLLECTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/api/view.h"

EXPT_DECLARATIONS_BEGIN

/* Collections are numbered from 1 in each experiment; those of one number are summed up.
 * Number 0 has all other events. */
struct expt_collections;
int expt_collections_find(struct expt_collections **out, struct expt_view *view,
			  struct expt_error *err);
void expt_collections_free(struct expt_collections *collections);
/* The numbers are below this. */
size_t expt_collections_count(const struct expt_collections *collections);
bool expt_collections_have_events(const struct expt_collections *collections,
				  size_t number);
/* 0 for metrics of the heap, which need events of other times. */
int64_t expt_collections_value(const struct expt_collections *collections, size_t number,
			       size_t metric);

EXPT_DECLARATIONS_END

#endif
