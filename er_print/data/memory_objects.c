/* SPDX-License-Identifier: Apache-2.0 */
/* Objects of the memory system: pages and cache lines. */
#include <strings.h>

#include "er_print/command/command.h"
#include "er_print/data/private.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/escape.h"
#include "libexpt/base/strbuf.h"

int run_memobj(struct session *session, int count, char **words)
{
	size_t type = expt_index_type_find(session->view, words[1]);
	struct expt_rows *rows;
	struct expt_error err;
	int rc;

	if (type == EXPT_INDEX_NONE || !expt_index_type(session->view, type)->is_memory)
		return session_error(session, "unknown type of memory objects '%s'",
				     words[1]);
	if (!data_is_there(session))
		return -1;
	rc = expt_view_index_rows(session->view, type, &rows, &err);
	session_report_problems(session);
	return rc < 0 ? session_failed(session, &err)
		      : print_data_rows(session, rows, EXPT_BY_INDEX);
}

int run_mobj_list(struct session *session, int count, char **words)
{
	fputs("Types of memory objects\n", session->out);
	for (size_t i = 0; i < expt_index_type_count(session->view); i++) {
		const struct expt_index_type *type = expt_index_type(session->view, i);

		if (type->is_memory)
			escape_printf(session->out, "  %s\t%s\n", type->name,
				      type->expression);
	}
	return 0;
}

int run_mobj_define(struct session *session, int count, char **words)
{
	cleanup_strbuf struct strbuf text = STRBUF_INIT;
	bool is_ambiguous;
	const struct command *command = command_find(session, words[1], &is_ambiguous);
	struct expt_error err;

	if (command && strcasecmp(command->name, words[1]) == 0)
		return session_error(session, "cannot define '%s': it is a command",
				     words[1]);
	for (int i = 2; i < count; i++)
		strbuf_printf(&text, "%s%s", i > 2 ? " " : "", words[i]);
	if (text.failed)
		return session_out_of_memory(session);
	if (expt_index_type_define(session->view, words[1], strbuf_text(&text), true,
				   &err) < 0)
		return session_error(session, "cannot define '%s': %s", words[1],
				     err.message);
	return 0;
}
