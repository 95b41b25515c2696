/* SPDX-License-Identifier: Apache-2.0 */
/* The subject of an annotated listing: a source, and functions that are in it. */
#ifndef ER_PRINT_FUNCTIONS_SUBJECT_H
#define ER_PRINT_FUNCTIONS_SUBJECT_H

#include "er_print/session/session.h"

struct subject {
	struct expt_object *object;
	const struct expt_function *function; /* NULL: a file was named */
	const char *path;		      /* of the source; NULL: not known */
	struct expt_source *source;	      /* its text, or NULL */

	/* The functions with code from the source, by object and offset. */
	struct {
		const struct expt_function **items;
		size_t count, capacity;
	} functions;
};

/* Find a function or a file by a command's words. -1: there is none, reported. */
int subject_find(struct subject *subject, struct session *session, int count,
		 char **words);
/* Find the functions with recorded metrics that have code from the source, and those next
 * to them. -1: failed, reported. */
int subject_find_functions(struct subject *subject, struct session *session);
/* Print what the listing is of, and whether its text can be trusted. */
void subject_print_head(const struct subject *subject, struct session *session);
/* Check whether a path is that of the source. */
bool subject_has_path(const struct subject *subject, const char *path);
void subject_release(struct subject *subject);

#endif
