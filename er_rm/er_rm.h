/* SPDX-License-Identifier: Apache-2.0 */
/* main.c reads the command line; named.c removes what is named, clean.c what it chooses;
 * say.c has the messages of both. */
#ifndef ER_RM_H
#define ER_RM_H

#include <stdbool.h>

#include "libexpt/expt.h"

struct options {
	bool force, interactive, interactive_once, dry_run, is_verbose, is_quiet;
	bool is_recursive;
	struct expt_criteria criteria;
};

/* Remove the operands: an exit status. */
int remove_named(const struct options *options, char *operands[], int count);
/* The file of a group, whose experiments are gone: an exit status. */
int remove_group_file(const struct options *options, const struct expt_group *group,
		      const char *path);

/* Choose by the criteria among the operands and, with -r, what is below them, and remove
 * that: an exit status. */
int clean(const struct options *options, char *operands[], int count);

/* There is nothing at path; only a warning for a member of a group: an exit status. */
int say_missing(const struct options *options, const char *path, bool is_member);
/* The line about what was left of an interrupted operation; nothing for other lines. */
void say_leftover(const struct options *options, const struct expt_report_line *line);
/* The line about an experiment; facts may be NULL. */
void say_removed(const struct options *options, const char *path,
		 const struct expt_selected *facts);

#endif
