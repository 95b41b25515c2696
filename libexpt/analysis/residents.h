/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds the memory for the symbols of many founders. */
#ifndef LIBEXPT_ANALYSIS_RESIDENTS_H
#define LIBEXPT_ANALYSIS_RESIDENTS_H

#include "libexpt/events/view.h"

/* Call before addresses of a member are looked up. Those of other founders may have to
 * read their symbols again afterwards. */
void residents_use(struct expt_view *view, size_t member);

#endif
