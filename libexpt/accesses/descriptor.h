/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptors of data: containers first, the scalar last. */
#ifndef LIBEXPT_ACCESSES_DESCRIPTOR_H
#define LIBEXPT_ACCESSES_DESCRIPTOR_H

#include "libexpt/base/strbuf.h"
#include "libexpt/types/walk.h"

/* A place in an object of a type. */
struct data_place {
	struct types *types;
	const struct type *type;
	const char *variable; /* its name; NULL: reached by a pointer */
	uint64_t offset;
	unsigned width; /* of the access */
};

/* Write the descriptor of a place: "{structure:foo_t}.{int i}". */
void data_place_write(struct strbuf *text, const struct data_place *place);

#endif
