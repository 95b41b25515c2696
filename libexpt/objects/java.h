/* SPDX-License-Identifier: Apache-2.0 */
/* Java methods as functions; expt_java_place() is in expt.h. */
#ifndef LIBEXPT_OBJECTS_JAVA_H
#define LIBEXPT_OBJECTS_JAVA_H

#include "libexpt/objects/object.h"

/* Set the place to an offset in the compiled code of the method with this id at a time,
 * if the method is known. */
void java_compiled(struct expt *expt, uint64_t id, uint64_t offset, uint64_t time_ns,
		   struct expt_place *place);

#endif
