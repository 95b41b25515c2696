/* SPDX-License-Identifier: Apache-2.0 */
/* The frames of call stacks, one a line. */
#ifndef ER_PRINT_FRAMES_H
#define ER_PRINT_FRAMES_H

#include "er_print/session.h"

/* Print the frames of a trace, leaf first. */
void frames_print(struct session *session, struct expt_traces *traces, size_t trace);

#endif
