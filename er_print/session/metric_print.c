/* SPDX-License-Identifier: Apache-2.0 */
#include "er_print/session/metric_print.h"

#include <string.h>

#include "er_print/session/session.h"

static void print_keys(struct session *session, const struct metric_list *list)
{
	char key[METRIC_TEXT_SIZE];

	for (size_t i = 0; i < list->count; i++) {
		metric_column_key(session, key, &list->columns[i]);
		fprintf(session->out, "%s%s", i ? ":" : "", key);
	}
	fputc('\n', session->out);
}

void metrics_print(struct session *session)
{
	fputs("Current metrics: ", session->out);
	print_keys(session, &session->metrics);
}

void metrics_print_sort(struct session *session)
{
	const char *minus = session->metrics.is_reversed ? "-" : "";
	char key[METRIC_TEXT_SIZE], title[METRIC_TEXT_SIZE];

	metric_column_key(session, key, &session->metrics.sort);
	metric_column_title(session, title, &session->metrics.sort);
	fprintf(session->out, "Current Sort Metric: %s%s ( %s%s )\n", minus, title, minus,
		key);
}

static void print_available(struct session *session, const struct metric_list *list)
{
	char key[METRIC_TEXT_SIZE], title[METRIC_TEXT_SIZE];
	int width = 0;

	for (size_t i = 0; i < list->count; i++) {
		metric_column_title(session, title, &list->columns[i]);
		if ((int)strlen(title) > width)
			width = (int)strlen(title);
	}
	fputs("Available metrics:\n", session->out);
	for (size_t i = 0; i < list->count; i++) {
		metric_column_title(session, title, &list->columns[i]);
		metric_column_key(session, key, &list->columns[i]);
		fprintf(session->out, "%*s: %s\n", width, title, key);
	}
	fputc('\n', session->out);
}

void metrics_print_available(struct session *session)
{
	struct metric_list list = { 0 };

	metric_list_add_available(session, &list, "ei");
	print_available(session, &list);
}

/* ---- metrics of other tables ---- */

static const struct {
	const char *name;
	char flavor;
	bool has_statics; /* sizes and addresses, too */
} tables[] = {
	[METRICS_OF_CALLERS] = { "caller-callee", 'a', true },
	[METRICS_OF_INDEX_OBJECTS] = { "index-object", 'e', false },
	[METRICS_OF_DATA_OBJECTS] = { "data-object", 'd', false },
};

void metrics_of_table(const struct metric_list *metrics, enum metric_table table,
		      struct metric_list *chosen)
{
	struct metric_column name = { .kind = COLUMN_NAME };

	*chosen = (struct metric_list){
		.sort = metrics->sort.kind == COLUMN_METRIC ? metrics->sort : name,
		.is_reversed = metrics->is_reversed,
	};
	chosen->sort.flavor = tables[table].flavor;
	for (size_t i = 0; i < metrics->count; i++) {
		struct metric_column column = metrics->columns[i];

		if (column.kind != COLUMN_METRIC && !tables[table].has_statics)
			continue;
		column.flavor = tables[table].flavor;
		metric_list_add(chosen, &column);
	}
	metric_list_add(chosen, &name);
}

static const struct metric_list *current_of(const struct session *session,
					    enum metric_table table)
{
	return table == METRICS_OF_DATA_OBJECTS ? &session->data_metrics
						: &session->metrics;
}

void metrics_sort_title(const struct session *session, enum metric_table table,
			char out[METRIC_TEXT_SIZE + 1])
{
	struct metric_list list;
	char title[METRIC_TEXT_SIZE];

	metrics_of_table(current_of(session, table), table, &list);
	metric_column_title(session, title, &list.sort);
	snprintf(out, METRIC_TEXT_SIZE + 1, "%s%s", list.is_reversed ? "-" : "", title);
}

void metrics_print_table(struct session *session, enum metric_table table)
{
	const char *name = tables[table].name;
	struct metric_list list, available = { 0 };
	char title[METRIC_TEXT_SIZE + 1];

	metrics_of_table(current_of(session, table), table, &list);
	fprintf(session->out, "Current %s metrics: ", name);
	print_keys(session, &list);
	metrics_sort_title(session, table, title);
	fprintf(session->out, "Current %s sort Metric: %s\n", name, title);
	metric_list_add_available(session, &available,
				  table == METRICS_OF_DATA_OBJECTS ? "d" : "ei");
	metrics_of_table(&available, table, &list);
	print_available(session, &list);
}

void metrics_print_data(struct session *session)
{
	const struct metric_list *list = &session->data_metrics;
	const char *minus = list->is_reversed ? "-" : "";
	char key[METRIC_TEXT_SIZE], title[METRIC_TEXT_SIZE];

	fputs("Current data-object metrics: ", session->out);
	print_keys(session, list);
	metric_column_key(session, key, &list->sort);
	metric_column_title(session, title, &list->sort);
	fprintf(session->out, "Current data-object sort Metric: %s%s ( %s%s )\n", minus,
		title, minus, key);
}
