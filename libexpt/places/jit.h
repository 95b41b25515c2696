/* SPDX-License-Identifier: Apache-2.0 */
/* Names of code that the program made at run time, from files that were archived. */
#ifndef LIBEXPT_PLACES_JIT_H
#define LIBEXPT_PLACES_JIT_H

#include "libexpt/jit/codes.h"
#include "libexpt/objects/object.h"

/* Read the names of an experiment's process: its perf map, and the files in jitdump
 * format that its log names. A file that cannot be read is damage of the experiment. */
void jit_read(struct jit_codes *codes, struct expt *expt);
/* Fill in the place of an address outside of all load objects; false: it has no name. */
bool jit_place(const struct jit_codes *codes, struct object_table *table,
	       uint64_t address, uint64_t time_ns, struct expt_place *place);

#endif
