/* SPDX-License-Identifier: Apache-2.0 */
/* The frames of call stacks, one a line. */
#ifndef ER_PRINT_ROWS_FRAMES_H
#define ER_PRINT_ROWS_FRAMES_H

#include "er_print/session/session.h"
#include "libexpt/base/strbuf.h"

/* Print frames, leaf first, after some blanks. */
void frames_print_all(struct session *session, const struct expt_frames *frames,
		      int indent);
/* Add the frames of a trace, each with a newline after it. */
void frames_add(struct session *session, struct expt_traces *traces, size_t trace,
		struct strbuf *text);
/* Print them, indented. */
void frames_print(struct session *session, struct expt_traces *traces, size_t trace);

#endif
