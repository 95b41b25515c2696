/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is to be archived, as people say it: the options of er_archive that may also stand
 * in SP_ARCHIVE_ARGS, which holds for archiving that nobody started by hand.
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
	const char *sources; /* the word of -s, or NULL */
	struct {
		const char **items; /* regular expressions, and NULL behind the last */
		size_t count, capacity;
	} patterns;
	const char *store; /* -d or -r */
	bool has_relative_links;
	bool is_founder_only, renew, is_quiet, is_verbose;
	char *text; /* what the words were cut out of, or NULL */
};

/* Take one option: CLI_OK, or CLI_USAGE after a message. value must outlive choice. */
int cli_archive_option(struct cli_archive *choice, int letter, const char *value);
/* What SP_ARCHIVE_ARGS holds counts where choice leaves it open. CLI_FAILED after a
 * message if it cannot be understood; choice is then as it was. */
int cli_archive_environment(struct cli_archive *choice);
/* The choice as the library takes it, with standard where no mode was chosen; the rest of
 * options is left alone. Borrows from choice. */
void cli_archive_apply(const struct cli_archive *choice, enum expt_archive_mode standard,
		       struct expt_archive_options *options);
void cli_archive_release(struct cli_archive *choice);

#endif
