/* SPDX-License-Identifier: Apache-2.0 */
/* The locks, files and data objects that events are about, found while they are read. */
#ifndef LIBEXPT_TABLES_SUBJECTS_H
#define LIBEXPT_TABLES_SUBJECTS_H

#include "libexpt/base/idmap.h"
#include "libexpt/events/view.h"

struct data_objects;

struct subjects {
	struct {
		struct expt_table_subject *items;
		size_t count, capacity;
	} list;			/* the first is none */
	struct idmap by_number; /* by kind of data and number */
	struct expt_io_files *files;
	struct data_objects *objects;
	uint32_t *numbers; /* in the list, of those that were found; NULL before */
	struct subject_finder finders[EXPT_DATA_COUNT];
	struct expt_view *view;
};

/* Let sums of the view be apart for them, until subjects_end(), which follows in any
 * case. false: out of memory. */
bool subjects_begin(struct subjects *subjects, struct expt_view *view);
void subjects_end(struct subjects *subjects);
/* Number those that were found, when all records were read. false: out of memory. */
bool subjects_complete(struct subjects *subjects);
void subjects_release(struct subjects *subjects);

#endif
