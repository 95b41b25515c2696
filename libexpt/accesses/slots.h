/* SPDX-License-Identifier: Apache-2.0 */
/* Stack slots without a variable. */
#ifndef LIBEXPT_ACCESSES_SLOTS_H
#define LIBEXPT_ACCESSES_SLOTS_H

#include "libexpt/accesses/state.h"

/* Returns what is in the slot at an offset from the frame address. */
struct value slots_get(const struct state *state, int64_t offset);
/* A value that is not known empties the slot. */
void slots_set(struct state *state, int64_t offset, const struct value *value);
/* Forget the slots that a store of so many bytes changes. */
void slots_forget(struct state *state, int64_t offset, unsigned width);

#endif
