/* SPDX-License-Identifier: Apache-2.0 */
/* Data objects by number, for expressions: DOBJ and DNAME. */
#ifndef LIBEXPT_KINDS_DATA_NAMES_H
#define LIBEXPT_KINDS_DATA_NAMES_H

#include "libexpt/base/arena.h"
#include "libexpt/base/idmap.h"
#include "libexpt/events/view.h"

struct data_names {
	struct idmap by_name;
	struct {
		const char **items;
		size_t count, capacity;
	} names;
	struct arena arena;
};

/* Returns the number of what a record accessed, or of the reason why that is not known;
 * IDMAP_NONE: out of memory. */
uint32_t data_names_find(struct data_names *names, struct expt_view *view, size_t member,
			 const struct expt_record *record);
void data_names_release(struct data_names *names);

#endif
