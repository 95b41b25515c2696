/* SPDX-License-Identifier: Apache-2.0 */
/* From records to sums by stack, of which the aggregate has one per distinct stack. */
#ifndef ER_PRINT_STACK_SUMS_H
#define ER_PRINT_STACK_SUMS_H

#include <stdbool.h>
#include <stdint.h>

#include "er_print/aggregate.h"
#include "er_print/session.h"

/* Add all records of a member; what cannot be read is reported. false: out of memory. */
bool stack_sums_read(struct session *session, uint32_t member);
/* Look every stack up once: a file that cannot be read leaves the total, and what is
 * missing is counted and reported. */
void stack_sums_check(struct session *session);

/* What a kind of data keeps of all processes; NULL if it keeps nothing. */
void *stack_sums_summary(const struct aggregate *aggregate, const struct data_kind *kind);

/* The number of a record's stack, or IDMAP_NONE: out of memory. */
uint32_t replay_stack(struct replay *replay, const struct expt_record *record);
/* Add to a metric of the kind, by its place among them. */
void replay_add(struct replay *replay, uint32_t stack, size_t metric, int64_t value);

#endif
