/* SPDX-License-Identifier: Apache-2.0 */
#include "er_print/rows/frames.h"

#include <string.h>

static void add_frame(struct session *session, const struct expt_place *place,
		      struct strbuf *text)
{
	char buffer[4096];

	strbuf_add_text(text, session_place_name(session, place, buffer, sizeof(buffer)));
	strbuf_add_char(text, '\n');
}

static void add_all(struct session *session, const struct expt_frames *frames,
		    struct strbuf *text)
{
	static const char *const ends[] = {
		[EXPT_STACK_TRUNCATED] = "<Truncated-stack>",
		[EXPT_STACK_FAILED] = "<Stack-unwind-failed>",
	};
	char buffer[4096];

	for (size_t i = 0; i < frames->count; i++)
		add_frame(session, &frames->places[i], text);
	if (frames->end == EXPT_STACK_WHOLE)
		return;
	strbuf_add_text(text,
			session_row_name(session,
					 &(struct expt_row){ .name = ends[frames->end] },
					 buffer, sizeof(buffer)));
	strbuf_add_char(text, '\n');
}

static void print_lines(struct session *session, const char *text, int indent)
{
	for (const char *end; (end = strchr(text, '\n')); text = end + 1)
		fprintf(session->out, "%*s%.*s\n", indent, "", (int)(end - text), text);
}

void frames_print_all(struct session *session, const struct expt_frames *frames,
		      int indent)
{
	cleanup_strbuf struct strbuf text = STRBUF_INIT;

	add_all(session, frames, &text);
	print_lines(session, strbuf_text(&text), indent);
}

void frames_add(struct session *session, struct expt_traces *traces, size_t trace,
		struct strbuf *text)
{
	struct expt_frames frames;
	struct expt_error err;

	if (expt_trace_frames(traces, trace, &frames, &err) < 0)
		session_failed(session, &err);
	else
		add_all(session, &frames, text);
}

void frames_print(struct session *session, struct expt_traces *traces, size_t trace)
{
	cleanup_strbuf struct strbuf text = STRBUF_INIT;

	frames_add(session, traces, trace, &text);
	print_lines(session, strbuf_text(&text), 2);
}
