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

/* Returns the address of the instruction; 0: it is the kernel's. */
static uint64_t pc_of(const struct expt_record *record)
{
	int64_t pc = 0;

	expt_record_value(record, EXPT_VIRTPC, &pc);
	return (uint64_t)pc;
}

static void take_registers(struct access_event *event, const struct expt_record *record)
{
	for (int i = 0; i < 16; i++) {
		int64_t value = 0;

		if (!expt_record_value(record, (enum expt_field)(EXPT_REG0 + i), &value))
			return;
		event->registers[i] = (uint64_t)value;
		event->has_registers |= value != 0;
	}
}

/* Returns the row of the innermost object, or of the reason why it is not known. */
static uint32_t row_of(struct reader *reader, const struct expt_record *record)
{
	struct access_event event = { .has_address = true };
	struct data_place place;
	struct expt_place code;
	enum access_reason reason;
	int64_t address = 0;

	if (!expt_record_value(record, EXPT_VADDR, &address))
		return data_rows_of_reason(reader->rows, REASON_NOT_REQUESTED);
	if ((uint64_t)address < EXPT_ADDRESS_CODES)
		return data_rows_of_reason(reader->rows,
					   reason_of_code((uint64_t)address));
	event.address = (uint64_t)address;
	event.pc = pc_of(record);
	if (event.pc == 0)
		return data_rows_of_reason(reader->rows, REASON_WITHOUT_DEBUG_DATA);
	take_registers(&event, record);
	expt_place(expt_of(reader), event.pc, record->time_ns, &code);
	reason = access_find(&place, reader->view->accesses,
			     expt_function_object(code.function),
			     expt_function_offset(code.function) + code.offset, &event);
	if (reason == ACCESS_FOUND)
		return data_rows_of_place(reader->rows, &place);
	return data_rows_of_reason(reader->rows, reason_of_access(reason));
}

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
	number = row_of(reader, record);
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

	if (!view->accesses)
		view->accesses = accesses_open();
	if (!view->accesses)
		return false;
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
