/* SPDX-License-Identifier: Apache-2.0 */
/* The filter, the selections of samples and the like, and the words of expressions. */
#include <string.h>

#include "er_print/command/text_words.h"
#include "er_print/experiments/lists.h"
#include "er_print/filters/private.h"
#include "er_print/table/table.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/escape.h"

/* ---- filters ---- */

static int print_filter(const struct session *session)
{
	const char *filter = expt_view_filter(session->view);

	fprintf(session->out, "current filter setting: \"%s\"\n", filter ? filter : "1");
	return 0;
}

int run_filters(struct session *session, int count, char **words)
{
	cleanup_strbuf struct strbuf text = STRBUF_INIT;
	struct expt_error err;

	if (count > 1) {
		join_words(&text, count - 1, words + 1);
		if (text.failed)
			return session_out_of_memory(session);
		if (expt_view_set_filter(session->view, strbuf_text(&text), &err) < 0)
			return session_error(session, "invalid filter '%s': %s",
					     strbuf_text(&text), err.message);
	}
	return print_filter(session);
}

/* ---- selections ---- */

static int choose(struct session *session, enum expt_subset subset, char **words)
{
	struct expt_error err;

	if (expt_view_select(session->view, subset, words[1], &err) < 0)
		return session_error(session, "invalid list '%s': %s", words[1],
				     err.message);
	return 0;
}

int run_sample_select(struct session *session, int count, char **words)
{
	return choose(session, EXPT_SAMPLES, words) < 0
		       ? -1
		       : run_sample_list(session, 1, words);
}

int run_lwp_select(struct session *session, int count, char **words)
{
	return choose(session, EXPT_LWPS, words) < 0 ? -1
						     : run_lwp_list(session, 1, words);
}

int run_thread_select(struct session *session, int count, char **words)
{
	return choose(session, EXPT_THREADS, words) < 0
		       ? -1
		       : run_thread_list(session, 1, words);
}

int run_cpu_select(struct session *session, int count, char **words)
{
	return choose(session, EXPT_CPUS, words) < 0 ? -1
						     : run_cpu_list(session, 1, words);
}

/* ---- describe ---- */

int run_describe(struct session *session, int count, char **words)
{
	fputs("Words of expressions\n", session->out);
	for (size_t i = 0; i < expt_word_count(); i++) {
		struct expt_word word = expt_word(i);

		fprintf(session->out, "   %-21s %s\n", word.name, word.title);
	}
	fputs("\nIndex objects\n", session->out);
	for (size_t i = 0; i < expt_index_type_count(session->view); i++) {
		const struct expt_index_type *type = expt_index_type(session->view, i);

		escape_printf(session->out, "   %-21s %s\n", type->name,
			      type->expression);
	}
	fputs("\nExperiments\n", session->out);
	for (size_t i = 0; i < expt_view_count(session->view); i++)
		escape_printf(session->out, "   EXPID == %-12zu %s\n", i + 1,
			      expt_view_name(session->view, i));
	return 0;
}
