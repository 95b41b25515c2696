/* SPDX-License-Identifier: Apache-2.0 */
/* From an event with a data address to what it accessed. */
#ifndef LIBEXPT_KINDS_DATA_ACCESS_H
#define LIBEXPT_KINDS_DATA_ACCESS_H

#include "libexpt/events/view.h"
#include "libexpt/kinds/reasons.h"

struct data_access {
	bool is_found;
	struct data_place place; /* if it is found */
	enum reason reason;	 /* if not */
};

/* Returns true if counters with this memop tell which instruction accessed memory. */
bool data_access_is_told(uint64_t memop);
/* Find the access of a counter's record of a member. false: out of memory. */
bool data_access_find(struct data_access *out, struct expt_view *view, size_t member,
		      const struct expt_record *record);

#endif
