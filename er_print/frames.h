/* SPDX-License-Identifier: Apache-2.0 */
/* The frames of call stacks, one a line. */
#ifndef ER_PRINT_FRAMES_H
#define ER_PRINT_FRAMES_H

#include "er_print/session.h"
#include "libexpt/base/strbuf.h"

/* Add the frames of a trace, leaf first, each with a newline after it. */
void frames_add(struct session *session, struct expt_traces *traces, size_t trace,
		struct strbuf *text);
/* Print them, indented. */
void frames_print(struct session *session, struct expt_traces *traces, size_t trace);

#endif
