/* SPDX-License-Identifier: Apache-2.0 */
/* Files of descriptors, while the records of their use are read. */
#ifndef LIBEXPT_ANALYSIS_IO_FILES_H
#define LIBEXPT_ANALYSIS_IO_FILES_H

#include "libexpt/events/stack_sums.h"

/* NULL: out of memory. expt_io_files_free() releases it. */
struct expt_io_files *io_files_new(void);
/* Add a record of I/O; those of a member come in the order of time, also the ones that
 * the filter drops, which are not to be kept. Set the number of its file, or IDMAP_NONE.
 * false: out of memory. */
bool io_files_add(struct expt_io_files *files, size_t member,
		  const struct expt_record *record, bool keeps, uint32_t *number);
/* Choose the files with events; with by_name, one for each name. false: out of memory. */
bool io_files_choose(struct expt_io_files *files, bool by_name);
/* Returns the number that a file with events has among those that were chosen. */
uint32_t io_files_number(const struct expt_io_files *files, uint32_t number);

#endif
