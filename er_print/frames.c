/* SPDX-License-Identifier: Apache-2.0 */
#include "er_print/frames.h"

#include <inttypes.h>
#include <string.h>

static void add_frame(struct session *session, const struct expt_place *place,
		      struct strbuf *text)
{
	char buffer[4096];

	strbuf_add_text(text, session_function_name(session, place->function, buffer,
						    sizeof(buffer)));
	strbuf_printf(text, " + 0x%08" PRIX64 "\n", place->offset);
}

void frames_add(struct session *session, struct expt_traces *traces, size_t trace,
		struct strbuf *text)
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
		add_frame(session, &frames.places[i], text);
	if (frames.end == EXPT_STACK_WHOLE)
		return;
	strbuf_add_text(text,
			session_row_name(session,
					 &(struct expt_row){ .name = ends[frames.end] },
					 buffer, sizeof(buffer)));
	strbuf_add_char(text, '\n');
}

void frames_print(struct session *session, struct expt_traces *traces, size_t trace)
{
	cleanup_strbuf struct strbuf frames = STRBUF_INIT;
	const char *text;

	frames_add(session, traces, trace, &frames);
	text = strbuf_text(&frames);
	for (const char *end; (end = strchr(text, '\n')); text = end + 1)
		fprintf(session->out, "  %.*s\n", (int)(end - text), text);
}
