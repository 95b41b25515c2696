/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of places: where a variable is depends on where the code is. */
#ifndef LIBEXPT_TYPES_PLACE_LIST_H
#define LIBEXPT_TYPES_PLACE_LIST_H

#include "libexpt/types/expression.h"

/* Takes one place, and the addresses of code for which it holds. false: stop. */
typedef bool place_taker(void *context, uint64_t low, uint64_t high,
			 const struct place *place);

/* Read the list to which an attribute refers. budget: entries that may still be read.
 * false: stopped. */
bool place_list_read(const struct detail *detail, const struct place *frame,
		     uint64_t *budget, place_taker *take, void *context);

#endif
