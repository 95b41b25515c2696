/* SPDX-License-Identifier: Apache-2.0 */
/* Data races and deadlocks: accesses and locks are counted where they happened. */
#ifndef LIBEXPT_KINDS_CONFLICTS_H
#define LIBEXPT_KINDS_CONFLICTS_H

#include "libexpt/events/kind.h"

extern const struct data_kind races_kind, deadlocks_kind;

/* Returns the address of an access, which the stack of its record lacks; 0: none. */
uint64_t race_leaf(const struct expt_record *record);

#endif
