/* SPDX-License-Identifier: Apache-2.0 */
/* Experiments that a program reads together: its operands, as a view. */
#ifndef LIBEXPT_CLI_VIEW_H
#define LIBEXPT_CLI_VIEW_H

#include "libexpt/cli/progress.h"
#include "libexpt/expt.h"

struct cli_view {
	struct expt_view *view;
	struct expt_search search;	    /* for load objects and sources */
	struct expt_import_options reading; /* of bundles */
	enum cli_progress progress;
	bool is_quiet;	 /* no warnings */
	size_t reported; /* number of its problems that have been reported */
};

/* Add an operand: an experiment with its descendants, a descendant, a group or a bundle.
 * What cannot be read is reported on stderr. Returns CLI_OK or CLI_FAILED. */
int cli_view_add(struct cli_view *view, const char *path);
/* Report the problems that were found since the last call. Returns CLI_OK or CLI_FAILED.
 */
int cli_view_report(struct cli_view *view);

#endif
