/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of clock samples by parallel region and task of OpenMP. */
/* clang-format off */
#ifndef LIBEXPT_API_OPENMP_H
#define LIBEXPT_API_OPENMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/api/sums.h"

EXPT_DECLARATIONS_BEGIN

enum expt_omp_by { EXPT_BY_REGION, EXPT_BY_TASK };

/* All instances of a region or task in the source. */
struct expt_omp_sum {
	const struct expt_function *function;	/* NULL: outside of all of them */
	uint64_t offset;			/* of its pragma, in the function */
	int64_t count;	/* how often it was begun, or run, whatever the filters are */
};

/* Samples belong to the region or task that their thread entered last. There are none
 * where no experiment has entries of the kind. */
struct expt_omp_sums;
int expt_omp_sums_find(struct expt_omp_sums **out, struct expt_view *view,
		       enum expt_omp_by by, struct expt_error *err);
void expt_omp_sums_free(struct expt_omp_sums *sums);
size_t expt_omp_sums_count(const struct expt_omp_sums *sums);
/* False: how often is not known of any of them. */
bool expt_omp_sums_have_counts(const struct expt_omp_sums *sums);
const struct expt_omp_sum *expt_omp_sum(const struct expt_omp_sums *sums, size_t i);
/* 0 for metrics of other data than the clock's. */
int64_t expt_omp_sum_value(const struct expt_omp_sums *sums, size_t i, size_t metric);

EXPT_DECLARATIONS_END

#endif
