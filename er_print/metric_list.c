/* SPDX-License-Identifier: Apache-2.0 */
/* The choices of "metrics" and "sort", and how they are shown. */
#include "er_print/metric_list.h"

#include <string.h>
#include <strings.h>

#include "er_print/session.h"

/* Metrics shown by default, as far as there is data; hwc means all counters. */
static const char default_metrics[] =
	"i+heapleakbytes:i+heapleakcnt:i+heapallocbytes:i+heapalloccnt:"
	"ei.%totalcpu:ei.%kcpu:e%+hwc:i.sync:i+syncn:"
	"i.ioreadtime:i.iowritetime:i.ioothertime:i.ioerrortime";

/* Columns of functions that are not metrics. */
static const struct {
	enum column_kind kind;
	const char *name, *title;
} statics[] = {
	{ COLUMN_SIZE, "size", "Size" },
	{ COLUMN_ADDRESS, "address", "PC Address" },
	{ COLUMN_NAME, "name", "Name" },
};
#define STATIC_COUNT (sizeof(statics) / sizeof(*statics))

void metric_column_key(const struct session *session, char out[METRIC_TEXT_SIZE],
		       const struct metric_column *column)
{
	const struct expt_metric *metric;

	for (size_t i = 0; i < STATIC_COUNT; i++)
		if (statics[i].kind == column->kind) {
			snprintf(out, METRIC_TEXT_SIZE, "%s", statics[i].name);
			return;
		}
	metric = expt_metric(session->view, column->metric);
	snprintf(out, METRIC_TEXT_SIZE, "%c%s%s%s", column->flavor,
		 !column->has_value		  ? ""
		 : metric->unit == EXPT_UNIT_TIME ? "."
						  : "+",
		 column->has_percent ? "%" : "", metric->name);
}

void metric_column_title(const struct session *session, char out[METRIC_TEXT_SIZE],
			 const struct metric_column *column)
{
	for (size_t i = 0; i < STATIC_COUNT; i++)
		if (statics[i].kind == column->kind) {
			snprintf(out, METRIC_TEXT_SIZE, "%s", statics[i].title);
			return;
		}
	snprintf(out, METRIC_TEXT_SIZE, "%s %s",
		 column->flavor == 'e'	 ? "Exclusive"
		 : column->flavor == 'i' ? "Inclusive"
					 : "Attributed",
		 expt_metric(session->view, column->metric)->title);
}

bool metric_is_among(size_t metric, const struct metric_column *columns, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (columns[i].kind == COLUMN_METRIC && columns[i].metric == metric)
			return true;
	return false;
}

/* ---- reading a specification ---- */

static bool is_same(const struct metric_column *a, const struct metric_column *b)
{
	return a->kind == b->kind && (a->kind != COLUMN_METRIC ||
				      (a->metric == b->metric && a->flavor == b->flavor));
}

static struct metric_column *find_column(struct metric_list *list,
					 const struct metric_column *wanted)
{
	for (size_t i = 0; i < list->count; i++)
		if (is_same(&list->columns[i], wanted))
			return &list->columns[i];
	return NULL;
}

static void add_column(struct metric_list *list, const struct metric_column *column)
{
	/* If a metric is given twice, the first one counts. */
	if (list->count < METRIC_COLUMNS_MAX && !find_column(list, column))
		list->columns[list->count++] = *column;
}

static bool find_static(struct metric_column *column, const char *name)
{
	for (size_t i = 0; i < STATIC_COUNT; i++)
		if (strcasecmp(statics[i].name, name) == 0) {
			*column = (struct metric_column){ .kind = statics[i].kind };
			return true;
		}
	return false;
}

static bool find_metric(const struct session *session, size_t *number, const char *name)
{
	*number = expt_metric_find(session->view, name);
	return *number != EXPT_METRIC_NONE;
}

