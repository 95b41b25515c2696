/* SPDX-License-Identifier: Apache-2.0 */
/* The load object at an address; expt_place() is in expt.h. */
#ifndef LIBEXPT_OBJECTS_PLACE_H
#define LIBEXPT_OBJECTS_PLACE_H

#include "libexpt/objects/object.h"

/* The load object that is mapped at an address at a time, and where in its image the
 * address is; NULL: none, or dynamic code. The object's file is not looked at. */
struct expt_object *place_object(struct expt *expt, uint64_t address, uint64_t time_ns,
				 uint64_t *offset);

#endif
