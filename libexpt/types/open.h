/* SPDX-License-Identifier: Apache-2.0 */
/* The types of a load object. */
#ifndef LIBEXPT_TYPES_OPEN_H
#define LIBEXPT_TYPES_OPEN_H

#include "libexpt/types/type.h"

/* dwarf must live longer, and have been opened with locations. */
struct types *types_open(struct dwarf *dwarf); /* NULL: out of memory */
void types_close(struct types *types);

/* Work that was done for questions, so that what asks many can stop: a unit is about a
 * look at a member or place. */
void types_spend(struct types *types, uint64_t units);
uint64_t types_spent(const struct types *types);

#endif
