/* SPDX-License-Identifier: Apache-2.0 */
/* Selections as text, for lists. */
#ifndef ER_PRINT_EXPERIMENTS_SELECTED_H
#define ER_PRINT_EXPERIMENTS_SELECTED_H

#include "er_print/session/session.h"
#include "er_print/table/table.h"

/* Returns the numbers of an experiment that are selected: "all", "none" or "1-4,7"; NULL:
 * out of memory. total: how many there are. */
const char *selected_numbers(const struct session *session, struct table *table,
			     enum expt_subset subset, size_t member, uint64_t total);
/* Check whether the selections leave anything of an experiment. */
bool is_experiment_selected(const struct session *session, size_t member);

#endif
