/* SPDX-License-Identifier: Apache-2.0 */
/* Which members of a view were made by fork of which others, and when. */
#ifndef LIBEXPT_DATASPACE_LINEAGES_H
#define LIBEXPT_DATASPACE_LINEAGES_H

#include "libexpt/events/view.h"

struct lineage {
	size_t parent; /* LINEAGE_NONE: not by fork, or its parent is not in the view */
	/* The parent had not begun the fork at the first time, and the child ran at the
	 * second, both on the clock of the parent. */
	uint64_t before_ns, after_ns;
};
#define LINEAGE_NONE SIZE_MAX

/* Find those of all members. Returns an array for free(); NULL: out of memory. */
struct lineage *lineages_find(const struct expt_view *view);
/* Returns the numbers of all members, parents before their children, in an array for
 * free(); NULL: out of memory. */
size_t *lineages_order(const struct expt_view *view);

#endif
