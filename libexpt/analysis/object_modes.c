/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/analysis/object_modes.h"

#include <string.h>

#include "libexpt/base/array.h"

bool object_modes_set(struct object_modes *modes, const char *name,
		      enum expt_object_mode mode)
{
	char *copy = name ? strdup(name) : NULL;

	if (name && !copy)
		return false;
	if (!name)
		object_modes_release(modes);
	if (!array_add(modes)) {
		free(copy);
		return false;
	}
	modes->items[modes->count - 1].name = copy;
	modes->items[modes->count - 1].mode = mode;
	return true;
}

enum expt_object_mode object_modes_find(const struct object_modes *modes,
					const struct expt_object *object)
{
	for (size_t i = modes->count; i-- > 0;)
		if (!modes->items[i].name ||
		    expt_object_has_name(object, modes->items[i].name))
			return modes->items[i].mode;
	return EXPT_OBJECT_SHOW;
}

void object_modes_release(struct object_modes *modes)
{
	for (size_t i = 0; i < modes->count; i++)
		free(modes->items[i].name);
	array_release(modes);
}