static void add_flavors(struct metric_list *list, struct metric_column *column,
			const char *flavors, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		column->flavor = (char)(flavors[i] | 0x20);
		add_column(list, column);
	}
}

/* Add all counters, instead of a single one; false: there are none. */
static bool add_counters(const struct session *session, struct metric_list *list,
			 struct metric_column *column, const char *flavors, size_t count)
{
	bool is_good = false;

	for (size_t i = 0; i < expt_metric_count(session->view); i++) {
		const struct expt_metric *metric = expt_metric(session->view, i);

		if (metric->data != EXPT_HWC || !metric->is_offered)
			continue;
		column->metric = i;
		add_flavors(list, column, flavors, count);
		is_good = true;
	}
	return is_good;
}

/* Parse one key of a specification: FLAVORS VISIBILITY NAME, or [VISIBILITY] and a static
 * name. Adds its columns; a hidden one adds none. */
static bool add_key(const struct session *session, struct metric_list *list,
		    const char *key)
{
	size_t flavors = strspn(key, "eiEI");
	size_t visibility = strspn(key + flavors, ".%+!");
	const char *name = key + flavors + visibility;
	bool is_hidden = memchr(key + flavors, '!', visibility);
	struct metric_column column;

	if (visibility == 0 || flavors == 0) {
		if (!find_static(&column, flavors ? key : name))
			return false;
		if (!is_hidden)
			add_column(list, &column);
		return true;
	}
	column = (struct metric_column){
		.kind = COLUMN_METRIC,
		.has_value = memchr(key + flavors, '.', visibility) ||
			     memchr(key + flavors, '+', visibility),
		.has_percent = memchr(key + flavors, '%', visibility),
	};
	if (is_hidden)
		return find_metric(session, &column.metric, name);
	if (strcasecmp(name, "hwc") == 0)
		return add_counters(session, list, &column, key, flavors);
	if (!find_metric(session, &column.metric, name))
		return false;
	add_flavors(list, &column, key, flavors);
	return true;
}

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

static void add_name(struct metric_list *list)
{
	add_column(list, &(struct metric_column){ .kind = COLUMN_NAME });
}

/* Copy the first key of a specification; returns the rest. */
static const char *take_key(char key[METRIC_TEXT_SIZE], const char *spec)
{
	size_t length = strcspn(spec, ":");

	snprintf(key, METRIC_TEXT_SIZE, "%.*s", (int)length, spec);
	return spec + length + (spec[length] == ':');
}

void metrics_default(struct session *session)
{
	struct metric_list list = { 0 };
	char key[METRIC_TEXT_SIZE];

	for (const char *rest = default_metrics; *rest;) {
		rest = take_key(key, rest);
		add_key(session, &list, key);
	}
	add_name(&list);
	choose_sort(&list);
	session->metrics = list;
}

static bool refuse_metrics(struct session *session, const char *key)
{
	session_error(session, "no data for metric '%s'", key);
	metrics_print(session);
	metrics_print_sort(session);
	metrics_print_available(session);
	return false;
}

bool metrics_choose(struct session *session, const char *spec)
{
	struct metric_list list = { 0 };
	char key[METRIC_TEXT_SIZE];

	if (strcasecmp(spec, "default") == 0) {
		metrics_default(session);
		return true;
	}
	while (*spec) {
		spec = take_key(key, spec);
		if (!add_key(session, &list, key))
			return refuse_metrics(session, key);
	}
	add_name(&list);
	choose_sort(&list);
	session->metrics = list;
	return true;
}

