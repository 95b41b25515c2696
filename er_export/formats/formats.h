/* SPDX-License-Identifier: Apache-2.0 */
/* Formats of other programs. A format is one file, and one entry of the table in
 * formats.c. */
#ifndef ER_EXPORT_FORMATS_FORMATS_H
#define ER_EXPORT_FORMATS_FORMATS_H

#include <stdbool.h>
#include <stdio.h>

#include "libexpt/expt.h"

#define METRICS_CHOSEN_MAX 64

/* The events to write. */
struct source {
	struct expt_view *view;
	const struct expt_tables *tables;
	size_t metrics[METRICS_CHOSEN_MAX]; /* those to write, in their order */
	size_t metric_count;
	size_t main_metric; /* the one that a viewer shows first */
};

struct format {
	const char *name;
	bool is_binary;	     /* not for terminals */
	bool has_one_metric; /* and no others beside it */
	bool has_times;	     /* single events, of the first metric */
	bool needs_time;     /* its metric is a time */
	const char *lacks;   /* NULL, or what it cannot carry: a sentence for people */
	/* Returns 0, or a negative errno; errors of the file are left to the caller. */
	int (*write)(FILE *out, const struct source *source);
};

/* Returns NULL for an unknown name. */
const struct format *format_find(const char *name);
/* The name of a format; NULL after the last one. */
const char *format_name(size_t i);

#endif
