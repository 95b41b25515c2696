/* SPDX-License-Identifier: Apache-2.0 */
/* From events with data addresses to the rows of their objects. */
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/dataspace/data_rows.h"
#include "libexpt/events/filter.h"
#include "libexpt/events/gauge.h"
#include "libexpt/events/problems.h"
#include "libexpt/events/residents.h"
#include "libexpt/events/stack_sums.h"
#include "libexpt/kinds/counters.h"

struct reader {
	struct expt_view *view;
	struct expt_rows *rows;
	const struct kind_use *use;
	struct gauge gauge;
	size_t member;
};

static struct expt *expt_of(const struct reader *reader)
{
	return reader->view->members.items[reader->member].expt;
}

/* ---- one event --------------------------------------------------------------------- */

/* Add the record to a row, and to all that contain it. */
static void add_to_rows(struct reader *reader, const struct expt_record *record,
			uint32_t number)
{
	const struct expt_view *view = reader->view;
	size_t group = view->members.items[reader->member].group;

	for (;;) {
		struct row *row = &reader->rows->rows.items[number];
		struct figures one = {
			.values = row->exclusive.values + group * view->width,
			.squares = row->exclusive.squares + group * view->squares_width,
		}, other = {
			.values = row->inclusive.values + group * view->width,
			.squares = row->inclusive.squares + group * view->squares_width,
		};

		gauge_add(&reader->gauge, record, &one);
		gauge_add(&reader->gauge, record, &other);
		row->shown.is_counted = true;
		if (number == EXPT_ROW_TOTAL)
			return;
		number = row->datum.container;
	}
}

/* false: out of memory, or stopped. */
static bool add_record(struct reader *reader, const struct expt_record *record)
{
	bool keeps = true;
	uint32_t number;

	if (!counters_has_data(reader->use, expt_of(reader), record))
		return true;
	if (view_is_stopped(reader->view) ||
	    (filter_is_set(reader->view) &&
	     !filter_keeps_record(reader->view, reader->member, record, &keeps)))
		return false;
	if (!keeps)
		return true;
	number = data_rows_of_record(reader->rows, reader->member, record);
	if (number == IDMAP_NONE)
		return false;
	add_to_rows(reader, record, number);
	return true;
}

/* ---- all of them ------------------------------------------------------------------- */

static bool read_member(struct reader *reader)
{
	struct expt_records *records;
	struct expt_record record;
	struct expt_error err;
	bool is_good = true;
	int rc;

	residents_use(reader->view, reader->member);
	gauge_set(&reader->gauge, reader->view, reader->use, expt_of(reader));
	rc = expt_records_open(&records, expt_of(reader), EXPT_HWC, &err);
	if (rc == 0) {
		while (is_good && (rc = expt_records_next(records, &record, &err)) > 0)
			is_good = add_record(reader, &record);
		expt_records_close(records);
	}
	if (rc < 0)
		view_add_failure(reader->view, reader->member, &err);
	return is_good;
}

static bool read_all(struct reader *reader)
{
	struct expt_view *view = reader->view;

	for (reader->member = 0; reader->member < view->members.count; reader->member++)
		if (expt_has_data(expt_of(reader), EXPT_HWC) && !read_member(reader))
			return false;
	return true;
}

int expt_view_data_rows(struct expt_view *view, struct expt_rows **rows,
			struct expt_error *err)
{
	struct reader reader = {
		.view = view,
		.use = gauge_use(view, EXPT_HWC),
	};

	if (!view->rows[EXPT_BY_DATA]) {
		/* Threads are numbered there, and a filter may use the numbers. */
		if (filter_is_set(view) && !stack_sums_get(view))
			return view_refuse(view, err);
		reader.rows = data_rows_new(view);
		if (!reader.rows || (reader.use && !read_all(&reader))) {
			rows_free(reader.rows);
			return view_refuse(view, err);
		}
		view->rows[EXPT_BY_DATA] = reader.rows;
	}
	*rows = view->rows[EXPT_BY_DATA];
	return 0;
}
