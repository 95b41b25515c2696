/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Callers and callees: an event counts once for each function on its stack, at the
 * occurrence nearest to the leaf. The caller and the callee of that occurrence get its
 * value; those of other occurrences get rows that may stay at zero.
 */
#include <stdlib.h>
#include <string.h>

#include "er_print/functions.h"
#include "er_print/rows.h"
#include "er_print/run.h"
#include "libexpt/base/array.h"
#include "libexpt/cli/cli.h"

/* Two adjacent functions: the values that other gets as caller or callee of center. */
struct edge {
	uint32_t center, other;
	int64_t *values;
};

struct edges {
	struct edge *items;
	size_t count, capacity;
	struct idmap index; /* keyed by center and other */
	size_t *firsts;	    /* first edge of each row, when sorted */
};

struct neighbours {
	struct edges callers, callees;
	struct arena arena;
	uint32_t *visits; /* the last stack that counted each row */
	uint32_t visit;
};

static void release_edges(struct edges *edges)
{
	array_release(edges);
	idmap_release(&edges->index);
	free(edges->firsts);
}

static void release_neighbours(struct neighbours *neighbours)
{
	release_edges(&neighbours->callers);
	release_edges(&neighbours->callees);
	arena_release(&neighbours->arena);
	free(neighbours->visits);
}

/* Make sure that the edge exists, and add values to it if there are any. */
static bool add_edge(struct neighbours *neighbours, struct edges *edges, uint32_t center,
		     uint32_t other, const int64_t *values, size_t width)
{
	uint32_t *slot = idmap_add(&edges->index, (uint64_t)center << 32 | other);
	struct edge *edge;

	if (!slot)
		return false;
	if (*slot == IDMAP_NONE) {
		*slot = (uint32_t)edges->count;
		edge = array_add(edges);
		if (!edge)
			return false;
		edge->center = center;
		edge->other = other;
		edge->values =
			arena_alloc(&neighbours->arena, width * sizeof(int64_t) + 1);
		if (!edge->values)
			return false;
	}
	edge = &edges->items[*slot];
	for (size_t i = 0; values && i < width; i++)
		add_saturated(&edge->values[i], values[i]);
	return true;
}

static bool add_path(struct neighbours *neighbours, const struct row_path *path,
		     const int64_t *values, size_t width)
{
	neighbours->visit++;
	for (size_t i = 0; i < path->count; i++) {
		uint32_t row = path->items[i];
		uint32_t caller = i + 1 < path->count ? path->items[i + 1] : ROW_TOTAL;
		bool is_first = neighbours->visits[row] != neighbours->visit;
		const int64_t *counted = is_first ? values : NULL;

		neighbours->visits[row] = neighbours->visit;
		if (!add_edge(neighbours, &neighbours->callers, row, caller, counted,
			      width))
			return false;
		if (i > 0 && !add_edge(neighbours, &neighbours->callees, row,
				       path->items[i - 1], counted, width))
			return false;
		if (caller == ROW_TOTAL && !add_edge(neighbours, &neighbours->callees,
						     ROW_TOTAL, row, values, width))
			return false;
	}
	return true;
}

static int compare_edges(const void *left, const void *right)
{
	const struct edge *a = left, *b = right;

	return a->center < b->center ? -1 : a->center > b->center;
}

/* Sort edges by center: those of a row are firsts[row] to firsts[row + 1]. */
static bool group_edges(struct edges *edges, size_t rows)
{
	size_t next = 0;

	edges->firsts = calloc(rows + 1, sizeof(*edges->firsts));
	if (!edges->firsts)
		return false;
	if (edges->count > 1)
		qsort(edges->items, edges->count, sizeof(*edges->items), compare_edges);
	for (size_t row = 0; row <= rows; row++) {
		while (next < edges->count && edges->items[next].center < row)
			next++;
		edges->firsts[row] = next;
	}
	return true;
}

static bool is_zero(const int64_t *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (values[i])
			return false;
	return true;
}

