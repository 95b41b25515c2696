/* SPDX-License-Identifier: Apache-2.0 */
/* Abbreviations: which attributes entries have, and in which form. */
#ifndef LIBEXPT_DWARF_ABBREVIATION_H
#define LIBEXPT_DWARF_ABBREVIATION_H

#include "libexpt/dwarf/private.h"

/* Returns the abbreviations of a unit, read once for all units that share them; NULL: out
 * of memory, or damaged. */
const struct dwarf_abbreviations *dwarf_abbreviations(const struct dwarf_unit *unit);
void dwarf_abbreviations_free(struct dwarf_abbreviations *table);
/* Returns the one with this code, or NULL. */
const struct dwarf_abbreviation *
dwarf_abbreviation_find(const struct dwarf_abbreviations *table, uint64_t code);

#endif
