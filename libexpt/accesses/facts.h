/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Facts about values that become known after they were made: the result of malloc(3) is
 * stored in a variable of a type, or passed to a function that takes such. A value is
 * named by the step that makes it; see number_of_symbol().
 */
#ifndef LIBEXPT_ACCESSES_FACTS_H
#define LIBEXPT_ACCESSES_FACTS_H

#include "libexpt/accesses/value.h"
#include "libexpt/base/idmap.h"

struct fact {
	struct value value;   /* a pointer */
	bool is_contradicted; /* it is also known as something else */
};

struct facts {
	struct {
		struct fact *items;
		size_t count, capacity;
	} list;
	struct idmap by_symbol;
	bool is_changed; /* since it was last set to false */
};

/* Note that a value is a pointer, if it is an unknown number as it was made. */
void facts_note(struct facts *facts, struct types *types, const struct value *value,
		const struct value *pointer);
/* Returns the pointer that a symbol is, or NULL. */
const struct value *facts_find(const struct facts *facts, uint64_t symbol);
void facts_release(struct facts *facts);

#endif
