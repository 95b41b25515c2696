/* SPDX-License-Identifier: Apache-2.0 */
/* The head of the data: what there is, by name. */
#ifndef ER_HTML_HEAD_H
#define ER_HTML_HEAD_H

#include <stdint.h>
#include <stdio.h>

#include "er_html/columns.h"
#include "er_html/times.h"
#include "libexpt/base/idmap.h"
#include "libexpt/expt.h"

struct head_metric {
	size_t number; /* in the view */
	char *column;  /* "value.totalcpu" */
};

struct head {
	struct expt_view *view;
	const char *title;

	/* Set by head_open(): */
	const struct expt_tables *tables;
	struct head_metric *metrics; /* those with data */
	size_t metric_count;
	struct times *times;
	struct {
		const struct expt_object **items; /* the first is none */
		size_t count, capacity;
	} objects;
	struct idmap by_object;
};

/* Read the events. Returns 0 or a negative errno. times is left to the caller. */
int head_open(struct head *head, struct expt_error *err);
/* The number of the object that a function is in; 0: none. */
uint32_t head_object(const struct head *head, const struct expt_row *function);
/* The name of the column of a metric, by its number in the view. */
const char *head_column(const struct head *head, size_t metric);
/* Write all fields of a JSON object; others may follow. */
void head_write(const struct head *head, FILE *out, const struct columns *columns);
void head_close(struct head *head);

#endif
