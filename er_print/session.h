/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The session: the experiments that are loaded, the settings that commands change, and
 * the output. Every command gets it.
 */
#ifndef ER_PRINT_SESSION_H
#define ER_PRINT_SESSION_H

#include <stdbool.h>
#include <stdio.h>

#include "er_print/metric_list.h"
#include "er_print/metrics.h"
#include "libexpt/expt.h"

/* A loaded experiment: a founder or one of its descendants. */
struct member {
	struct expt *expt;
	char *name;	/* for users: "test.1.er/_f1.er" */
	size_t founder; /* its number among the founders */
	size_t damage;	/* number of problems already reported */
};

struct session {
	struct {
		struct member *items;
		size_t count, capacity;
	} members;
	size_t founders;
	struct aggregate
		*aggregate; /* see aggregate.h; NULL until a table is requested */

	FILE *out, *file; /* escapes control characters, and writes to file */
	struct metric_list metrics;
	size_t limit; /* rows to print; 0: all */
	enum expt_name_form name_form;
	bool has_object_names; /* appended to names: " [<libc.so.6>]" */

	bool is_done; /* after "quit" */
	int depth;    /* of nested scripts */
	int status;
};

/* Load the experiment, descendant or group at path, or report why it cannot be loaded. */
void session_load(struct session *session, const char *path);
/* Print to the file from now on, and close the previous one. -1: out of memory. */
int session_print_to(struct session *session, FILE *file);
void session_close(struct session *session);

/* Report on stderr the damage found since the last call. */
void session_report_damage(struct session *session);

/* Report on stderr that a command failed, and set the exit status. Returns -1. */
int session_error(struct session *session, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
