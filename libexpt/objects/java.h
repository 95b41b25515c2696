/* SPDX-License-Identifier: Apache-2.0 */
/* Java methods as functions; expt_java_place() is in expt.h. */
#ifndef LIBEXPT_OBJECTS_JAVA_H
#define LIBEXPT_OBJECTS_JAVA_H

#include "libexpt/objects/object.h"

struct dynamic_lines;

/* Code into which a method was compiled. */
struct java_code {
	uint64_t method, address, size, loaded_ns;
	/* The bytecode indexes of its offsets: NULL if they were not recorded */
	const struct dynamic_lines *(*find_lines)(struct expt *expt, const void *data);
	const void *data;
};

/* Set the place to an offset in the code, if its method is known at that time. Each code
 * is a function of its own, as in the machine. */
void java_compiled(struct expt *expt, const struct java_code *code, uint64_t offset,
		   uint64_t time_ns, struct expt_place *place);

#endif
