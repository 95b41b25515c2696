/* SPDX-License-Identifier: Apache-2.0 */
/* Annotated code: lines of text, with the metrics of some of them before it. */
#ifndef ER_PRINT_FUNCTIONS_LISTING_H
#define ER_PRINT_FUNCTIONS_LISTING_H

#include "er_print/rows/rows.h"

struct listing {
	struct session *session;
	unsigned threshold;   /* of hot lines, in percent */
	struct row_list list; /* only its rows are used */
	struct shown_columns columns;
	struct table table;
};

/* How a line is annotated, if not with the values of a row. */
#define LISTING_BLANK (UINT32_MAX - 1) /* it has no code */
#define LISTING_ZERO  UINT32_MAX       /* it has code without events */

/* Rows with metrics, in the order of the code. */
struct row_numbers {
	uint32_t *items;
	size_t count, capacity;
};

/* Add the rows that is_wanted accepts, if it is not NULL. false: out of memory. */
bool listing_find_rows(const struct listing *listing, struct row_numbers *found,
		       bool (*is_wanted)(const void *context, const struct expt_row *row),
		       const void *context,
		       int (*compare)(const struct expt_row *a,
				      const struct expt_row *b));

/* Begin with the columns of the current metrics. -1: failed, reported. */
int listing_begin(struct listing *listing, struct session *session, enum expt_by by);
/* Add a line, whose text is copied. false: out of memory. */
bool listing_add(struct listing *listing, uint32_t row, const char *text);
/* Mark the lines with large values, and print all of them. */
void listing_print(struct listing *listing);
void listing_release(struct listing *listing);

#endif
