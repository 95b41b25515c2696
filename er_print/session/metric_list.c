/* SPDX-License-Identifier: Apache-2.0 */
/* The choices of "metrics" and "sort", and how they are shown. */
#include "er_print/session/metric_list.h"

#include <string.h>
#include <strings.h>

#include "er_print/session/session.h"

/* Metrics shown by default, as far as there is data; hwc means all counters. */
static const char default_metrics[] =
	"i+heapleakbytes:i+heapleakcnt:i+heapallocbytes:i+heapalloccnt:"
	"ei.%totalcpu:i.ompwork:i.ompwait:ei.%kcpu:e%+hwc:i.sync:i+syncn:"
	"i.ioreadtime:i.iowritetime:i.ioothertime:i.ioerrortime:"
	"ei+raccess:ei+deadlocks";

/* ---- reading a specification ---- */

/* Sort by the first exclusive metric, else the first inclusive one, else by name. */
static void choose_sort(struct metric_list *list)
{
	list->sort = (struct metric_column){ .kind = COLUMN_NAME };
	list->is_reversed = false;
	for (const char *flavor = "ei"; *flavor; flavor++)
		for (size_t i = 0; i < list->count; i++)
			if (list->columns[i].kind == COLUMN_METRIC &&
			    list->columns[i].flavor == *flavor) {
				list->sort = list->columns[i];
				return;
			}
}

/* Copy the first key of a specification; returns the rest. */
static const char *take_key(char key[METRIC_TEXT_SIZE], const char *spec)
{
	size_t length = strcspn(spec, ":");

	snprintf(key, METRIC_TEXT_SIZE, "%.*s", (int)length, spec);
	return spec + length + (spec[length] == ':');
}

/* Add the keys of a specification that have data. */
static void add_possible(const struct session *session, struct metric_list *list,
			 const char *spec)
{
	char key[METRIC_TEXT_SIZE];

	while (*spec) {
		spec = take_key(key, spec);
		metric_list_add_key(session, list, key);
	}
}

/* Remove the hidden columns, which kept the same ones from being added. The name is
 * always shown. */
static void finish_list(struct metric_list *list)
{
	static const struct metric_column name = { .kind = COLUMN_NAME };
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++)
		if (!list->columns[i].is_hidden)
			list->columns[kept++] = list->columns[i];
	list->count = kept;
	if (list->count == METRIC_COLUMNS_MAX && !metric_list_find(list, &name))
		list->count--;
	metric_list_add(list, &name);
	choose_sort(list);
}

/* Returns the first shown column that the key, which may describe several, is about. */
static struct metric_column *find_sort_key(const struct session *session,
					   struct metric_list *list, const char *key)
{
	struct metric_list wanted = { 0 };

	metric_list_add_key(session, &wanted, key);
	for (size_t i = 0; i < list->count; i++)
		if (metric_list_find(&wanted, &list->columns[i]))
			return &list->columns[i];
	return NULL;
}

/* Sort by the first key of dsort that is shown, if there is one. */
static void choose_default_sort(struct session *session)
{
	const char *rest = strbuf_text(&session->default_sort.text);
	char key[METRIC_TEXT_SIZE];

	choose_sort(&session->metrics);
	while (*rest) {
		bool is_reversed = *rest == '-';
		struct metric_column *column;

		rest = take_key(key, rest + is_reversed);
		column = find_sort_key(session, &session->metrics, key);
		if (!column)
			continue;
		session->metrics.sort = *column;
		session->metrics.is_reversed = is_reversed;
		return;
	}
}

void metrics_default(struct session *session)
{
	struct metric_list list = { 0 };

	add_possible(session, &list, strbuf_text(&session->default_metrics.text));
	add_possible(session, &list, default_metrics);
	finish_list(&list);
	session->metrics = list;
	choose_default_sort(session);
}

