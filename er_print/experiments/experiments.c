/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that change which experiments are loaded. */
#include <string.h>

#include "er_print/experiments/private.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/path.h"
#include "libexpt/base/strbuf.h"

/* The choice of metrics, which numbers name, before experiments change the numbers. */
struct choice {
	struct strbuf metrics, sort;
};

static void release_choice(struct choice *choice)
{
	strbuf_release(&choice->metrics);
	strbuf_release(&choice->sort);
}

static void restore(struct session *session, const struct choice *choice)
{
	metrics_restore(session, strbuf_text(&choice->metrics),
			strbuf_text(&choice->sort));
	session_group(session);
}

/* Returns whether anything was loaded; if not, the reason has been reported. */
static bool load(struct session *session, const char *path)
{
	size_t before = expt_view_count(session->view);

	session_load(session, path);
	return expt_view_count(session->view) > before;
}

int run_add_exp(struct session *session, int count, char **words)
{
	cleanup(release_choice) struct choice choice = { STRBUF_INIT, STRBUF_INIT };
	bool is_loaded;

	metrics_describe(session, &choice.metrics, &choice.sort);
	is_loaded = load(session, words[1]);
	restore(session, &choice);
	return is_loaded ? 0 : -1;
}

/* Returns the number of the founder with that name, or SIZE_MAX; of several, the last. */
static size_t find(const struct session *session, const char *path)
{
	size_t length = path_length(path);

	for (size_t i = expt_view_count(session->view); i-- > 0;) {
		const char *name = expt_view_name(session->view, i);

		if (expt_view_founder(session->view, i) == i && strlen(name) == length &&
		    memcmp(name, path, length) == 0)
			return i;
	}
	return SIZE_MAX;
}

static size_t count_founders(const struct session *session)
{
	size_t count = 0;

	for (size_t i = 0; i < expt_view_count(session->view); i++)
		count += expt_view_founder(session->view, i) == i;
	return count;
}

int run_drop_exp(struct session *session, int count, char **words)
{
	cleanup(release_choice) struct choice choice = { STRBUF_INIT, STRBUF_INIT };
	size_t founder = find(session, words[1]);

	if (founder == SIZE_MAX)
		return session_error(session, "'%s' is not loaded; see experiment_list",
				     words[1]);
	if (count_founders(session) == 1)
		return session_error(session,
				     "cannot drop the only experiment '%s'; use open_exp",
				     words[1]);
	metrics_describe(session, &choice.metrics, &choice.sort);
	expt_view_remove(session->view, founder);
	restore(session, &choice);
	return 0;
}

int run_open_exp(struct session *session, int count, char **words)
{
	size_t old = count_founders(session);

	if (!load(session, words[1]))
		return -1;
	while (old-- > 0)
		expt_view_remove(session->view, 0);
	metrics_default(session);
	session_group(session);
	return 0;
}
