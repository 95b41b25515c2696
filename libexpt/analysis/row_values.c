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

/* ---- errors ---- */

/* A sampled value, as a share of the total, and the sums of the squares of its packets
 * and of all packets. */
struct sampled {
	double value, share;
	double squares, all_squares;
};

static struct sampled sampled_in(const struct expt_rows *rows, size_t i, size_t group,
				 size_t metric, enum expt_flavor flavor)
{
	const struct figures *row = figures_of(rows, i, flavor);
	const struct figures *total = figures_of(rows, EXPT_ROW_TOTAL, EXPT_EXCLUSIVE);
	double whole = (double)figures_value(rows->view, total, group, metric);
	struct sampled sampled = {
		.value = (double)figures_value(rows->view, row, group, metric),
		.squares = figures_square(rows->view, row, group, metric),
		.all_squares = figures_square(rows->view, total, group, metric),
	};

	sampled.share = whole != 0 ? fmin(sampled.value / whole, 1) : 0;
	return sampled;
}

/* Packets come independently. If their number is left to chance, the variance of a sum is
 * the sum of the squares. If the total is given, it is the sum of the squares of what
 * each packet adds to the difference from the value's share of all packets. */
static double variance_by(const struct sampled *sampled, double squares,
			  bool is_total_given)
{
	double share = sampled->share;

	if (!is_total_given)
		return squares;
	return (1 - 2 * share) * squares + share * share * sampled->all_squares;
}

/* The row's own squares are too small if the heavy packets missed it by chance: each
 * packet hits the row with the probability of its share, so that share of all squares is
 * what to expect. This in turn is too small for a row that has the heavy packets always.
 * The larger variance holds for both; if all weights are equal, the two are the same. */
static double variance(const struct sampled *sampled, bool is_total_given)
{
	double own = variance_by(sampled, sampled->squares, is_total_given);
	double expected = variance_by(sampled, sampled->share * sampled->all_squares,
				      is_total_given);

	return fmax(fmax(own, expected), 0);
}

/* The total is counted, not sampled: a value errs as the share of its packets does. */
double expt_row_error(const struct expt_rows *rows, size_t i, size_t group, size_t metric,
		      enum expt_flavor flavor)
{
	struct sampled sampled = sampled_in(rows, i, group, metric, flavor);

	return DEVIATIONS * sqrt(variance(&sampled, true));
}

/* Unlike for the error of one value, the total is no fixed number here: that it differs
 * is no reason to name all functions. */
void expt_row_difference(const struct expt_rows *rows, size_t i, size_t group,
			 size_t metric, enum expt_flavor flavor,
			 struct expt_difference *difference)
{
	struct sampled first = sampled_in(rows, i, 0, metric, flavor);
	struct sampled other = sampled_in(rows, i, group, metric, flavor);
	double deviation = sqrt(variance(&first, false) + variance(&other, false));
	double value = other.value - first.value;

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
