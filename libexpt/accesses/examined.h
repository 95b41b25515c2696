/* SPDX-License-Identifier: Apache-2.0 */
/* One function: its code was followed, and the answers for its accesses are kept. */
#ifndef LIBEXPT_ACCESSES_EXAMINED_H
#define LIBEXPT_ACCESSES_EXAMINED_H

#include "libexpt/accesses/access.h"
#include "libexpt/instructions/step.h"
#include "libexpt/types/statics.h"

/* The parts of an object that its functions share. */
struct examined_source {
	struct types *types;
	struct statics *statics;
	struct step_reader *reader;
};

struct examined;

/* Examine the function at an image offset; code NULL: there is none. Returns NULL if out
 * of memory. A function that is too large, or takes too long, has no answers. */
struct examined *examined_new(const struct examined_source *source, uint64_t start,
			      const struct expt_code *code);
void examined_free(struct examined *examined);
/* Returns the memory that the instructions and answers take, in bytes. */
size_t examined_size(const struct examined *examined);
/* Find the data of the instruction at an address of the object's file. */
enum access_reason examined_find(struct data_place *out, const struct examined *examined,
				 uint64_t address, const struct access_event *event);

#endif
