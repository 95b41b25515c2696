/* SPDX-License-Identifier: Apache-2.0 */
/* The addresses of a unit or function. */
#ifndef LIBEXPT_DWARF_RANGES_H
#define LIBEXPT_DWARF_RANGES_H

#include "libexpt/dwarf/private.h"

/* Take an attribute if it is one of them. */
void dwarf_extent_take(struct dwarf_extent *extent, unsigned name,
		       const struct dwarf_value *value);
/* Add the ranges with this value. 0 or -ENOMEM; a damaged list ends early. */
int dwarf_extent_add(struct spans *spans, const struct dwarf_extent *extent,
		     const struct dwarf_unit *unit, uint32_t value);
/* Get the address of its first attribute; false: it has only a list. */
bool dwarf_extent_low(uint64_t *low, const struct dwarf_extent *extent,
		      const struct dwarf_unit *unit);

#endif
