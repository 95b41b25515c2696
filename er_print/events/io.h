/* SPDX-License-Identifier: Apache-2.0 */
/* Lists and statistics of I/O. */
#ifndef ER_PRINT_EVENTS_IO_H
#define ER_PRINT_EVENTS_IO_H

#include "er_print/session/session.h"

/* Check whether there is any I/O data; report if there is none. */
bool io_is_recorded(struct session *session);

/* Returns the number of the first I/O metric; the others follow. */
static inline size_t io_metric_base(const struct session *session)
{
	return expt_metric_first(session->view, EXPT_IO);
}

#endif
