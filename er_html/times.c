/* SPDX-License-Identifier: Apache-2.0 */

#include "er_html/times.h"

#include <stdio.h>
#include <stdlib.h>

/* Of all cells together, compressed: the page has less than 5 MB with them. */
#define BYTES_MAX 2.4e6

/* ---- the width of a part ---- */

/* 1, 2, 5, 10, ... nanoseconds, up to days. */
#define WIDTHS 48
static uint64_t width_of(unsigned number)
{
	static const uint64_t factors[] = { 1, 2, 5 };
	uint64_t width = factors[number % 3];

	for (unsigned i = 0; i < number / 3; i++)
		width *= 10;
	return width;
}

/* Returns about the bytes of all cells; -1: out of memory. */
static double bytes_of_all(const struct times *times, uint64_t width_ns)
{
	double all = 0;

	for (size_t i = 0; i < times->kind_count; i++) {
		double bytes = cells_bytes(&times->kinds[i].cells, width_ns);

		if (bytes < 0)
			return -1;
		all += bytes;
	}
	return all;
}

/* Find the smallest width whose cells are few enough. */
static bool find_width(struct times *times)
{
	unsigned low = 0, high = WIDTHS - 1;

	while (low < high) {
		unsigned middle = (low + high) / 2;
		double bytes = bytes_of_all(times, width_of(middle));

		if (bytes < 0)
			return false;
		if (bytes > BYTES_MAX)
			low = middle + 1;
		else
			high = middle;
	}
	times->width_ns = width_of(low);
	return true;
}

/* ---- all of them ---- */

static bool open_kind(struct times *times, const struct expt_table_kind *kind,
		      const struct paths *paths)
{
	struct times_kind *added = &times->kinds[times->kind_count];

	if (asprintf(&added->part, "part.%zu", times->kind_count) < 0)
		return false;
	times->kind_count++;
	return asprintf(&added->stack, "stack.%zu", times->kind_count - 1) >= 0 &&
	       cells_open(&added->cells, kind, paths->of_stack, paths->stack_count);
}

bool times_make(struct times *times, const struct expt_tables *tables,
		const struct paths *paths)
{
	times->kinds = calloc(tables->kind_count + 1, sizeof(*times->kinds));
	for (size_t i = 0; i < tables->kind_count && times->kinds; i++)
		if (!open_kind(times, &tables->kinds[i], paths))
			return false;
	if (!times->kinds || !find_width(times))
		return false;
	for (size_t i = 0; i < times->kind_count; i++)
		if (!cells_make(&times->kinds[i].cells, times->width_ns))
			return false;
	return true;
}

/* ---- as columns ---- */

/* In each part, stacks begin anew. */
static void add_cells(struct columns *columns, const struct times_kind *kind)
{
	const struct cells *cells = &kind->cells;
	uint64_t part = UINT64_MAX;
	uint32_t stack = 0;

	columns_begin(columns, kind->part, COLUMN_DELTA);
	for (size_t i = 0; i < cells->count; i++)
		columns_add(columns, (int64_t)cells->items[i].part);
	columns_begin(columns, kind->stack, COLUMN_PLAIN);
	for (size_t i = 0; i < cells->count; i++) {
		stack = cells->items[i].part == part ? stack : 0;
		part = cells->items[i].part;
		columns_add(columns, cells->items[i].stack - stack);
		stack = cells->items[i].stack;
	}
}

void times_add(const struct times *times, struct columns *columns,
	       const char *(*name)(const void *context, size_t metric),
	       const void *context)
{
	for (size_t k = 0; k < times->kind_count; k++) {
		const struct cells *cells = &times->kinds[k].cells;
		size_t width = cells->kind->metric_count;

		add_cells(columns, &times->kinds[k]);
		for (size_t m = 0; m < width; m++) {
			if (cells->units[m] == 0)
				continue;
			columns_begin(columns, name(context, cells->kind->metrics[m]),
				      cells->is_signed[m] ? COLUMN_SIGNED : COLUMN_PLAIN);
			columns_set_unit(columns, cells->units[m]);
			for (size_t i = 0; i < cells->count; i++)
				columns_add(columns, cells->values[i * width + m] /
							     cells->units[m]);
		}
	}
}

void times_release(struct times *times)
{
	for (size_t i = 0; i < times->kind_count; i++) {
		cells_release(&times->kinds[i].cells);
		free(times->kinds[i].part);
		free(times->kinds[i].stack);
	}
	free(times->kinds);
}
