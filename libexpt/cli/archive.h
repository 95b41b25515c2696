/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The choice of what to archive: the options of er_archive that SP_ARCHIVE_ARGS may also
 * contain. The variable applies to archiving that was not started by hand.
 */
#ifndef LIBEXPT_CLI_ARCHIVE_H
#define LIBEXPT_CLI_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "libexpt/expt.h"

#define CLI_ARCHIVE_LETTERS "a:As:d:r:m:nFqv"

struct cli_archive {
	bool has_mode;
	enum expt_archive_mode mode;
	const char *sources; /* the argument of -s, or NULL */
	struct {
		const char **items; /* regular expressions, ended by NULL */
		size_t count, capacity;
	} patterns;
	const char *store; /* -d or -r */
	bool has_relative_links;
	bool is_founder_only, renew, is_quiet, is_verbose;
	char *text; /* memory of the words, or NULL */
};

/* Parse one option. Returns CLI_OK, or CLI_USAGE after a message. value must outlive
 * choice. */
int cli_archive_option(struct cli_archive *choice, int letter, const char *value);
/* Complete the choice with the options of SP_ARCHIVE_ARGS. Returns CLI_FAILED after a
 * message if they cannot be parsed; choice is unchanged then. */
int cli_archive_environment(struct cli_archive *choice);
/* Put the choice into options, with the mode standard if none was chosen; the other
 * options stay as they are. Borrows from choice. */
void cli_archive_apply(const struct cli_archive *choice, enum expt_archive_mode standard,
		       struct expt_archive_options *options);
void cli_archive_release(struct cli_archive *choice);

#endif
