/* SPDX-License-Identifier: Apache-2.0 */
/* Differences of sampled values between groups that are compared. */
#include <math.h>

#include "libexpt/analysis/rows.h"

/* As many standard deviations have 95 % of a normal distribution. */
#define DEVIATIONS 1.959964

/* Packets come independently, in both recordings: the variance of a sum is the sum of the
 * squares. Unlike for the error of one value, the total is no fixed number here: that it
 * differs is no reason to name all functions. */
void expt_row_difference(const struct expt_rows *rows, size_t i, size_t group,
			 size_t metric, enum expt_flavor flavor,
			 struct expt_difference *difference)
{
	const struct row *row = &rows->rows.items[i];
	const struct figures *figures = flavor == EXPT_EXCLUSIVE ? &row->exclusive
								 : &row->inclusive;
	double variance = figures_square(rows->view, figures, group, metric) +
			  figures_square(rows->view, figures, 0, metric);
	double deviation = sqrt(variance);
	double value = (double)figures_value(rows->view, figures, group, metric) -
		       (double)figures_value(rows->view, figures, 0, metric);

	*difference = (struct expt_difference){
		.value = value,
		.error = DEVIATIONS * deviation,
		.chance = deviation > 0 ? erfc(fabs(value) / deviation * M_SQRT1_2) : 1,
	};
}
