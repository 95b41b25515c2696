/* SPDX-License-Identifier: Apache-2.0 */
/* The values of rows, their errors and differences, and rows in order. */
#include <math.h>
#include <stdlib.h>

#include "libexpt/analysis/rows.h"

/* As many standard deviations have 95 % of a normal distribution. */
#define DEVIATIONS 1.959964

static const struct figures *figures_of(const struct expt_rows *rows, size_t i,
					enum expt_flavor flavor)
{
	const struct row *row = &rows->rows.items[i];

	return flavor == EXPT_EXCLUSIVE ? &row->exclusive : &row->inclusive;
}

int64_t expt_row_value(const struct expt_rows *rows, size_t i, size_t metric,
		       enum expt_flavor flavor)
{
	return expt_row_value_in(rows, i, EXPT_ALL_GROUPS, metric, flavor);
}

int64_t expt_row_value_in(const struct expt_rows *rows, size_t i, size_t group,
			  size_t metric, enum expt_flavor flavor)
{
	return figures_value(rows->view, figures_of(rows, i, flavor), group, metric);
}

/* The total is counted, not sampled: a value errs as the share of its packets does. */
double expt_row_error(const struct expt_rows *rows, size_t i, size_t group, size_t metric,
		      enum expt_flavor flavor)
{
	const struct figures *row = figures_of(rows, i, flavor);
	const struct figures *total = figures_of(rows, EXPT_ROW_TOTAL, EXPT_EXCLUSIVE);
	double whole = (double)figures_value(rows->view, total, group, metric);
	double value = (double)figures_value(rows->view, row, group, metric);
	double within = figures_square(rows->view, row, group, metric);
	double beside = figures_square(rows->view, total, group, metric) - within;
	double share = whole != 0 ? value / whole : 0;

	return DEVIATIONS * sqrt((1 - share) * (1 - share) * within +
				 share * share * (beside > 0 ? beside : 0));
}

/* Packets come independently, in both recordings: the variance of a sum is the sum of the
 * squares. Unlike for the error of one value, the total is no fixed number here: that it
 * differs is no reason to name all functions. */
void expt_row_difference(const struct expt_rows *rows, size_t i, size_t group,
			 size_t metric, enum expt_flavor flavor,
			 struct expt_difference *difference)
{
	const struct figures *figures = figures_of(rows, i, flavor);
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

/* ---- order ---- */

struct order {
	const struct expt_rows *rows;
	size_t metric;
	enum expt_flavor flavor;
};

/* Equal values keep the order in which the rows were met, after <Total>. */
static int compare(const void *left, const void *right, void *context)
{
	const struct order *order = context;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	int64_t value_a = expt_row_value(order->rows, a, order->metric, order->flavor);
	int64_t value_b = expt_row_value(order->rows, b, order->metric, order->flavor);

	if (a == EXPT_ROW_TOTAL || b == EXPT_ROW_TOTAL || value_a == value_b)
		return a < b ? -1 : a > b;
	return value_a > value_b ? -1 : 1;
}

size_t expt_rows_sort(const struct expt_rows *rows, size_t metric,
		      enum expt_flavor flavor, uint32_t *numbers)
{
	struct order order = { rows, metric, flavor };
	size_t count = 0;

	for (size_t i = 0; i < rows->rows.count; i++)
		if (rows->rows.items[i].shown.is_counted)
			numbers[count++] = (uint32_t)i;
	qsort_r(numbers, count, sizeof(*numbers), compare, &order);
	return count;
}
