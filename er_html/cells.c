/* SPDX-License-Identifier: Apache-2.0 */

#include "er_html/cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "er_html/order.h"
#include "libexpt/base/array.h"

static uint64_t magnitude(int64_t value)
{
	return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

static uint64_t divisor(uint64_t a, uint64_t b)
{
	while (b != 0) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static void find_units(struct cells *cells)
{
	const struct expt_table_kind *kind = cells->kind;

	for (size_t m = 0; m < kind->metric_count; m++) {
		uint64_t unit = 0;

		for (size_t i = 0; i < kind->count; i++) {
			int64_t value = kind->values[i * kind->metric_count + m];

			if (unit != 1 && value != 0)
				unit = divisor(magnitude(value), unit);
			cells->is_signed[m] |= value < 0;
		}
		cells->units[m] = unit > INT64_MAX ? 1 : (int64_t)unit;
	}
}

/* Sort the moments by stack, and find where those of each begin. */
static bool sort_moments(struct cells *cells, const uint32_t *of_stack)
{
	const struct expt_table_kind *kind = cells->kind;
	uint32_t *stacks = array_zeroed(kind->count + 1, sizeof(*stacks));
	bool is_good = stacks;

	for (size_t i = 0; i < kind->count && is_good; i++) {
		stacks[i] = of_stack[kind->moments[i].stack];
		cells->starts[stacks[i] + 1]++;
	}
	for (size_t i = 0; i < cells->stack_count; i++)
		cells->starts[i + 1] += cells->starts[i];
	is_good = is_good && order_by(cells->order, kind->count, stacks);
	free(stacks);
	return is_good;
}

bool cells_open(struct cells *cells, const struct expt_table_kind *kind,
		const uint32_t *of_stack, size_t stack_count)
{
	*cells = (struct cells){
		.kind = kind,
		.stack_count = stack_count,
		.order = order_new(kind->count),
		.starts = array_zeroed(stack_count + 1, sizeof(*cells->starts)),
		.units = calloc(kind->metric_count + 1, sizeof(*cells->units)),
		.is_signed = calloc(kind->metric_count + 1, sizeof(*cells->is_signed)),
	};
	if (!cells->order || !cells->starts || !cells->units || !cells->is_signed)
		return false;
	find_units(cells);
	return sort_moments(cells, of_stack);
}

/* ---- cells by stack, one after the other ---- */

struct walk {
	const struct cells *cells;
	uint64_t width_ns;
	size_t stride; /* only each stride-th stack is visited */
	size_t next;   /* in the order of the moments */
	struct cell cell;
	int64_t *values;
};

static uint64_t part_at(const struct walk *walk, size_t at)
{
	const struct cells *cells = walk->cells;

	return cells->kind->moments[cells->order[at]].time_ns / walk->width_ns;
}

static void add_values(const struct walk *walk, size_t at)
{
	size_t width = walk->cells->kind->metric_count;
	const int64_t *values =
		walk->cells->kind->values + walk->cells->order[at] * width;

	for (size_t m = 0; m < width; m++)
		if (__builtin_add_overflow(walk->values[m], values[m], &walk->values[m]))
			walk->values[m] = INT64_MAX;
}

/* Go on to the next cell, and add up its values. false: that was the last. */
static bool walk_on(struct walk *walk)
{
	const struct cells *cells = walk->cells;
	const uint32_t *starts = cells->starts;

	while (walk->next == starts[walk->cell.stack + 1]) {
		if (cells->stack_count - walk->cell.stack <= walk->stride)
			return false;
		walk->cell.stack += (uint32_t)walk->stride;
		walk->next = starts[walk->cell.stack];
	}
	for (size_t m = 0; m < cells->kind->metric_count; m++)
		walk->values[m] = 0;
	walk->cell.part = part_at(walk, walk->next);
	do
		add_values(walk, walk->next++);
	while (walk->next < starts[walk->cell.stack + 1] &&
	       part_at(walk, walk->next) == walk->cell.part);
	return true;
}

static bool walk_begin(struct walk *walk, const struct cells *cells, uint64_t width_ns,
		       size_t stride)
{
	*walk = (struct walk){
		.cells = cells,
		.width_ns = width_ns,
		.stride = stride,
		.values = calloc(cells->kind->metric_count + 1, sizeof(*walk->values)),
	};
	return walk->values;
}

/* ---- their size ---- */

static unsigned bits_of(uint64_t number)
{
	return number == 0 ? 0 : 64 - (unsigned)__builtin_clzll(number);
}

/* A number that most values are, such as one tick, takes no room. */
static unsigned bits_of_values(const struct walk *walk)
{
	unsigned bits = 0;

	for (size_t m = 0; m < walk->cells->kind->metric_count; m++) {
		int64_t unit = walk->cells->units[m];
		uint64_t units = unit ? magnitude(walk->values[m] / unit) : 0;

		bits += units > 1 ? 1 + bits_of(units) : 0;
	}
	return bits;
}

/* Moments that are looked at for an estimate, if there are many. */
#define LOOKED_AT 200000

double cells_bytes(const struct cells *cells, uint64_t width_ns)
{
	/* Odd, so that the threads of a path take turns */
	size_t stride = cells->kind->count / LOOKED_AT | 1;
	uint64_t first = UINT64_MAX, last = 0, bits = 0;
	struct walk walk;
	double count = 0, room;

	if (!walk_begin(&walk, cells, width_ns, stride))
		return -1;
	for (; walk_on(&walk); count++) {
		first = walk.cell.part < first ? walk.cell.part : first;
		last = walk.cell.part > last ? walk.cell.part : last;
		bits += bits_of_values(&walk);
	}
	free(walk.values);
	if (count == 0)
		return 0;
	/* A set of count cells among all that there could be */
	room = ((double)(last - first) + 1) * (double)cells->stack_count / (double)stride;
	return (double)stride *
	       ((double)bits + count * log2(M_E * fmax(1, room / count))) / 8;
}

/* ---- all of them ---- */

/* Sort the cells, which are in the order of stacks, by time. */
static bool order_by_time(const struct cells *cells, uint32_t *order, uint32_t *keys)
{
	bool is_wide = false;

	for (size_t i = 0; i < cells->count; i++) {
		keys[i] = (uint32_t)cells->items[i].part;
		is_wide |= cells->items[i].part > UINT32_MAX;
	}
	if (!order_by(order, cells->count, keys))
		return false;
	for (size_t i = 0; i < cells->count; i++)
		keys[i] = (uint32_t)(cells->items[i].part >> 32);
	return !is_wide || order_by(order, cells->count, keys);
}

static bool sort_cells(struct cells *cells)
{
	size_t width = cells->kind->metric_count;
	uint32_t *order = order_new(cells->count);
	uint32_t *keys = array_zeroed(cells->count + 1, sizeof(*keys));
	struct cell *items = array_zeroed(cells->count + 1, sizeof(*items));
	int64_t *values = array_zeroed(cells->count + 1, width * sizeof(*values) + 1);
	bool is_good = order && keys && items && values &&
		       order_by_time(cells, order, keys);

	for (size_t i = 0; i < cells->count && is_good; i++) {
		items[i] = cells->items[order[i]];
		memcpy(values + i * width, cells->values + order[i] * width,
		       width * sizeof(*values));
	}
	free(order);
	free(keys);
	free(cells->items);
	free(cells->values);
	cells->items = items;
	cells->values = values;
	return is_good;
}

bool cells_make(struct cells *cells, uint64_t width_ns)
{
	size_t width = cells->kind->metric_count;
	struct walk walk;

	cells->items = array_zeroed(cells->kind->count + 1, sizeof(*cells->items));
	cells->values =
		array_zeroed(cells->kind->count + 1, width * sizeof(*cells->values) + 1);
	if (!cells->items || !cells->values || !walk_begin(&walk, cells, width_ns, 1))
		return false;
	while (walk_on(&walk)) {
		memcpy(cells->values + cells->count * width, walk.values,
		       width * sizeof(*walk.values));
		cells->items[cells->count++] = walk.cell;
	}
	free(walk.values);
	return sort_cells(cells);
}

void cells_release(struct cells *cells)
{
	free(cells->order);
	free(cells->starts);
	free(cells->units);
	free(cells->is_signed);
	free(cells->items);
	free(cells->values);
}
