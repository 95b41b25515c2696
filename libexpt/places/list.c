/* SPDX-License-Identifier: Apache-2.0 */
/* The load objects of an experiment, which its address map makes. */
#include "libexpt/objects/function.h"

size_t expt_object_count(struct expt *expt)
{
	struct object_table *table;

	expt_segment_count(expt);
	table = object_table_get(expt);
	return table ? table->objects.count : 1;
}

struct expt_object *expt_object(struct expt *expt, size_t i)
{
	if (i == 0 || i >= expt_object_count(expt))
		return (struct expt_object *)(uintptr_t)&unknown_object;
	return expt->founder->objects->objects.items[i];
}
