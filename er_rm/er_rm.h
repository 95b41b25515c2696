/* SPDX-License-Identifier: Apache-2.0 */
/* main.c reads the command line; named.c removes the named experiments, clean.c those
 * that criteria choose; say.c has the messages of both. */
#ifndef ER_RM_H
#define ER_RM_H

#include <stdbool.h>

#include "libexpt/expt.h"

struct options {
	bool force, interactive, interactive_once, dry_run, is_verbose, is_quiet;
	bool is_recursive;
	struct expt_criteria criteria;
};

/* Remove the operands. Returns an exit status. */
int remove_named(const struct options *options, char *operands[], int count);
/* Remove the file of a group whose experiments are gone. Returns an exit status. */
int remove_group_file(const struct options *options, const struct expt_group *group,
		      const char *path);

/* Remove experiments that meet the criteria, among the operands and, with -r, below them.
 * Returns an exit status. */
int clean(const struct options *options, char *operands[], int count);

/* Report that there is nothing at path; for a member of a group, only warn. Returns an
 * exit status. */
int say_missing(const struct options *options, const char *path, bool is_member);
/* Print the line about a removed leftover of an interrupted operation; ignore other
 * lines. */
void say_leftover(const struct options *options, const struct expt_report_line *line);
/* Print the line about a removed experiment; facts may be NULL. */
void say_removed(const struct options *options, const char *path,
		 const struct expt_selected *facts);

#endif