static bool refuse_metrics(struct session *session, const char *format, const char *key)
{
	char text[METRIC_TEXT_SIZE + 128];

	/* The formats are those of metric_list_add_key(), and one more. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	snprintf(text, sizeof(text), format, key);
#pragma GCC diagnostic pop
	session_error(session, "%s", text);
	metrics_print(session);
	metrics_print_sort(session);
	metrics_print_available(session);
	return false;
}

/* Check that something is shown, or that only columns other than metrics were hidden. */
static bool has_visible(const struct metric_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (!list->columns[i].is_hidden || list->columns[i].kind != COLUMN_METRIC)
			return true;
	return false;
}

bool metrics_choose(struct session *session, const char *spec)
{
	struct metric_list list = { 0 };
	const char *rest = spec;
	char key[METRIC_TEXT_SIZE];

	if (strcasecmp(spec, "default") == 0) {
		metrics_default(session);
		return true;
	}
	while (*rest) {
		const char *problem;

		rest = take_key(key, rest);
		problem = *key ? metric_list_add_key(session, &list, key) : NULL;
		if (problem)
			return refuse_metrics(session, problem, key);
	}
	if (!has_visible(&list))
		return refuse_metrics(session, "no metric is shown by '%s'", spec);
	finish_list(&list);
	session->metrics = list;
	return true;
}

/* Make a sort key that is not shown a column, before the name if that is last. */
static struct metric_column *show_sort_key(struct metric_list *list,
					   const struct metric_column *key)
{
	size_t i = list->count;

	if (i == METRIC_COLUMNS_MAX)
		return NULL;
	if (i > 0 && list->columns[i - 1].kind == COLUMN_NAME)
		i--;
	memmove(&list->columns[i + 1], &list->columns[i],
		(list->count - i) * sizeof(*list->columns));
	list->columns[i] = *key;
	list->count++;
	return &list->columns[i];
}

bool metrics_sort(struct session *session, const char *spec)
{
	bool is_reversed = *spec == '-';
	const char *key = spec + is_reversed;
	struct metric_list wanted = { 0 };
	struct metric_column *column;

	if (strcasecmp(spec, "default") == 0) {
		choose_default_sort(session);
		return true;
	}
	column = find_sort_key(session, &session->metrics, key);
	if (!column && !strchr(key, ':') && !metric_list_add_key(session, &wanted, key) &&
	    wanted.count > 0 && !wanted.columns[0].is_hidden)
		column = show_sort_key(&session->metrics, &wanted.columns[0]);
	if (!column) {
		session_error(session, "cannot sort by '%s'", spec);
		metrics_print(session);
		return false;
	}
	session->metrics.sort = *column;
	session->metrics.is_reversed = is_reversed;
	return true;
}

/* ---- other experiments ---- */

void metrics_describe(const struct session *session, struct strbuf *metrics,
		      struct strbuf *sort)
{
	char key[METRIC_TEXT_SIZE];

	for (size_t i = 0; i < session->metrics.count; i++) {
		metric_column_key(session, key, &session->metrics.columns[i]);
		strbuf_printf(metrics, "%s:", key);
	}
	metric_column_key(session, key, &session->metrics.sort);
	strbuf_printf(sort, "%s%s", session->metrics.is_reversed ? "-" : "", key);
}

void metrics_restore(struct session *session, const char *metrics, const char *sort)
{
	struct metric_list list = { 0 };
	struct metric_column *column;

	add_possible(session, &list, metrics);
	finish_list(&list);
	session->metrics = list;
	column = find_sort_key(session, &session->metrics, sort + (*sort == '-'));
	if (!column)
		return;
	session->metrics.sort = *column;
	session->metrics.is_reversed = *sort == '-';
}

/* ---- output ---- */

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

	metric_list_add_available(session, &list);
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

void metrics_sort_title(const struct session *session, enum metric_table table,
			char out[METRIC_TEXT_SIZE + 1])
{
	struct metric_list list;
	char title[METRIC_TEXT_SIZE];

	metrics_of_table(&session->metrics, table, &list);
	metric_column_title(session, title, &list.sort);
	snprintf(out, METRIC_TEXT_SIZE + 1, "%s%s", list.is_reversed ? "-" : "", title);
}

void metrics_print_table(struct session *session, enum metric_table table)
{
	const char *name = tables[table].name;
	struct metric_list list, available = { 0 };
	char title[METRIC_TEXT_SIZE + 1];

	metrics_of_table(&session->metrics, table, &list);
	fprintf(session->out, "Current %s metrics: ", name);
	print_keys(session, &list);
	metrics_sort_title(session, table, title);
	fprintf(session->out, "Current %s sort Metric: %s\n", name, title);
	metric_list_add_available(session, &available);
	metrics_of_table(&available, table, &list);
	print_available(session, &list);
}
