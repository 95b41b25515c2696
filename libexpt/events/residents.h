/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds the memory that many founders take: for symbols of their load objects, and for
 * what was decompressed of their bundles. */
#ifndef LIBEXPT_EVENTS_RESIDENTS_H
#define LIBEXPT_EVENTS_RESIDENTS_H

#include "libexpt/events/view.h"

/* Call before a member is read, or its addresses are looked up. Other founders may have
 * to be read again afterwards. */
void residents_use(struct expt_view *view, size_t member);

#endif
