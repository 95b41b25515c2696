/* SPDX-License-Identifier: Apache-2.0 */
/* Lists and statistics of the heap. */
#ifndef ER_PRINT_EVENTS_HEAP_H
#define ER_PRINT_EVENTS_HEAP_H

#include "er_print/session/session.h"

/* Check whether any experiment has heap data, or report that none has. */
bool heap_is_there(const struct session *session);
int heap_report_none(struct session *session, const char *before);

#endif
