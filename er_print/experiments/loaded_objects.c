/* SPDX-License-Identifier: Apache-2.0 */
#include "er_print/experiments/loaded_objects.h"

#include <string.h>

/* Check whether an object of the same path was printed for another founder. */
static bool was_printed(struct session *session, size_t member, const char *path)
{
	for (size_t i = 0; i < member; i++) {
		struct expt *expt = expt_view_expt(session->view, i);

		if (expt_view_founder(session->view, i) ==
		    expt_view_founder(session->view, member))
			continue;
		for (size_t j = 0; j < expt_object_count(expt); j++)
			if (strcmp(expt_object_path(expt_object(expt, j)), path) == 0)
				return true;
	}
	return false;
}

bool for_each_object(struct session *session, struct table *table,
		     bool (*show)(struct session *session, struct table *table,
				  struct expt_object *object))
{
	/* A founder and its descendants share one table of objects, but the descendants'
	 * maps have to be read to fill it. */
	for (size_t i = 0; i < expt_view_count(session->view); i++)
		expt_segment_count(expt_view_expt(session->view, i));
	for (size_t i = 0;
	     i < expt_view_count(session->view) && !session_is_stopped(session); i++) {
		struct session_member member = session_member(session, i);

		if (member.founder != i)
			continue;
		for (size_t j = 0; j < expt_object_count(member.expt); j++) {
			struct expt_object *object = expt_object(member.expt, j);

			if (!was_printed(session, i, expt_object_path(object)) &&
			    !show(session, table, object))
				return false;
		}
	}
	return true;
}