static bool find_neighbours(struct session *session, struct neighbours *neighbours)
{
	struct aggregate *aggregate = session->aggregate;
	struct row_path path = { 0 };
	bool is_good;

	neighbours->visits =
		calloc(aggregate->rows.count + 1, sizeof(*neighbours->visits));
	is_good = neighbours->visits;
	for (size_t i = 0; i < aggregate->stacks.count && is_good; i++) {
		const struct stack_sum *stack = &aggregate->stacks.items[i];

		if (is_zero(stack->values, aggregate->width))
			continue;
		is_good = aggregate_path(session, stack, &path) >= 0 &&
			  add_path(neighbours, &path, stack->values, aggregate->width);
	}
	array_release(&path);
	return is_good && group_edges(&neighbours->callers, aggregate->rows.count) &&
	       group_edges(&neighbours->callees, aggregate->rows.count);
}

/* ---- printing ---- */

/* Columns of attributed metrics: one per metric shown, and the name. */
struct attributed {
	struct table table;
	struct metric_column columns[METRIC_COLUMNS_MAX];
	size_t count;
};

/* Exclusive and inclusive columns of a metric become one attributed column. */
static bool add_attributed_columns(struct session *session, struct attributed *attributed)
{
	for (size_t i = 0; i < session->metrics.count; i++) {
		struct metric_column column = session->metrics.columns[i];

		if (column.kind == COLUMN_METRIC &&
		    metric_is_among(column.metric, attributed->columns,
				    attributed->count))
			continue;
		column.flavor = 'a';
		attributed->columns[attributed->count++] = column;
	}
	return rows_add_columns(session, &attributed->table, attributed->columns,
				attributed->count);
}

static bool add_attributed_line(struct session *session, struct attributed *attributed,
				const struct shown_row *shown, char mark)
{
	return rows_add_line(session, &attributed->table, attributed->columns,
			     attributed->count, shown, mark);
}

/* Add the neighbours of one row as lines, in order. Returns their count. */
static int add_side(struct session *session, struct attributed *attributed,
		    const struct edges *edges, uint32_t center)
{
	struct row_list list = { 0 };
	size_t first = edges->firsts[center], end = edges->firsts[center + 1];
	int count = (int)(end - first);

	for (size_t i = first; i < end; i++) {
		struct shown_row *shown = row_list_add(
			session, &list, edges->items[i].other, &attributed->table.arena);

		if (!shown) {
			array_release(&list);
			return -1;
		}
		shown->values = edges->items[i].values;
	}
	row_list_sort(session, &list);
	for (size_t i = 0; i < list.count; i++)
		if (!add_attributed_line(session, attributed, &list.items[i], ' '))
			count = -1;
	array_release(&list);
	return count;
}

/* Returns the sum of all callees, less than the total if events lack a stack. */
static int64_t sum_of_callees(struct session *session,
			      const struct neighbours *neighbours, uint32_t center,
			      size_t metric)
{
	const struct edges *edges = &neighbours->callees;
	int64_t sum = 0;

	for (size_t i = edges->firsts[center]; i < edges->firsts[center + 1]; i++)
		add_saturated(&sum, value_of(session, edges->items[i].values, metric));
	return sum;
}

/* Shares are relative to the inclusive value of the center; those of <Total>, to the
 * events that have a stack. */
static void set_wholes(struct session *session, const struct neighbours *neighbours,
		       struct attributed *attributed, uint32_t center)
{
	const struct row *row = &session->aggregate->rows.items[center];

	for (size_t i = 0; i < attributed->count; i++) {
		size_t metric = attributed->columns[i].metric;

		if (attributed->columns[i].kind == COLUMN_METRIC)
			attributed->table.columns.items[i].whole =
				center == ROW_TOTAL
					? sum_of_callees(session, neighbours, center,
							 metric)
					: value_of(session, row->inclusive, metric);
	}
}

struct block {
	int callers, callees;
};

/* Add the lines of one function: callers, itself, callees. */
static bool add_block(struct session *session, struct neighbours *neighbours,
		      struct attributed *attributed, const struct shown_row *center,
		      char mark, struct block *block)
{
	struct shown_row self = *center;

	self.values = session->aggregate->rows.items[center->row].exclusive;
	block->callers = add_side(session, attributed, &neighbours->callers, center->row);
	if (block->callers < 0 || !add_attributed_line(session, attributed, &self, mark))
		return false;
	/* A share of <Total> itself would mean nothing. */
	if (center->row == ROW_TOTAL)
		attributed->table.lines.items[attributed->table.lines.count - 1]
			.has_no_share = true;
	block->callees = add_side(session, attributed, &neighbours->callees, center->row);
	return block->callees >= 0;
}

