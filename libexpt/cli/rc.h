/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the places in .er.rc files: addpath, setpath and pathmap. There is one file for
 * the system, one at home and one in the current directory. Their directives add up, but
 * a setpath replaces the directories before it. Other directives are ignored.
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

/* Read the three files. They must be regular files of at most 1 MiB that belong to root
 * or to the caller, and no others may be able to write to them or to their directories.
 * Warns of files that are not read, and of lines that cannot be parsed. */
void cli_rc_read_all(struct cli_rc *rc);
/* Read the file in a directory, if there is one. */
void cli_rc_read(struct cli_rc *rc, const char *directory);
/* Convert to the form of the library; borrows from rc. */
struct expt_search cli_rc_search(const struct cli_rc *rc);
void cli_rc_release(struct cli_rc *rc);

#endif
