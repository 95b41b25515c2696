/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads .er.rc files: one for the system, one at home and one in the current directory.
 * Programs that need only the places in them, addpath, setpath and pathmap, get these
 * added up, but a setpath replaces the directories before it. Others get every directive.
 */
#ifndef LIBEXPT_CLI_RC_H
#define LIBEXPT_CLI_RC_H

#include <stddef.h>

#include "libexpt/expt.h"

struct cli_rc_list {
	char **items; /* ended by NULL */
	size_t count, capacity;
};

struct cli_rc {
	struct cli_rc_list maps, directories;
};

/* A directive. */
struct cli_rc_line {
	const char *where; /* "'./.er.rc': line 3" */
	unsigned file;	   /* the number of its file, counted from 1 */
	char **words;	   /* ended by NULL; may be modified */
	int count;	   /* at least 1 */
};
typedef void cli_rc_handler(void *context, const struct cli_rc_line *line);

/* Pass on the directives of the three files. They must be regular files of at most 1 MiB
 * that belong to root or to the caller, and no others may be able to write to them or to
 * their directories. Warns of files that are not read, and of lines that cannot be
 * parsed. */
void cli_rc_read_lines(cli_rc_handler *handle, void *context);
/* Take the places in them. */
void cli_rc_read_all(struct cli_rc *rc);
/* Read the file in a directory, if there is one. */
void cli_rc_read(struct cli_rc *rc, const char *directory);
/* Apply one directive. Lists of directories are separated by colons. */
void cli_rc_add_path(struct cli_rc *rc, const char *list);
void cli_rc_set_path(struct cli_rc *rc, const char *list);
void cli_rc_map_path(struct cli_rc *rc, const char *old, const char *new);
/* Convert to the form of the library; borrows from rc. */
struct expt_search cli_rc_search(const struct cli_rc *rc);
void cli_rc_release(struct cli_rc *rc);

#endif
