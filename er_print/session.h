/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What er_print has in hand: the experiments that are loaded, the settings that commands
 * change, and where output goes. Every command gets it.
 */
#ifndef ER_PRINT_SESSION_H
#define ER_PRINT_SESSION_H

#include <stdbool.h>
#include <stdio.h>

#include "er_print/metric_list.h"
#include "er_print/metrics.h"
#include "libexpt/expt.h"

/* An experiment that is loaded: a founder or one of its descendants. */
struct member {
	struct expt *expt;
	char *name;	/* as people see it: "test.1.er/_f1.er" */
	size_t founder; /* its number among the founders */
	size_t damage;	/* so many places have been reported */
};

struct session {
	struct {
		struct member *items;
		size_t count, capacity;
	} members;
	size_t founders;
	struct aggregate
		*aggregate; /* see aggregate.h; NULL until a table is asked for */

	FILE *out, *file; /* what is printed, without control characters, and where it
			     goes */
	struct metric_list metrics;
	size_t limit; /* rows to print; 0: all */
	enum expt_name_form name_form;
	bool has_object_names; /* behind each name: " [<libc.so.6>]" */

	bool is_done; /* quit */
	int depth;    /* of scripts that run scripts */
	int status;
};

/* Load the experiment, descendant or group at path; what cannot be loaded is reported. */
void session_load(struct session *session, const char *path);
/* Print to the file from now on, and close the one before. -1: out of memory. */
int session_print_to(struct session *session, FILE *file);
void session_close(struct session *session);

/* Say on stderr, once, what was found damaged since the last call. */
void session_report_damage(struct session *session);

/* A command could not be done: said on stderr, and remembered in the exit status. Returns
 * -1. */
int session_error(struct session *session, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
