/* SPDX-License-Identifier: Apache-2.0 */
/* The descriptor of a data object: "{structure:foo_t}.{int i}", in its parts. */
#ifndef STEP_DESCRIPTOR_H
#define STEP_DESCRIPTOR_H

#include <stdbool.h>
#include <stddef.h>

struct element {
	bool is_aggregate; /* a structure, union or class, or an array of such */
	bool is_pointer;   /* or a reference */
	const char *word;  /* the tag, without name spaces and arguments of templates; or
			      the last word of a scalar type */
	const char *name;  /* "": none, or "-" */
};

#define ELEMENTS_MAX 12

struct descriptor {
	struct element elements[ELEMENTS_MAX];
	size_t count;
	char text[1024];
};

/* Elements of arrays, "{int -}" in "{array+int a}.{int -}", are left out, and so are base
 * classes. False: the text is not a descriptor. */
bool descriptor_parse(struct descriptor *descriptor, const char *text);

/* Returns the size of a scalar type by its name, or 0: it is not known. The kind is 'i'
 * for integers, 'c' for bytes, 'f' for floating point. */
size_t scalar_size(const char *word, char *kind);

#endif
