/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of data objects. */
#ifndef LIBEXPT_DATASPACE_DATA_ROWS_H
#define LIBEXPT_DATASPACE_DATA_ROWS_H

#include "libexpt/accesses/descriptor.h"
#include "libexpt/analysis/rows.h"
#include "libexpt/kinds/reasons.h"

/* Returns new rows with those that are always there; NULL: out of memory. */
struct expt_rows *data_rows_new(struct expt_view *view);
/* Returns the row of a reason, or of the innermost element of a place, made with those of
 * its containers if they are new; IDMAP_NONE: out of memory. */
uint32_t data_rows_of_reason(struct expt_rows *rows, enum reason reason);
uint32_t data_rows_of_place(struct expt_rows *rows, const struct data_place *place);
/* Returns the row of what a counter's record of a member accessed, or of the reason. */
uint32_t data_rows_of_record(struct expt_rows *rows, size_t member,
			     const struct expt_record *record);
/* Returns the row of an element in a container, or IDMAP_NONE. */
uint32_t data_rows_find(const struct expt_rows *rows, const struct row *wanted);

#endif
