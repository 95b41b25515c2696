/* SPDX-License-Identifier: Apache-2.0 */
/* Events by parallel region or task of OpenMP, or by garbage collection, with exclusive
 * metrics. */
#include <stdlib.h>
#include <string.h>

#include "er_print/events/private.h"
#include "er_print/rows/rows.h"
#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"

struct region {
	size_t number; /* in the sums, or of the collection; SIZE_MAX: <Total> */
	const char *name;
	bool is_numbered;
	int64_t key; /* while sorting */
};

struct regions {
	struct session *session;
	struct expt_omp_sums *sums; /* or: */
	struct expt_collections *collections;
	struct expt_rows *rows; /* for the total */
	struct metric_column columns[METRIC_COLUMNS_MAX];
	size_t column_count;
	struct {
		struct region *items;
		size_t count, capacity;
	} list;
	struct arena names;
};

static int64_t value_of(const struct regions *regions, const struct region *region,
			size_t metric)
{
	if (region->number == SIZE_MAX)
		return expt_row_value(regions->rows, EXPT_ROW_TOTAL, metric,
				      EXPT_EXCLUSIVE);
	if (regions->collections)
		return expt_collections_value(regions->collections, region->number,
					      metric);
	return expt_omp_sum_value(regions->sums, region->number, metric);
}

static int64_t count_of(const struct regions *regions, const struct region *region)
{
	int64_t count = 0, all = 0;

	if (region->number != SIZE_MAX)
		return expt_omp_sum(regions->sums, region->number)->count;
	for (size_t i = 0; i < expt_omp_sums_count(regions->sums); i++, all += count)
		count = expt_omp_sum(regions->sums, i)->count;
	return all;
}

/* Choose the metrics that are shown, each once, and the name. */
static void choose_columns(struct regions *regions)
{
	const struct metric_list *metrics = &regions->session->metrics;

	for (size_t i = 0; i < metrics->count; i++) {
		struct metric_column column = metrics->columns[i];

		column.flavor = 'e';
		if (column.kind == COLUMN_METRIC &&
		    !metric_is_among(column.metric, regions->columns,
				     regions->column_count))
			regions->columns[regions->column_count++] = column;
	}
	if (regions->column_count == METRIC_COLUMNS_MAX)
		regions->column_count--;
	regions->columns[regions->column_count++] =
		(struct metric_column){ .kind = COLUMN_NAME };
}

/* Returns 'OpenMP Task from middle + 0x00000004, line 7 in "prog.c"'; NULL: out of
 * memory. */
static const char *name_of(struct regions *regions, const struct expt_omp_sum *sum,
			   enum expt_omp_by by)
{
	const char *outside = by == EXPT_BY_REGION
				      ? "Implicit OpenMP Parallel Region"
				      : "OpenMP Task from Implicit Parallel Region";
	const char *what = by == EXPT_BY_REGION ? "Parallel Region" : "Task";
	struct expt_place place = { .function = sum->function, .offset = sum->offset };
	char from[4096], text[4200];

	if (!sum->function)
		return outside;
	snprintf(text, sizeof(text), "OpenMP %s from %s", what,
		 session_place_name(regions->session, &place, from, sizeof(from)));
	return arena_text(&regions->names, text, strlen(text));
}

static int compare(const void *left, const void *right, void *context)
{
	const struct metric_list *metrics = context;
	const struct region *a = left, *b = right;
	int order = (b->number == SIZE_MAX) - (a->number == SIZE_MAX);

	if (order == 0)
		order = a->key > b->key ? -1 : a->key < b->key;
	if (order == 0 && a->is_numbered && b->is_numbered)
		order = a->number < b->number ? -1 : a->number > b->number;
	else if (order == 0)
		order = strcmp(a->name, b->name);
	return metrics->is_reversed ? -order : order;
}

static bool add_region(struct regions *regions, size_t number, const char *name)
{
	const struct metric_column *sort = &regions->session->metrics.sort;
	struct region *region = name ? array_add(&regions->list) : NULL;

	if (!region)
		return false;
	*region = (struct region){ number, name, regions->collections, 0 };
	if (sort->kind == COLUMN_METRIC)
		region->key = value_of(regions, region, sort->metric);
	return true;
}

static bool add_regions(struct regions *regions, enum expt_omp_by by)
{
	for (size_t i = 0; i < expt_omp_sums_count(regions->sums); i++)
		if (!add_region(regions, i,
				name_of(regions, expt_omp_sum(regions->sums, i), by)))
			return false;
	return true;
}

