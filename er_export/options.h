/* SPDX-License-Identifier: Apache-2.0 */
/* The command lines of er_export and er_import. */
#ifndef ER_EXPORT_OPTIONS_H
#define ER_EXPORT_OPTIONS_H

#include <stdbool.h>

#include "er_export/text.h"
#include "er_export/viewer.h"
#include "libexpt/cli/cli.h"
#include "libexpt/cli/progress.h"
#include "libexpt/expt.h"

struct options {
	/* The action: the first one that is set, a format, else export. */
	bool is_import, is_list, is_check, is_text;
	const char *format; /* of a viewer, or of the text */
	const char *output;
	const char *suffix; /* for bundles without -o */
	bool has_compression;
	bool force, is_verbose, is_quiet, shows_progress;
	struct expt_operation operation;
	struct text_options text;
	struct viewer_options viewer;
	struct expt_export_options to;
	struct expt_import_options from;
};

/* Returns -1 to go on, with the operands from optind on; else the status to end with. */
int parse_options(struct options *options, int argc, char *argv[]);

enum cli_progress when_to_show_progress(const struct options *options);

#endif
