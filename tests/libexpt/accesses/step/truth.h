/* SPDX-License-Identifier: Apache-2.0 */
/* The truth that a program tells; see tests/libexpt/accesses/truth/truth.h. */
#ifndef STEP_TRUTH_H
#define STEP_TRUTH_H

#include "libexpt/base/strbuf.h"
#include "tests/libexpt/accesses/step/tracee.h"
#include "tests/libexpt/accesses/truth/truth.h"

/* Read the tables of the program at that address. Mistakes in them end the harness. */
void truth_read(struct truth_tables *tables, const struct tracee *tracee,
		uint64_t address);

/* Returns the smallest object at an address, or NULL. */
const struct truth_object *truth_find(const struct truth_tables *tables,
				      uint64_t address);
/* Returns the object of a variable, or NULL. */
const struct truth_object *truth_variable(const struct truth_tables *tables,
					  const char *name);
/* Returns the aggregate with this name, or one of its names, or NULL. */
const struct truth_member *truth_aggregate(const struct truth_tables *tables,
					   const char *name);

/* Where an access is in an object: the object, a member of it, a member of that. */
struct truth_step {
	const char *name; /* of the variable or member: "": none; "-": a base class */
	const char *type; /* of an aggregate; of a member that is not one "" */
	uint64_t size;	  /* of the variable or member */
};

#define STEPS_MAX 8

struct truth_chain {
	struct truth_step steps[STEPS_MAX];
	size_t count;
	bool is_aggregate; /* the last step is one: members are not known, or between */
	bool is_open;	   /* they are not known */
};

#define CHAINS_MAX 16

/* All chains of an access in an object: unions and bit-fields have several. */
struct truth_chains {
	struct truth_chain items[CHAINS_MAX];
	size_t count;
};

void truth_chains(struct truth_chains *chains, const struct truth_tables *tables,
		  const struct truth_object *object, uint64_t address, size_t size);

/* Add the descriptor of a chain. Types of members that are scalars are not known. */
void truth_write(struct strbuf *text, const struct truth_chain *chain);

/* Whether a word is one of "one|two". */
bool truth_is_name(const char *names, const char *word);

#endif
