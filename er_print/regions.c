/* SPDX-License-Identifier: Apache-2.0 */
/* Clock samples by parallel region or task of OpenMP, with exclusive metrics. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "er_print/rows.h"
#include "er_print/run.h"
#include "libexpt/base/cleanup.h"

struct region {
	size_t number; /* in the sums; SIZE_MAX: <Total> */
	const char *name;
	int64_t key; /* while sorting */
};

struct regions {
	struct session *session;
	struct expt_omp_sums *sums;
	struct expt_rows *rows; /* for the total */
	struct metric_column columns[METRIC_COLUMNS_MAX];
	size_t column_count;
	struct region *items;
	size_t count;
	struct arena names;
};

static int64_t value_of(const struct regions *regions, const struct region *region,
			size_t metric)
{
	if (region->number == SIZE_MAX)
		return expt_row_value(regions->rows, EXPT_ROW_TOTAL, metric,
				      EXPT_EXCLUSIVE);
	return expt_omp_sum_value(regions->sums, region->number, metric);
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

/* Returns "OpenMP Task from middle + 0x00000004"; NULL: out of memory. */
static const char *name_of(struct regions *regions, const struct expt_omp_sum *sum,
			   enum expt_omp_by by)
{
	const char *outside = by == EXPT_BY_REGION
				      ? "Implicit OpenMP Parallel Region"
				      : "OpenMP Task from Implicit Parallel Region";
	const char *what = by == EXPT_BY_REGION ? "Parallel Region" : "Task";
	char function[4096], text[4200];

	if (!sum->function)
		return outside;
	snprintf(text, sizeof(text), "OpenMP %s from %s + 0x%08" PRIX64, what,
		 session_function_name(regions->session, sum->function, function,
				       sizeof(function)),
		 sum->offset);
	return arena_text(&regions->names, text, strlen(text));
}

static int compare(const void *left, const void *right, void *context)
{
	const struct metric_list *metrics = context;
	const struct region *a = left, *b = right;
	int order = (b->number == SIZE_MAX) - (a->number == SIZE_MAX);

	if (order == 0)
		order = a->key > b->key ? -1 : a->key < b->key;
	if (order == 0)
		order = strcmp(a->name, b->name);
	return metrics->is_reversed ? -order : order;
}

/* List <Total> and all regions, sorted. false: out of memory. */
static bool list_regions(struct regions *regions, enum expt_omp_by by)
{
	struct metric_list *metrics = &regions->session->metrics;

	regions->count = expt_omp_sums_count(regions->sums) + 1;
	regions->items = calloc(regions->count, sizeof(*regions->items));
	if (!regions->items)
		return false;
	regions->items[0] = (struct region){ SIZE_MAX, "<Total>", 0 };
	for (size_t i = 0; i < regions->count; i++) {
		struct region *region = &regions->items[i];

		if (i > 0) {
			region->number = i - 1;
			region->name =
				name_of(regions, expt_omp_sum(regions->sums, i - 1), by);
		}
		if (!region->name)
			return false;
		if (metrics->sort.kind == COLUMN_METRIC)
			region->key = value_of(regions, region, metrics->sort.metric);
	}
	qsort_r(regions->items, regions->count, sizeof(*regions->items), compare,
		metrics);
	return true;
}

static bool fill_table(const struct regions *regions, struct table *table)
{
	if (!rows_add_columns(regions->session, table, regions->rows, regions->columns,
			      regions->column_count))
		return false;
	for (size_t i = 0; i < regions->count; i++) {
		struct cell *cells = table_add_line(table, ' ');

		for (size_t j = 0; cells && j + 1 < regions->column_count; j++)
			cells[j].value = value_of(regions, &regions->items[i],
						  regions->columns[j].metric);
		if (!cells)
			return false;
		cells[regions->column_count - 1].text = regions->items[i].name;
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

static int print_regions(struct regions *regions, enum expt_omp_by by)
{
	struct session *session = regions->session;
	struct table table = { 0 };
	bool is_good;

	choose_columns(regions);
	is_good = list_regions(regions, by) && fill_table(regions, &table);
	if (is_good) {
		print_title(session);
		output_gap(&session->output);
		table_print(&table, session->limit, &session->output);
		output_gap(&session->output);
	}
	table_release(&table);
	return is_good ? 0 : session_out_of_memory(session);
}

static int run(struct session *session, enum expt_omp_by by, const char *what)
{
	struct regions regions = { .session = session,
				   .rows = session_rows(session, EXPT_BY_FUNCTION) };
	struct expt_error err;
	int rc = 0;

	if (!regions.rows)
		return -1;
	if (expt_omp_sums_find(&regions.sums, session->view, by, &err) < 0)
		return session_failed(session, &err);
	if (expt_omp_sums_count(regions.sums) > 0)
		rc = print_regions(&regions, by);
	else
		fprintf(session->out, "The experiments have no data on OpenMP %s\n\n",
			what);
	free(regions.items);
	arena_release(&regions.names);
	expt_omp_sums_free(regions.sums);
	return rc;
}

int run_omp_regions(struct session *session, int count, char **words)
{
	return run(session, EXPT_BY_REGION, "regions");
}

int run_omp_tasks(struct session *session, int count, char **words)
{
	return run(session, EXPT_BY_TASK, "tasks");
}
