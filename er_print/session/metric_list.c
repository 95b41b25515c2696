/* SPDX-License-Identifier: Apache-2.0 */
/* The choices of "metrics" and "sort", and how they are shown. */
#include "er_print/session/metric_list.h"

#include <string.h>
#include <strings.h>

#include "er_print/session/metric_print.h"
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
	for (const char *flavor = "eid"; *flavor; flavor++)
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

/* ---- data objects ---- */

/* Move the columns of data objects to a list of their own. */
static void divide(struct metric_list *list, struct metric_list *data)
{
	size_t kept = 0;

	*data = (struct metric_list){ 0 };
	for (size_t i = 0; i < list->count; i++)
		if (list->columns[i].flavor == 'd' &&
		    list->columns[i].kind == COLUMN_METRIC)
			data->columns[data->count++] = list->columns[i];
		else
			list->columns[kept++] = list->columns[i];
	list->count = kept;
}

static void default_data(struct session *session)
{
	struct metric_list all = { 0 }, data;

	metric_list_add_available(session, &all, "d");
	divide(&all, &data);
	finish_list(&data);
	session->data_metrics = data;
}

/* Data objects keep their metrics unless some are chosen. */
static void set_lists(struct session *session, struct metric_list *list)
{
	struct metric_list data;

	divide(list, &data);
	if (data.count > 0) {
		finish_list(&data);
		session->data_metrics = data;
	}
	finish_list(list);
	session->metrics = *list;
}

void metrics_default(struct session *session)
{
	struct metric_list list = { 0 };

	default_data(session);

	add_possible(session, &list, strbuf_text(&session->default_metrics.text));
	add_possible(session, &list, default_metrics);
	set_lists(session, &list);
	choose_default_sort(session);
}

static bool refuse_metrics(struct session *session, const struct strbuf *why)
{
	session_error(session, "%s", strbuf_text(why));
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
	cleanup_strbuf struct strbuf why = STRBUF_INIT;
	struct metric_list list = { 0 };
	const char *rest = spec;
	char key[METRIC_TEXT_SIZE];

	if (strcasecmp(spec, "default") == 0) {
		metrics_default(session);
		return true;
	}
	while (*rest) {
		rest = take_key(key, rest);
		if (*key && !metric_list_add_key(session, &list, key)) {
			metric_explain_key(session, &why, key);
			return refuse_metrics(session, &why);
		}
	}
	if (!has_visible(&list)) {
		strbuf_printf(&why, "no metric is shown by '%s'", spec);
		return refuse_metrics(session, &why);
	}
	set_lists(session, &list);
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

/* Report that no column has the key. */
static void refuse_sort(struct session *session, const char *spec)
{
	const char *key = spec + (*spec == '-');
	cleanup_strbuf struct strbuf why = STRBUF_INIT;
	struct metric_list wanted = { 0 };

	if (!strchr(key, ':') && !metric_list_add_key(session, &wanted, key)) {
		strbuf_add_text(&why, ": ");
		metric_explain_key(session, &why, key);
	}
	session_error(session, "cannot sort by '%s'%s", spec, strbuf_text(&why));
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
	if (!column && !strchr(key, ':') && metric_list_add_key(session, &wanted, key) &&
	    wanted.count > 0 && !wanted.columns[0].is_hidden)
		column = show_sort_key(&session->metrics, &wanted.columns[0]);
	if (!column) {
		refuse_sort(session, spec);
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
	default_data(session);
	set_lists(session, &list);
	column = find_sort_key(session, &session->metrics, sort + (*sort == '-'));
	if (!column)
		return;
	session->metrics.sort = *column;
	session->metrics.is_reversed = *sort == '-';
}

/* ---- choices of data objects ---- */

/* Let a key be of data objects: "d.page-faults" for ".page-faults" and "page-faults". */
static const char *data_key(char out[METRIC_TEXT_SIZE + 2], const char *key)
{
	size_t flavors = strspn(key, "eiadEIAD");

	if (flavors > 0 && strchr(".%+!", key[flavors]) && key[flavors])
		snprintf(out, METRIC_TEXT_SIZE + 2, "d%s", key + flavors);
	else
		snprintf(out, METRIC_TEXT_SIZE + 2, "d%s%s",
			 strchr(".%+!", *key) ? "" : ".", key);
	return out;
}

bool metrics_choose_data(struct session *session, const char *spec)
{
	struct metric_list list = { 0 };
	char key[METRIC_TEXT_SIZE], data[METRIC_TEXT_SIZE + 2];

	if (strcasecmp(spec, "default") == 0) {
		default_data(session);
		return true;
	}
	while (*spec) {
		spec = take_key(key, spec);
		if (!metric_list_add_key(session, &list, data_key(data, key))) {
			session_error(session, "no data objects for metric '%s'", key);
			return false;
		}
	}
	finish_list(&list);
	session->data_metrics = list;
	return true;
}

bool metrics_sort_data(struct session *session, const char *spec)
{
	bool is_reversed = *spec == '-';
	char data[METRIC_TEXT_SIZE + 2];
	struct metric_column *column =
		find_sort_key(session, &session->data_metrics,
			      strcasecmp(spec + is_reversed, "name") == 0
				      ? spec + is_reversed
				      : data_key(data, spec + is_reversed));

	if (!column) {
		refuse_sort(session, spec);
		return false;
	}
	session->data_metrics.sort = *column;
	session->data_metrics.is_reversed = is_reversed;
	session->data_metrics.is_sorted = column->kind == COLUMN_METRIC;
	return true;
}
