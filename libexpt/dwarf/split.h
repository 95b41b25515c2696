/* SPDX-License-Identifier: Apache-2.0 */
/* Split units: the entries of a unit in a file of its own, or in a package of them. */
#ifndef LIBEXPT_DWARF_SPLIT_H
#define LIBEXPT_DWARF_SPLIT_H

#include "libexpt/dwarf/private.h"

/* Returns the unit with the entries of a unit: its split unit if it is a skeleton, else
 * the unit itself; NULL: the split unit is missing. */
struct dwarf_unit *dwarf_split(struct dwarf_unit *unit);

#endif
