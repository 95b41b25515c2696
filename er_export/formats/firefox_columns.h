/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of a thread in the Firefox profiler's format: columns of numbers. */
#ifndef ER_EXPORT_FORMATS_FIREFOX_COLUMNS_H
#define ER_EXPORT_FORMATS_FIREFOX_COLUMNS_H

#include <stdio.h>

#include "er_export/formats/firefox_tables.h"
#include "er_export/formats/lanes.h"
#include "er_export/formats/strings.h"

#define FIREFOX_CATEGORY_PROGRAM 1 /* code in a load object; 0: the end of a stack */

struct firefox {
	const struct source *source;
	struct firefox_tables own;
	struct lanes lanes;
	struct strings strings;
	const struct expt *expt; /* whose log has the marks */
	struct {
		size_t *items; /* numbers of events of its log */
		size_t count, capacity;
	} marks;
	uint64_t later_ns; /* when its times begin */
	FILE *out;
};

/* Writes the value of row i. */
typedef void firefox_cell(struct firefox *firefox, size_t i);

void firefox_column(struct firefox *firefox, const char *name, size_t count,
		    firefox_cell *cell);
/* Write the tables of stacks, frames, functions, load objects and symbols. */
void firefox_write_tables(struct firefox *firefox);

#endif
