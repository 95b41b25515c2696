/* SPDX-License-Identifier: Apache-2.0 */
/* Rows that differ by more than chance between the groups of a comparison. */
#ifndef ER_PRINT_ROWS_DIFFERENCE_H
#define ER_PRINT_ROWS_DIFFERENCE_H

#include "er_print/session/session.h"

/* The metric that is compared, and the probability that an error of the sampling alone
 * makes a row differ as much: 5 %, divided by the number of comparisons (Bonferroni). */
struct differences {
	const struct expt_rows *rows;
	struct metric_column column;
	size_t groups; /* 0: nothing is compared */
	double limit;
};

struct differences differences_begin(const struct session *session,
				     const struct expt_rows *rows);
/* Returns how a row of a group differs from that of the first one. */
struct expt_difference row_difference(const struct differences *differences, size_t row,
				      size_t group);
/* Check whether a row of any group differs from that of the first one. */
bool row_differs(const struct differences *differences, size_t row);

#endif
