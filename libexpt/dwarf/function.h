/* SPDX-License-Identifier: Apache-2.0 */
/* Functions as the source defines them. */
#ifndef LIBEXPT_DWARF_FUNCTION_H
#define LIBEXPT_DWARF_FUNCTION_H

#include "libexpt/dwarf/private.h"

/* Returns the function of which the entry at an offset is an instance; NULL: it has no
 * name, or out of memory. */
const struct dwarf_function *dwarf_function(struct dwarf_unit *unit, uint64_t entry);

#endif
