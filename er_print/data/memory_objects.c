/* SPDX-License-Identifier: Apache-2.0 */
/* Objects of the memory system: pages and cache lines. */
#include "er_print/command/object_types.h"
#include "er_print/data/private.h"

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
	object_types_list(session, true);
	return 0;
}

int run_mobj_define(struct session *session, int count, char **words)
{
	return object_types_define(session, count, words, true);
}
