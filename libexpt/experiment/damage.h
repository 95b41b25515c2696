/* SPDX-License-Identifier: Apache-2.0 */
/* Damaged places in an experiment. */
#ifndef LIBEXPT_EXPERIMENT_DAMAGE_H
#define LIBEXPT_EXPERIMENT_DAMAGE_H

#include <stddef.h>
#include <stdint.h>

#include "libexpt/base/arena.h"

struct expt;

/* Places where data was lost: "<file>: offset <n>: ..." or "<file>:<line>: ...". After a
 * hundred, the rest are only counted. */
struct damage {
	const char **items;
	size_t count, capacity;
	uint64_t more;	  /* counted only */
	char summary[64]; /* of these */
};

/* Add a place, unless the list has it already; strings keeps its text. */
void damage_add(struct damage *damage, struct arena *strings, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Returns the number of texts, with the summary of the places that are only counted. */
size_t damage_count(const struct damage *damage);
const char *damage_text(const struct damage *damage, size_t i);

/* Add a place to the experiment's list. */
void expt_add_damage(struct expt *expt, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Add all places of another list. */
void expt_add_damage_of(struct expt *expt, const struct damage *damage);

#endif
