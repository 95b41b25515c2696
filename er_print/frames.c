/* SPDX-License-Identifier: Apache-2.0 */
#include "er_print/frames.h"

#include <inttypes.h>

static void print_frame(struct session *session, const struct expt_place *place)
{
	char buffer[4096];

	fprintf(session->out, "  %s + 0x%08" PRIX64 "\n",
		session_function_name(session, place->function, buffer, sizeof(buffer)),
		place->offset);
}

void frames_print(struct session *session, struct expt_traces *traces, size_t trace)
{
	static const char *const ends[] = {
		[EXPT_STACK_TRUNCATED] = "<Truncated-stack>",
		[EXPT_STACK_FAILED] = "<Stack-unwind-failed>",
	};
	struct expt_frames frames;
	struct expt_error err;
	char buffer[4096];

	if (expt_trace_frames(traces, trace, &frames, &err) < 0) {
		session_failed(session, &err);
		return;
	}
	for (size_t i = 0; i < frames.count; i++)
		print_frame(session, &frames.places[i]);
	if (frames.end != EXPT_STACK_WHOLE)
		fprintf(session->out, "  %s\n",
			session_row_name(session,
					 &(struct expt_row){ .name = ends[frames.end] },
					 buffer, sizeof(buffer)));
}
