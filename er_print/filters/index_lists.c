/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of index objects: threads, seconds and the like. */
#include "er_print/command/command.h"
#include "er_print/command/object_types.h"
#include "er_print/filters/private.h"
#include "er_print/rows/rows.h"
#include "er_print/session/metric_print.h"
#include "er_print/session/near.h"
#include "libexpt/base/cleanup.h"

static int print_rows_of(struct session *session, struct expt_rows *rows)
{
	struct metric_list metrics = session->metrics;
	int rc;

	metrics_of_table(&metrics, METRICS_OF_INDEX_OBJECTS, &session->metrics);
	rc = rows_print(session, rows, EXPT_BY_INDEX);
	session->metrics = metrics;
	return rc;
}

static int refuse_type(struct session *session, const char *name)
{
	struct near near = { .word = name };
	cleanup_strbuf struct strbuf hint = STRBUF_INIT;

	for (size_t i = 0; i < expt_index_type_count(session->view); i++)
		if (!expt_index_type(session->view, i)->is_memory)
			near_offer(&near, expt_index_type(session->view, i)->name);
	near_ask(&hint, &near);
	if (hint.length == 0)
		strbuf_add_text(&hint, "; 'indxobj_list' lists them");
	return session_error(session, "unknown type of index objects '%s'%s", name,
			     strbuf_text(&hint));
}

static int print_type(struct session *session, const char *name)
{
	size_t type = expt_index_type_find(session->view, name);
	struct expt_rows *rows;
	struct expt_error err;
	int rc;

	if (type == EXPT_INDEX_NONE || expt_index_type(session->view, type)->is_memory)
		return refuse_type(session, name);
	rc = expt_view_index_rows(session->view, type, &rows, &err);
	session_report_problems(session);
	return rc < 0 ? session_failed(session, &err) : print_rows_of(session, rows);
}

int run_indxobj(struct session *session, int count, char **words)
{
	return print_type(session, words[1]);
}

/* The name of a command is that of the type. */
int run_index_type(struct session *session, int count, char **words)
{
	bool is_ambiguous;
	const struct command *command = command_find(session, words[0], &is_ambiguous);

	return print_type(session, command && *command->name ? command->name : words[0]);
}

int run_indxobj_list(struct session *session, int count, char **words)
{
	object_types_list(session, false);
	return 0;
}

int run_indxobj_define(struct session *session, int count, char **words)
{
	return object_types_define(session, count, words, false);
}
