/* SPDX-License-Identifier: Apache-2.0 */

#include "er_html/views/scores.h"

#include <stdlib.h>

#include "libexpt/base/cleanup.h"

/* A function's score is its exclusive share, plus the inclusive one, of the metric with
 * the largest score: 2 for a function that does all. The first metric counts most. */
#define FACTOR_OF_OTHERS 0.1

struct scores {
	const struct expt_tables *tables;
	double *best;
	double *own, *all; /* of one metric: exclusive, inclusive */
	double *nodes;	   /* the values of the paths that begin there */
};

static const struct expt_table_frame *frames_of(const struct expt_tables *tables,
						uint32_t node, uint32_t *count)
{
	const struct expt_table_place *place = &tables->places[tables->nodes[node].place];

	*count = place->frame_count;
	return tables->frames + place->first_frame;
}

static void clear(struct scores *scores)
{
	for (size_t i = 0; i < scores->tables->function_count; i++)
		scores->own[i] = scores->all[i] = 0;
	for (size_t i = 0; i < scores->tables->node_count; i++)
		scores->nodes[i] = 0;
}

static void add_stacks(struct scores *scores, size_t metric)
{
	const struct expt_tables *tables = scores->tables;

	for (size_t i = 0; i < tables->stack_count; i++) {
		double value = (double)expt_tables_value(tables, i, metric);
		uint32_t node = tables->stacks[i].node, count;

		scores->nodes[node] += value;
		if (node != 0)
			scores->own[frames_of(tables, node, &count)->function] += value;
	}
}

/* A recursive function may get more than there is, which counts as all. */
static void add_nodes(struct scores *scores)
{
	const struct expt_tables *tables = scores->tables;

	for (size_t i = tables->node_count; i-- > 1;) {
		uint32_t count;
		const struct expt_table_frame *frames =
			frames_of(tables, (uint32_t)i, &count);

		scores->nodes[tables->nodes[i].parent] += scores->nodes[i];
		for (uint32_t j = 0; j < count; j++)
			scores->all[frames[j].function] += scores->nodes[i];
	}
}

static void take_best(struct scores *scores, double factor)
{
	double whole = scores->tables->node_count > 0 ? scores->nodes[0] : 0;

	for (size_t i = 0; i < scores->tables->function_count && whole > 0; i++) {
		double inclusive = scores->all[i] < whole ? scores->all[i] : whole;
		double score = factor * (scores->own[i] + inclusive) / whole;

		if (score > scores->best[i])
			scores->best[i] = score;
	}
}

static int compare(const void *left, const void *right, void *context)
{
	const double *best = context;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	if (best[a] != best[b])
		return best[a] > best[b] ? -1 : 1;
	return a < b ? -1 : a > b;
}

static uint32_t *sort(const struct scores *scores)
{
	size_t count = 0, functions = scores->tables->function_count;
	uint32_t *order = calloc(functions + 1, sizeof(*order));

	for (uint32_t i = EXPT_ROW_FIRST; i < functions && order; i++)
		if (scores->best[i] > 0)
			order[count++] = i;
	if (count > 1)
		qsort_r(order, count, sizeof(*order), compare, scores->best);
	return order;
}

uint32_t *scores_order(const struct shown *shown)
{
	const struct expt_tables *tables = shown->tables;
	size_t functions = tables->function_count + 1;
	cleanup_free double *values =
		calloc(3 * functions + tables->node_count, sizeof(*values));
	struct scores scores = { .tables = tables };

	if (!values)
		return NULL;
	scores.best = values;
	scores.own = values + functions;
	scores.all = values + 2 * functions;
	scores.nodes = values + 3 * functions;
	for (size_t i = 0; i < shown->metric_count; i++) {
		clear(&scores);
		add_stacks(&scores, shown->metrics[i]);
		add_nodes(&scores);
		take_best(&scores, i == 0 ? 1 : FACTOR_OF_OTHERS);
	}
	return sort(&scores);
}