static void print_attributed_sort(struct session *session)
{
	struct metric_column sort = session->metrics.sort;
	char title[METRIC_TEXT_SIZE];

	if (sort.kind == COLUMN_METRIC)
		sort.flavor = 'a';
	else
		sort.kind = COLUMN_NAME;
	metric_column_title(title, &sort);
	fprintf(session->out, "Callers and callees sorted by metric: %s%s\n\n",
		session->metrics.is_reversed ? "-" : "", title);
}

/* Lay out all blocks as one table, so that their columns line up. */
static bool print_blocks(struct session *session, struct neighbours *neighbours,
			 struct attributed *attributed, const struct row_list *list,
			 size_t count)
{
	struct block *blocks = calloc(count + 1, sizeof(*blocks));
	bool is_good = blocks;
	size_t line = 0;

	for (size_t i = 0; i < count && is_good; i++)
		is_good = add_block(session, neighbours, attributed, &list->items[i], '*',
				    &blocks[i]);
	table_lay_out(&attributed->table);
	for (size_t i = 0; i < count && is_good; i++) {
		size_t lines = (size_t)blocks[i].callers + 1 + (size_t)blocks[i].callees;

		set_wholes(session, neighbours, attributed, list->items[i].row);
		table_print_header(&attributed->table, session->out);
		table_print_lines(&attributed->table, line, lines, session->out);
		fputc('\n', session->out);
		line += lines;
	}
	free(blocks);
	return is_good;
}

int run_callers(struct session *session, int count, char **words)
{
	struct neighbours neighbours = { 0 };
	struct attributed attributed = { 0 };
	struct row_list list = { 0 };
	struct arena names = { 0 };
	size_t shown;
	int rc = list_functions(session, &list, &names);

	if (rc == 0 && find_neighbours(session, &neighbours) &&
	    add_attributed_columns(session, &attributed)) {
		shown = session->limit && session->limit < list.count ? session->limit
								      : list.count;
		print_sorted_by(session);
		print_attributed_sort(session);
		rc = print_blocks(session, &neighbours, &attributed, &list, shown) ? 0
										   : -1;
	} else {
		rc = -1;
	}
	table_release(&attributed.table);
	release_neighbours(&neighbours);
	array_release(&list);
	arena_release(&names);
	if (rc < 0)
		session->status = CLI_FAILED;
	return rc;
}

static void print_part(struct session *session, const struct table *table,
		       const char *title, size_t first, int count)
{
	char word[64];

	snprintf(word, sizeof(word), "%s%s", count ? "" : "No ", title);
	table_print_rule(table, word, session->out);
	table_print_lines(table, first, (size_t)count, session->out);
	fputc('\n', session->out);
}

static bool print_single(struct session *session, struct neighbours *neighbours,
			 struct attributed *attributed, uint32_t row)
{
	const struct table *table = &attributed->table;
	struct row_list list = { 0 };
	struct shown_row *center =
		row_list_add(session, &list, row, &attributed->table.arena);
	struct block block;
	bool is_good = center &&
		       add_block(session, neighbours, attributed, center, ' ', &block);

	array_release(&list);
	if (!is_good)
		return false;
	set_wholes(session, neighbours, attributed, row);
	table_lay_out(&attributed->table);
	print_attributed_sort(session);
	table_print_header(table, session->out);
	print_part(session, table, "Callers", 0, block.callers);
	print_part(session, table, "Stack Fragment", (size_t)block.callers, 1);
	print_part(session, table, "Callees", (size_t)block.callers + 1, block.callees);
	return true;
}

int run_csingle(struct session *session, int count, char **words)
{
	struct neighbours neighbours = { 0 };
	struct attributed attributed = { 0 };
	int64_t row = find_function(session, count, words);
	bool is_good;

	if (row < 0)
		return -1;
	is_good = find_neighbours(session, &neighbours) &&
		  add_attributed_columns(session, &attributed) &&
		  print_single(session, &neighbours, &attributed, (uint32_t)row);
	table_release(&attributed.table);
	release_neighbours(&neighbours);
	if (!is_good)
		session->status = cli_error("out of memory");
	return is_good ? 0 : -1;
}