static bool add_collections(struct regions *regions)
{
	for (size_t i = 0; i < expt_collections_count(regions->collections); i++) {
		char name[40] = "Not in any GCEvent";

		if (i > 0)
			snprintf(name, sizeof(name), "GCEvent %zu", i);
		if (expt_collections_have_events(regions->collections, i) &&
		    !add_region(regions, i,
				arena_text(&regions->names, name, strlen(name))))
			return false;
	}
	return true;
}

static bool has_counts(const struct regions *regions)
{
	return regions->sums && expt_omp_sums_have_counts(regions->sums);
}

/* The name is the last one. */
static bool add_columns(const struct regions *regions, struct table *table)
{
	size_t metrics = regions->column_count - 1;
	struct table_column *counts;

	if (!rows_add_columns(regions->session, table, regions->rows, regions->columns,
			      metrics))
		return false;
	if (has_counts(regions)) {
		counts = table_add_column(table, "Count", CELL_COUNT);
		if (!counts)
			return false;
		counts->has_value = true;
	}
	return rows_add_columns(regions->session, table, regions->rows,
				regions->columns + metrics, 1);
}

static bool fill_table(const struct regions *regions, struct table *table)
{
	if (!add_columns(regions, table))
		return false;
	for (size_t i = 0; i < regions->list.count; i++) {
		const struct region *region = &regions->list.items[i];
		struct cell *cells = table_add_line(table, ' ');
		size_t at = 0;

		if (!cells)
			return false;
		for (; at + 1 < regions->column_count; at++)
			cells[at].value =
				value_of(regions, region, regions->columns[at].metric);
		if (has_counts(regions))
			cells[at++].value = count_of(regions, region);
		cells[at].text = region->name;
	}
	return true;
}

static void print_title(struct session *session)
{
	struct metric_column sort = session->metrics.sort;
	char title[METRIC_TEXT_SIZE];

	sort.flavor = 'e';
	metric_column_title(session, title, &sort);
	output_title(&session->output, "Objects sorted by metric: %s%s",
		     session->metrics.is_reversed ? "-" : "", title);
}

/* Sort and print them, with <Total>, or report that memory ran out. */
static int print_list(struct regions *regions)
{
	struct session *session = regions->session;
	struct table table = { 0 };
	bool is_good;

	choose_columns(regions);
	qsort_r(regions->list.items, regions->list.count, sizeof(*regions->list.items),
		compare, &session->metrics);
	is_good = fill_table(regions, &table);
	if (is_good) {
		print_title(session);
		output_gap(&session->output);
		table_print(&table, session->limit, &session->output);
		output_gap(&session->output);
	}
	table_release(&table);
	return is_good ? 0 : session_out_of_memory(session);
}

static bool begin(struct regions *regions, struct session *session)
{
	*regions = (struct regions){
		.session = session,
		.rows = session_rows(session, EXPT_BY_FUNCTION),
	};
	return regions->rows;
}

static void end(struct regions *regions)
{
	array_release(&regions->list);
	arena_release(&regions->names);
	expt_omp_sums_free(regions->sums);
	expt_collections_free(regions->collections);
}

static int run_omp(struct session *session, enum expt_omp_by by, const char *what)
{
	cleanup(end) struct regions regions = { 0 };
	struct expt_error err;

	if (!begin(&regions, session))
		return -1;
	if (expt_omp_sums_find(&regions.sums, session->view, by, &err) < 0)
		return session_failed(session, &err);
	if (expt_omp_sums_count(regions.sums) == 0) {
		fprintf(session->out, "The experiments have no data on OpenMP %s\n\n",
			what);
		return 0;
	}
	if (!add_region(&regions, SIZE_MAX, "<Total>") || !add_regions(&regions, by))
		return session_out_of_memory(session);
	return print_list(&regions);
}

int run_omp_regions(struct session *session, int count, char **words)
{
	return run_omp(session, EXPT_BY_REGION, "regions");
}

int run_omp_tasks(struct session *session, int count, char **words)
{
	return run_omp(session, EXPT_BY_TASK, "tasks");
}

int run_gcevents(struct session *session, int count, char **words)
{
	cleanup(end) struct regions regions = { 0 };
	struct expt_error err;

	if (!begin(&regions, session))
		return -1;
	if (expt_collections_find(&regions.collections, session->view, &err) < 0)
		return session_failed(session, &err);
	if (!add_region(&regions, SIZE_MAX, "<Total>") || !add_collections(&regions))
		return session_out_of_memory(session);
	return print_list(&regions);
}
