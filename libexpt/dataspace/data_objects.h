/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of data objects, while the records of counters are read. */
#ifndef LIBEXPT_DATASPACE_DATA_OBJECTS_H
#define LIBEXPT_DATASPACE_DATA_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/expt.h"

struct data_objects;

/* NULL: out of memory */
struct data_objects *data_objects_new(struct expt_view *view);
/* Add a record of a member to the row of its object, and to all that contain it. Set the
 * row; EXPT_ROW_TOTAL: it has no data address. false: out of memory. */
bool data_objects_add(struct data_objects *objects, size_t member,
		      const struct expt_record *record, uint32_t *row);
/* Make the rows those of the view, which are complete. */
void data_objects_end(struct data_objects *objects);
/* Drop them instead. */
void data_objects_free(struct data_objects *objects);

#endif
