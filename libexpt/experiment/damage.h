/* SPDX-License-Identifier: Apache-2.0 */
/* Damaged places in an experiment. */
#ifndef LIBEXPT_EXPERIMENT_DAMAGE_H
#define LIBEXPT_EXPERIMENT_DAMAGE_H

#include "libexpt/experiment/handle.h"

/* Add a place where data was lost: "<file>: offset <n>: ..." or "<file>:<line>: ...".
 * Duplicates are ignored; after a hundred places, the rest are only counted. */
void expt_add_damage(struct expt *expt, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
