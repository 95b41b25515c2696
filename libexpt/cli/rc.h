/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What .er.rc files say of places: addpath, setpath and pathmap. One for everybody, one
 * at home and one in the current directory are read; what they say adds up, but a setpath
 * takes the place of the ones before. Everything else in them is of no concern here.
 */
#ifndef LIBEXPT_CLI_RC_H
#define LIBEXPT_CLI_RC_H

#include <stddef.h>

#include "libexpt/expt.h"

struct cli_rc_list {
	char **items; /* NULL behind the last */
	size_t count, capacity;
};

struct cli_rc {
	struct cli_rc_list maps, directories;
};

/* Read the three files. They must be regular files of at most 1 MiB that belong to root
 * or to the caller, and no others may be able to write to them or to their directories.
 * Warn of files that are not read, and of lines that cannot be understood. */
void cli_rc_read_all(struct cli_rc *rc);
/* Read the one in a directory; none is fine. */
void cli_rc_read(struct cli_rc *rc, const char *directory);
/* As the library takes it; borrows from rc. */
struct expt_search cli_rc_search(const struct cli_rc *rc);
void cli_rc_release(struct cli_rc *rc);

#endif
