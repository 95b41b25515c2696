/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBEXPT_ANALYSIS_OBJECT_MODES_H
#define LIBEXPT_ANALYSIS_OBJECT_MODES_H

#include "libexpt/events/view.h"

/* Set the mode of the objects of a name or path, or of all. false: out of memory. */
bool object_modes_set(struct object_modes *modes, const char *name,
		      enum expt_object_mode mode);
enum expt_object_mode object_modes_find(const struct object_modes *modes,
					const struct expt_object *object);
void object_modes_release(struct object_modes *modes);

#endif