/* Make a sort key that is not shown a column, before the name if that is last. */
static struct metric_column *show_sort_key(struct metric_list *list,
					   const struct metric_column *key)
{
	struct metric_column *column = find_column(list, key);
	size_t i = list->count;

	if (column)
		return column;
	if (list->count == METRIC_COLUMNS_MAX)
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
	struct metric_list one = { 0 };
	struct metric_column *column = NULL;

	if (strcasecmp(spec, "default") == 0) {
		choose_sort(&session->metrics);
		return true;
	}
	if (!strchr(key, ':') && add_key(session, &one, key) && one.count == 1)
		column = show_sort_key(&session->metrics, &one.columns[0]);
	if (!column) {
		session_error(session, "cannot sort by '%s'", spec);
		metrics_print(session);
		return false;
	}
	session->metrics.sort = *column;
	session->metrics.is_reversed = is_reversed;
	return true;
}

/* ---- output ---- */

void metrics_print(struct session *session)
{
	char key[METRIC_TEXT_SIZE];

	fputs("Current metrics: ", session->out);
	for (size_t i = 0; i < session->metrics.count; i++) {
		metric_column_key(session, key, &session->metrics.columns[i]);
		fprintf(session->out, "%s%s", i ? ":" : "", key);
	}
	fputc('\n', session->out);
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

static size_t add_kind(enum expt_data kinds[EXPT_DATA_COUNT], size_t count,
		       enum expt_data data)
{
	for (size_t i = 0; i < count; i++)
		if (kinds[i] == data)
			return count;
	kinds[count] = data;
	return count + 1;
}

/* Order the kinds of data as in the logs, then those that no log describes. */
static size_t order_kinds(const struct session *session,
			  enum expt_data kinds[EXPT_DATA_COUNT])
{
	size_t count = 0;

	for (size_t i = 0; i < expt_view_count(session->view); i++) {
		const struct expt *expt = expt_view_expt(session->view, i);

		for (size_t j = 0; j < expt_profile_count(expt); j++)
			if (expt_profile(expt, j)->data < EXPT_DATA_COUNT)
				count = add_kind(kinds, count,
						 expt_profile(expt, j)->data);
	}
	for (size_t i = 0; i < expt_metric_count(session->view); i++)
		count = add_kind(kinds, count, expt_metric(session->view, i)->data);
	return count;
}

static size_t add_available(const struct session *session, struct metric_column *columns,
			    size_t count, size_t metric)
{
	for (const char *flavor = "ei"; *flavor; flavor++)
		if (expt_metric(session->view, metric)->is_offered &&
		    count < METRIC_COLUMNS_MAX - STATIC_COUNT)
			columns[count++] = (struct metric_column){
				.kind = COLUMN_METRIC,
				.metric = metric,
				.flavor = *flavor,
				.has_value = true,
				.has_percent = true,
			};
	return count;
}

/* List every metric that has data, with all its visibilities. */
static size_t list_available(const struct session *session, struct metric_column *columns)
{
	enum expt_data kinds[EXPT_DATA_COUNT];
	size_t kind_count = order_kinds(session, kinds), count = 0;

	for (size_t i = 0; i < kind_count; i++)
		for (size_t j = 0; j < expt_metric_count(session->view); j++)
			if (expt_metric(session->view, j)->data == kinds[i])
				count = add_available(session, columns, count, j);
	for (size_t i = 0; i < STATIC_COUNT; i++)
		columns[count++] = (struct metric_column){ .kind = statics[i].kind };
	return count;
}

void metrics_print_available(struct session *session)
{
	struct metric_column columns[METRIC_COLUMNS_MAX];
	size_t count = list_available(session, columns);
	char key[METRIC_TEXT_SIZE], title[METRIC_TEXT_SIZE];
	int width = 0;

	for (size_t i = 0; i < count; i++) {
		metric_column_title(session, title, &columns[i]);
		if ((int)strlen(title) > width)
			width = (int)strlen(title);
	}
	fputs("Available metrics:\n", session->out);
	for (size_t i = 0; i < count; i++) {
		metric_column_title(session, title, &columns[i]);
		metric_column_key(session, key, &columns[i]);
		fprintf(session->out, "%*s: %s\n", width, title, key);
	}
	fputc('\n', session->out);
}
