/* SPDX-License-Identifier: Apache-2.0 */
/* The data of the page: a head in JSON, and columns of numbers, compressed and in base64.
 */
#ifndef ER_HTML_DATA_H
#define ER_HTML_DATA_H

#include <stdio.h>

#include "er_html/views/difference.h"
#include "libexpt/expt.h"

struct data_options {
	const char *title;
	const struct expt_search *search; /* for sources */
	uint64_t source_limit;		  /* of their text and instructions, in bytes */
	struct groups groups;
};

/* Write the data of a view. Returns 0, or a negative errno; errors of the file are left
 * to the caller. */
int data_write(FILE *out, struct expt_view *view, const struct data_options *options,
	       struct expt_error *err);

#endif
