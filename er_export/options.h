/* SPDX-License-Identifier: Apache-2.0 */
/* The command lines of er_export and er_import. */
#ifndef ER_EXPORT_OPTIONS_H
#define ER_EXPORT_OPTIONS_H

#include <stdbool.h>

#include "er_export/text.h"
#include "libexpt/cli/cli.h"
#include "libexpt/cli/progress.h"
#include "libexpt/expt.h"

struct options {
	/* What to do: the first that is set, or else export. */
	bool is_import, is_list, is_check, is_text;
	const char *output;
	const char *suffix; /* of bundles whose names we choose */
	bool has_compression;
	bool force, is_verbose, is_quiet, shows_progress;
	struct expt_operation operation;
	struct text_options text;
	struct expt_export_options to;
	struct expt_import_options from;
};

/* -1: go on, with the operands from optind on; otherwise the status to end with. */
int parse_options(struct options *options, int argc, char *argv[]);

enum cli_progress when_to_show_progress(const struct options *options);

#endif
