/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The session: the experiments that are loaded, the settings that commands change, and
 * the output. Every command gets it.
 */
#ifndef ER_PRINT_SESSION_SESSION_H
#define ER_PRINT_SESSION_SESSION_H

#include <stdbool.h>
#include <stdio.h>

#include "er_print/session/metric_list.h"
#include "er_print/session/operands.h"
#include "er_print/table/output.h"
#include "libexpt/cli/rc.h"
#include "libexpt/expt.h"

/* The descendants that are loaded with their founder. */
enum descendants { DESCENDANTS_ALL, DESCENDANTS_NONE, DESCENDANTS_MATCHING };

/* The columns of a comparison after those of its first group. */
enum comparison { COMPARISON_OFF, COMPARISON_ON, COMPARISON_DELTA, COMPARISON_RATIO };

struct session {
	const struct topic *topics;	     /* ended by one without commands */
	const struct command *index_command; /* of types of index objects without one */
	struct expt_view *view;		     /* the experiments that are loaded */
	size_t reported; /* number of its problems that have been reported */

	struct output output;	  /* of tables */
	FILE *out, *file;	  /* of text: the output's own, and where it goes */
	FILE *standard;		  /* the file that "-" means: stdout, or the pager's */
	struct pager *pager;	  /* at the prompt; NULL: none */
	const volatile int *stop; /* NULL, or see session_is_stopped() */
	struct metric_list metrics, data_metrics; /* the latter of data objects */
	struct metric_defaults default_metrics, default_sort;
	size_t limit; /* rows to print; 0: all */
	/* Lines with this share, in percent, of the largest value of a column are hot. */
	unsigned source_threshold, disasm_threshold;
	enum comparison comparison;
	bool has_errors;	  /* of sampled metrics are shown */
	struct operands operands; /* that were loaded */
	enum expt_name_form name_form;
	bool has_object_names; /* appended to names: " [<libc.so.6>]" */
	struct cli_rc places;  /* where load objects and sources are searched */
	const struct expt_fetcher *fetcher; /* NULL: debuginfod is off */
	enum descendants descendants;
	struct expt_pattern *descendant_pattern; /* for DESCENDANTS_MATCHING */

	struct {
		struct fragment_part {
			const struct expt_function *function; /* NULL: see row */
			uint32_t row; /* one that is always there */
		} * items;
		size_t count, capacity;
	} fragment; /* of call stacks, callers first, for csingle and its kin */

	bool is_done; /* after "quit" */
	int depth;    /* of nested scripts */
	int status;
	const char
		*where; /* NULL, or the place of a directive: its errors are warnings */
};

/* A loaded experiment. */
struct session_member {
	struct expt *expt;
	const char *name; /* for users: "test.1.er/_f1.er" */
	size_t founder;	  /* its number, or that of its founder */
};
struct session_member session_member(const struct session *session, size_t i);

/* Check whether the user interrupted the command: long loops end early. */
static inline bool session_is_stopped(const struct session *session)
{
	return session->stop && *session->stop;
}

/* Load the experiment, descendant or group at path, or report why it cannot be loaded. */
void session_load(struct session *session, const char *path);
/* Make the operands that are still loaded groups of a comparison, or one group of all. */
void session_group(struct session *session);
const char *session_group_name(const struct session *session, size_t group);
/* Print to the file from now on, and close the previous one. -1: out of memory. */
int session_print_to(struct session *session, FILE *file);
/* Print to the same file in another form from now on. -1: out of memory, reported. */
int session_print_as(struct session *session, enum output_form form, char delimiter);
void session_close(struct session *session);

/* Report on stderr the problems found since the last call. */
void session_report_problems(struct session *session);
/* Returns the sums by function and the like; NULL if they cannot be made, which has been
 * reported. */
struct expt_rows *session_rows(struct session *session, enum expt_by by);
/* Returns "leaf_a", or "leaf_a [<libc.so.6>]", in the form of the settings; valid while
 * the buffer is. */
const char *session_function_name(const struct session *session,
				  const struct expt_function *function, char *buffer,
				  size_t size);
/* Returns 'leaf_a + 0x00000004, line 7 in "prog.c"', as gp-display-text prints it. */
const char *session_place_name(const struct session *session,
			       const struct expt_place *place, char *buffer, size_t size);
const char *session_row_name(const struct session *session, const struct expt_row *row,
			     char *buffer, size_t size);

/* Report a failure of the library on stderr, and set the exit status. Returns -1. */
int session_failed(struct session *session, const struct expt_error *err);
/* Apply the current search places and fetcher to all experiments. */
int session_places_changed(struct session *session);
int session_out_of_memory(struct session *session);
/* Report on stderr that a command failed, and set the exit status. Returns -1. */
int session_error(struct session *session, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
