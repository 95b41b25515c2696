/* SPDX-License-Identifier: Apache-2.0 */
/* The load object at an address; expt_place() is in expt.h. */
#ifndef LIBEXPT_PLACES_PLACE_H
#define LIBEXPT_PLACES_PLACE_H

#include "libexpt/objects/object.h"

/* Returns the load object mapped at an address and time, with the address's offset in its
 * image; NULL: none, or dynamic code. The object's file is not examined. */
struct expt_object *place_object(struct expt *expt, uint64_t address, uint64_t time_ns,
				 uint64_t *offset);

#endif
