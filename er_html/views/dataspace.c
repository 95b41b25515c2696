/* SPDX-License-Identifier: Apache-2.0 */

#include "er_html/views/dataspace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/cli/write.h"

struct dataspace {
	struct expt_view *view;
	struct expt_rows *rows;
	uint32_t *numbers;  /* of rows in the page; UINT32_MAX: not there */
	uint32_t *subjects; /* of rows; 0: of no event */
	FILE *out;
};

static bool is_metric(const struct expt_view *view, size_t metric)
{
	return expt_metric(view, metric)->has_data_objects;
}

static bool has_metric(const struct expt_view *view)
{
	for (size_t i = 0; i < expt_metric_count(view); i++)
		if (is_metric(view, i))
			return true;
	return false;
}

static void write_metrics(const struct dataspace *dataspace)
{
	const char *separator = "";

	fputs(",\"dataMetrics\":[", dataspace->out);
	for (size_t i = 0; i < expt_metric_count(dataspace->view); i++)
		if (is_metric(dataspace->view, i)) {
			fputs(separator, dataspace->out);
			write_json_text(dataspace->out,
					expt_metric(dataspace->view, i)->name);
			separator = ",";
		}
	putc(']', dataspace->out);
}

/* Return the number of a row in the page; -1: it is not there. */
static int64_t number_of(const struct dataspace *dataspace, uint32_t row)
{
	uint32_t number = dataspace->numbers[row];

	return number == UINT32_MAX ? -1 : (int64_t)number;
}

/* Write [name, subject, container, offset, size]. */
static void write_object(const struct dataspace *dataspace, size_t row)
{
	const struct expt_datum *datum =
		row >= EXPT_ROW_FIRST ? expt_row_datum(dataspace->rows, row) : NULL;

	putc('[', dataspace->out);
	write_json_text(dataspace->out, expt_row(dataspace->rows, row)->name);
	fprintf(dataspace->out, ",%" PRIu32 ",%" PRId64 ",%" PRIu64 ",%" PRIu64 "]",
		dataspace->subjects[row],
		datum ? number_of(dataspace, datum->container) : -1,
		datum ? datum->offset : 0, datum ? datum->size : 0);
}

static void write_objects(const struct dataspace *dataspace)
{
	const char *separator = "";

	fputs(",\"dataObjects\":[", dataspace->out);
	for (size_t i = 0; i < expt_rows_count(dataspace->rows); i++) {
		if (dataspace->numbers[i] == UINT32_MAX)
			continue;
		fputs(separator, dataspace->out);
		write_object(dataspace, i);
		separator = ",";
	}
	putc(']', dataspace->out);
}

/* Write [object, [element, offset, size, depth, object], ...]; an element that is "" is a
 * gap. */
static void write_layout(const struct dataspace *dataspace, size_t row)
{
	const struct expt_data_member *members;
	size_t count = expt_data_layout(dataspace->rows, row, &members);

	fprintf(dataspace->out, "[%" PRIu32, dataspace->numbers[row]);
	for (size_t i = 0; i < count; i++) {
		const struct expt_data_member *member = &members[i];

		fputs(",[", dataspace->out);
		write_json_text(dataspace->out, member->element ? member->element : "");
		fprintf(dataspace->out, ",%" PRIu64 ",%" PRIu64 ",%u,%" PRId64 "]",
			member->offset, member->size, member->depth,
			member->row == EXPT_ROW_TOTAL
				? -1
				: number_of(dataspace, member->row));
	}
	putc(']', dataspace->out);
}

/* Only the outermost aggregates have a layout of their own. */
static bool has_layout(const struct dataspace *dataspace, size_t row)
{
	return row >= EXPT_DATA_FIRST && dataspace->numbers[row] != UINT32_MAX &&
	       expt_row_datum(dataspace->rows, row)->is_aggregate &&
	       expt_row_datum(dataspace->rows, row)->container == EXPT_ROW_TOTAL;
}

static void write_layouts(const struct dataspace *dataspace)
{
	const char *separator = "";

	fputs(",\"dataLayouts\":[", dataspace->out);
	for (size_t i = 0; i < expt_rows_count(dataspace->rows); i++) {
		if (!has_layout(dataspace, i))
			continue;
		fputs(separator, dataspace->out);
		write_layout(dataspace, i);
		separator = ",";
	}
	putc(']', dataspace->out);
}

static void number_rows(struct dataspace *dataspace, const struct expt_tables *tables)
{
	size_t rows = expt_rows_count(dataspace->rows);
	uint32_t count = 0;

	for (size_t i = 0; i < rows; i++)
		dataspace->numbers[i] =
			expt_row(dataspace->rows, i)->is_counted ? count++ : UINT32_MAX;
	for (size_t i = 1; i < tables->subject_count; i++) {
		const struct expt_table_subject *subject = &tables->subjects[i];

		if (subject->data == EXPT_HWC && (size_t)subject->number < rows)
			dataspace->subjects[subject->number] = (uint32_t)i;
	}
}

int dataspace_write(const struct shown *shown, FILE *out, struct expt_error *err)
{
	struct dataspace dataspace = { .view = shown->view, .out = out };
	cleanup_free uint32_t *numbers = NULL, *subjects = NULL;
	size_t count;
	int rc = has_metric(shown->view)
			 ? expt_view_data_rows(shown->view, &dataspace.rows, err)
			 : 0;

	if (rc < 0 || !dataspace.rows)
		return rc;
	count = expt_rows_count(dataspace.rows);
	dataspace.numbers = numbers = calloc(count + 1, sizeof(*numbers));
	dataspace.subjects = subjects = calloc(count + 1, sizeof(*subjects));
	if (!numbers || !subjects)
		return -ENOMEM;
	number_rows(&dataspace, shown->tables);
	write_metrics(&dataspace);
	write_objects(&dataspace);
	write_layouts(&dataspace);
	return 0;
}
