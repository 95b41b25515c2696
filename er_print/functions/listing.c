/* SPDX-License-Identifier: Apache-2.0 */
#include "er_print/functions/listing.h"

#include "libexpt/base/array.h"

static bool add_columns(struct listing *listing)
{
	const struct metric_list *metrics = &listing->session->metrics;
	struct table_column *text;

	for (size_t i = 0; i < metrics->count; i++)
		if (metrics->columns[i].kind != COLUMN_NAME &&
		    !shown_columns_add(listing->session, &listing->columns,
				       &metrics->columns[i]))
			return false;
	if (!rows_add_columns(listing->session, &listing->table, listing->list.rows,
			      listing->columns.items, listing->columns.count))
		return false;
	/* Lines are in the order of the code. */
	for (size_t i = 0; i < listing->table.columns.count; i++)
		listing->table.columns.items[i].is_sorted = false;
	text = table_add_column(&listing->table, "", CELL_TEXT);
	if (!text)
		return false;
	text->is_left = true;
	text->full_title = "Text";
	return true;
}

int listing_begin(struct listing *listing, struct session *session, enum expt_by by)
{
	*listing = (struct listing){
		.session = session,
		.threshold = by == EXPT_BY_PC ? session->disasm_threshold
					      : session->source_threshold,
	};
	listing->list.rows = session_rows(session, by);
	if (!listing->list.rows)
		return -1;
	listing->table.has_marks = true;
	return add_columns(listing) ? 0 : session_out_of_memory(session);
}

bool listing_add(struct listing *listing, uint32_t row, const char *text)
{
	struct table *table = &listing->table;
	struct shown_row shown = { .row = row, .name = "" };
	struct table_line *line;
	bool is_good = row == LISTING_BLANK || row == LISTING_ZERO
			       ? table_add_line(table, ' ') != NULL
			       : rows_add_line(&listing->list, table,
					       listing->columns.items,
					       listing->columns.count, &shown, ' ');

	if (!is_good)
		return false;
	line = &table->lines.items[table->lines.count - 1];
	line->has_no_figure = row == LISTING_BLANK;
	line->cells[listing->columns.count].text = table_text(table, text);
	return line->cells[listing->columns.count].text;
}

/* ---- rows ---- */

struct order {
	const struct expt_rows *rows;
	int (*compare)(const struct expt_row *a, const struct expt_row *b);
};

static int compare_numbers(const void *left, const void *right, void *context)
{
	const struct order *order = context;

	return order->compare(expt_row(order->rows, *(const uint32_t *)left),
			      expt_row(order->rows, *(const uint32_t *)right));
}

bool listing_find_rows(const struct listing *listing, struct row_numbers *found,
		       bool (*is_wanted)(const void *context, const struct expt_row *row),
		       const void *context,
		       int (*compare)(const struct expt_row *a, const struct expt_row *b))
{
	struct order order = { listing->list.rows, compare };

	for (size_t i = 0; i < expt_rows_count(order.rows); i++) {
		const struct expt_row *row = expt_row(order.rows, i);
		uint32_t *new;

		if (!row->is_counted || (is_wanted && !is_wanted(context, row)))
			continue;
		new = array_add(found);
		if (!new)
			return false;
		*new = (uint32_t)i;
	}
	if (found->count > 1)
		qsort_r(found->items, found->count, sizeof(*found->items),
			compare_numbers, &order);
	return true;
}

/* ---- output ---- */

static int64_t largest_value(const struct table *table, size_t column)
{
	int64_t largest = 0;

	for (size_t i = 0; i < table->lines.count; i++)
		if (table->lines.items[i].cells[column].value > largest)
			largest = table->lines.items[i].cells[column].value;
	return largest;
}

static void mark_hot_lines(struct listing *listing)
{
	struct table *table = &listing->table;

	for (size_t i = 0; i < listing->columns.count; i++) {
		int64_t largest = listing->columns.items[i].kind == COLUMN_METRIC
					  ? largest_value(table, i)
					  : 0;

		for (size_t j = 0; j < table->lines.count && largest > 0; j++) {
			int64_t value = table->lines.items[j].cells[i].value;

			if ((double)value * 100 >= (double)largest * listing->threshold)
				table->lines.items[j].is_hot = true;
		}
	}
}

void listing_print(struct listing *listing)
{
	mark_hot_lines(listing);
	table_print(&listing->table, 0, &listing->session->output);
}

void listing_release(struct listing *listing)
{
	table_release(&listing->table);
	array_release(&listing->columns);
}
