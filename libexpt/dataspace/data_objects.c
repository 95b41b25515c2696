/* SPDX-License-Identifier: Apache-2.0 */
/* From events with data addresses to the rows of their objects. */
#include "libexpt/dataspace/data_objects.h"

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

struct data_objects {
	struct expt_view *view;
	struct expt_rows *rows;
	const struct kind_use *use;
	struct gauge gauge; /* of the last member; is_begun: there was one */
	size_t member;
	bool is_begun;
};

struct data_objects *data_objects_new(struct expt_view *view)
{
	struct data_objects *objects = calloc(1, sizeof(*objects));

	if (!objects)
		return NULL;
	objects->view = view;
	objects->use = gauge_use(view, EXPT_HWC);
	objects->rows = data_rows_new(view);
	if (objects->rows)
		return objects;
	free(objects);
	return NULL;
}

void data_objects_free(struct data_objects *objects)
{
	if (objects)
		rows_free(objects->rows);
	free(objects);
}

void data_objects_end(struct data_objects *objects)
{
	objects->view->rows[EXPT_BY_DATA] = objects->rows;
	free(objects);
}

/* ---- one event --------------------------------------------------------------------- */

/* Add the record to a row, and to all that contain it. */
static void add_to_rows(struct data_objects *objects, const struct expt_record *record,
			uint32_t number)
{
	const struct expt_view *view = objects->view;
	size_t group = view->members.items[objects->member].group;

	for (;;) {
		struct row *row = &objects->rows->rows.items[number];
		struct figures one = {
			.values = row->exclusive.values + group * view->width,
			.squares = row->exclusive.squares + group * view->squares_width,
		}, other = {
			.values = row->inclusive.values + group * view->width,
			.squares = row->inclusive.squares + group * view->squares_width,
		};

		gauge_add(&objects->gauge, record, &one);
		gauge_add(&objects->gauge, record, &other);
		row->shown.is_counted = true;
		if (number == EXPT_ROW_TOTAL)
			return;
		number = row->datum.container;
	}
}

static void begin_member(struct data_objects *objects, size_t member)
{
	if (objects->is_begun && objects->member == member)
		return;
	objects->member = member;
	objects->is_begun = true;
	gauge_set(&objects->gauge, objects->view, objects->use,
		  objects->view->members.items[member].expt);
}

bool data_objects_add(struct data_objects *objects, size_t member,
		      const struct expt_record *record, uint32_t *row)
{
	uint32_t number;

	*row = EXPT_ROW_TOTAL;
	if (!objects->use ||
	    !counters_has_data(objects->use, objects->view->members.items[member].expt,
			       record))
		return true;
	begin_member(objects, member);
	number = data_rows_of_record(objects->rows, member, record);
	if (number == IDMAP_NONE)
		return false;
	add_to_rows(objects, record, number);
	*row = number;
	return true;
}

/* ---- all of them ------------------------------------------------------------------- */

/* false: out of memory, or stopped. */
static bool add_record(struct data_objects *objects, size_t member,
		       const struct expt_record *record)
{
	struct expt_view *view = objects->view;
	bool keeps = true;
	uint32_t row;

	if (view_is_stopped(view) ||
	    (filter_is_set(view) && !filter_keeps_record(view, member, record, &keeps)))
		return false;
	return !keeps || data_objects_add(objects, member, record, &row);
}

static bool read_member(struct data_objects *objects, size_t member)
{
	struct expt_view *view = objects->view;
	struct expt_records *records;
	struct expt_record record;
	struct expt_error err;
	bool is_good = true;
	int rc;

	residents_use(view, member);
	rc = expt_records_open(&records, view->members.items[member].expt, EXPT_HWC,
			       &err);
	if (rc == 0) {
		while (is_good && (rc = expt_records_next(records, &record, &err)) > 0)
			is_good = add_record(objects, member, &record);
		expt_records_close(records);
	}
	if (rc < 0)
		view_add_failure(view, member, &err);
	return is_good;
}

static bool read_all(struct data_objects *objects)
{
	const struct expt_view *view = objects->view;

	for (size_t i = 0; i < view->members.count && objects->use; i++)
		if (expt_has_data(view->members.items[i].expt, EXPT_HWC) &&
		    !read_member(objects, i))
			return false;
	return true;
}

int expt_view_data_rows(struct expt_view *view, struct expt_rows **rows,
			struct expt_error *err)
{
	struct data_objects *objects;

	if (!view->rows[EXPT_BY_DATA]) {
		/* Threads are numbered there, and a filter may use the numbers. */
		if (filter_is_set(view) && !stack_sums_get(view))
			return view_refuse(view, err);
		objects = data_objects_new(view);
		if (!objects || !read_all(objects)) {
			data_objects_free(objects);
			return view_refuse(view, err);
		}
		data_objects_end(objects);
	}
	*rows = view->rows[EXPT_BY_DATA];
	return 0;
}
