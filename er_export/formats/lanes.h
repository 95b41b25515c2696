/* SPDX-License-Identifier: Apache-2.0 */
/* The events of each thread, in the order of time, for formats with times. */
#ifndef ER_EXPORT_FORMATS_LANES_H
#define ER_EXPORT_FORMATS_LANES_H

#include "er_export/formats/formats.h"

struct lanes {
	/* Numbers of events, those of one thread after those of another; the events of
	 * thread i are those from begins[i] to begins[i + 1] */
	uint32_t *events;
	size_t *begins;
};

/* false: out of memory. */
bool lanes_make(struct lanes *lanes, const struct expt_tables *tables);
void lanes_release(struct lanes *lanes);

#endif
