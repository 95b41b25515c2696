/* SPDX-License-Identifier: Apache-2.0 */
/* From records to sums by stack: the aggregate has one sum per distinct stack. */
#ifndef ER_PRINT_STACK_SUMS_H
#define ER_PRINT_STACK_SUMS_H

#include <stdbool.h>
#include <stdint.h>

#include "er_print/aggregate.h"
#include "er_print/session.h"

/* Add all records of a member; unreadable data are reported. false: out of memory. */
bool stack_sums_read(struct session *session, uint32_t member);
/* Look up every stack once: if the file is unreadable, its events count in the total
 * only; missing stacks are counted and reported. */
void stack_sums_check(struct session *session);

/* Returns the summary of a kind over all processes; NULL if it has none. */
void *stack_sums_summary(const struct aggregate *aggregate, const struct data_kind *kind);

/* Returns the index of a record's stack, or IDMAP_NONE: out of memory. */
uint32_t replay_stack(struct replay *replay, const struct expt_record *record);
/* Add to a metric of the kind, given by its index within the kind. */
void replay_add(struct replay *replay, uint32_t stack, size_t metric, int64_t value);

#endif
