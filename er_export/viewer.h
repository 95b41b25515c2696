/* SPDX-License-Identifier: Apache-2.0 */
/* er_export --format: experiments in a format of another program. */
#ifndef ER_EXPORT_VIEWER_H
#define ER_EXPORT_VIEWER_H

#include <stdbool.h>

#include "libexpt/cli/progress.h"
#include "libexpt/expt.h"

struct viewer_options {
	const char *format;
	const char *metrics; /* NULL: by default */
	const char *output;  /* a file, or NULL for the standard output */
	bool replace;	     /* if it exists */
	bool is_quiet;
	struct expt_import_options reading; /* of bundles: limits, threads */
	enum cli_progress progress;
};

/* Write all operands, experiments and groups, as one file, which appears when it is
 * complete. Returns the status for exit; damage is a failure. */
int export_for_viewer(char *operands[], int count, const struct viewer_options *options);

#endif
