/* SPDX-License-Identifier: Apache-2.0 */
/* er_export --text: experiments as text, a line per record. */
#ifndef ER_EXPORT_TEXT_H
#define ER_EXPORT_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include "libexpt/cli/progress.h"
#include "libexpt/expt.h"

/* Bits of the wanted kinds: the numbers of enum expt_data, and these. */
enum text_kind {
	TEXT_NOTES = EXPT_DATA_COUNT,
	TEXT_LOG,
	TEXT_MAP,
	TEXT_SAMPLES,
	TEXT_CLASSES,
};

struct text_options {
	const char *output; /* a file, or NULL for the standard output */
	bool replace;	    /* if it exists */
	bool is_json;
	unsigned kinds;			    /* 0: all */
	struct expt_import_options reading; /* of bundles: limits, threads */
	enum cli_progress progress;
};

/* Print all operands, experiments and groups, to the output; a file appears when it is
 * complete. Returns the status for exit; damage is a failure. */
int export_text(char *operands[], int count, const struct text_options *options);

#endif
