/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptors of data: containers first, the scalar last. */
#ifndef LIBEXPT_ACCESSES_DESCRIPTOR_H
#define LIBEXPT_ACCESSES_DESCRIPTOR_H

#include "libexpt/base/strbuf.h"
#include "libexpt/types/variables.h"
#include "libexpt/types/walk.h"

/* A place in an object of a type. */
struct data_place {
	struct types *types;
	const struct type *type;
	const struct variable *variable; /* NULL: reached by a pointer */
	/* Which of the variables of the object it is: a number that is the same wherever
	 * the object is read. */
	uint64_t variable_number;
	bool is_local;
	const struct expt_function *code; /* of the access; NULL: in no object */
	uint64_t offset;
	unsigned width; /* of the access */
};

/* A container, or at last the scalar. */
struct data_element {
	const struct type *type; /* NULL: unknown */
	const char *name;	 /* NULL: the outermost aggregate */
	uint64_t offset, size;	 /* in the outermost one */
};

#define DATA_ELEMENTS_MAX (WALK_MAX + 1)

/* Get the elements of a place, from the outermost in. Returns their number. */
size_t data_elements(struct data_element elements[DATA_ELEMENTS_MAX],
		     const struct data_place *place);
/* Append an element: ".{int i}", without the dot at the beginning. */
void data_element_write(struct strbuf *text, const struct data_element *element);
/* Write the descriptor of a place: "{structure:foo_t}.{int i}". */
void data_place_write(struct strbuf *text, const struct data_place *place);

#endif
