/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of attributed metrics: one per metric shown, and the name. */
#ifndef ER_PRINT_FUNCTIONS_ATTRIBUTED_H
#define ER_PRINT_FUNCTIONS_ATTRIBUTED_H

#include "er_print/rows/rows.h"

struct attributed {
	struct expt_rows *rows;
	struct table table;
	struct shown_columns columns;
};

/* Add the columns to the table. Exclusive and inclusive ones of a metric become one.
 * false: out of memory. */
bool attributed_add_columns(struct session *session, struct attributed *attributed);
void attributed_release(struct attributed *attributed);
/* Add columns that the layout of the text form implies: they relate the name to a
 * center. */
bool attributed_add_relation(struct attributed *attributed);
/* Add a line. relation and center are NULL without these columns. */
bool attributed_add_line(struct attributed *attributed, const struct row_list *list,
			 const struct shown_row *shown, char mark, const char *relation,
			 const char *center);
/* Add neighbours as lines, in order. Returns their count, or -1: out of memory. */
int attributed_add_side(struct session *session, struct attributed *attributed,
			enum expt_side side, const struct expt_neighbour *neighbours,
			size_t count, const char *center);
/* Returns the sum of neighbours in a column. */
int64_t attributed_sum(const struct attributed *attributed,
		       const struct expt_neighbour *neighbours, size_t count,
		       const struct metric_column *column);

#endif
