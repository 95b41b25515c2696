/* SPDX-License-Identifier: Apache-2.0 */
#include "er_print/session/metric_column.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "er_print/session/near.h"
#include "er_print/session/session.h"

/* Columns of functions that are not metrics. */
static const struct {
	enum column_kind kind;
	const char *name, *title;
} statics[STATIC_COUNT] = {
	{ COLUMN_SIZE, "size", "Size" },
	{ COLUMN_ADDRESS, "address", "PC Address" },
	{ COLUMN_NAME, "name", "Name" },
};

/* ---- texts ---- */

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
		 : column->flavor == 'd' ? "Data-derived"
					 : "Attributed",
		 expt_metric(session->view, column->metric)->title);
}

/* ---- lists ---- */

bool metric_is_among(size_t metric, const struct metric_column *columns, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (columns[i].kind == COLUMN_METRIC && columns[i].metric == metric)
			return true;
	return false;
}

static bool is_same(const struct metric_column *a, const struct metric_column *b)
{
	return a->kind == b->kind && (a->kind != COLUMN_METRIC ||
				      (a->metric == b->metric && a->flavor == b->flavor));
}

struct metric_column *metric_list_find(struct metric_list *list,
				       const struct metric_column *wanted)
{
	for (size_t i = 0; i < list->count; i++)
		if (is_same(&list->columns[i], wanted))
			return &list->columns[i];
	return NULL;
}

void metric_list_add(struct metric_list *list, const struct metric_column *column)
{
	if (list->count < METRIC_COLUMNS_MAX && !metric_list_find(list, column))
		list->columns[list->count++] = *column;
}

/* ---- metrics with data ---- */

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

/* A choice of metrics by name. */
typedef bool metric_filter(const struct expt_metric *metric, const char *name);

static bool is_any(const struct expt_metric *metric, const char *name)
{
	return true;
}

static bool is_counter(const struct expt_metric *metric, const char *name)
{
	return metric->data == EXPT_HWC;
}

static bool is_none(const struct expt_metric *metric, const char *name)
{
	return false;
}

static bool is_named(const struct expt_metric *metric, const char *name)
{
	return strcasecmp(metric->name, name) == 0;
}

/* The metrics to add, and how. */
struct wanted {
	metric_filter *is_chosen;
	const char *name, *flavors;
	size_t flavor_count;
	struct metric_column column;
};

static void add_flavors(const struct session *session, struct metric_list *list,
			const struct wanted *wanted, size_t metric)
{
	struct metric_column column = wanted->column;

	column.metric = metric;
	for (size_t i = 0; i < wanted->flavor_count; i++) {
		column.flavor = (char)(wanted->flavors[i] | 0x20);
		if (column.flavor != 'd' ||
		    expt_metric(session->view, metric)->has_data_objects)
			metric_list_add(list, &column);
	}
}

/* Check whether a metric can be shown in one of the flavors. */
static bool has_flavor_of(const struct expt_metric *metric, const struct wanted *wanted)
{
	for (size_t i = 0; i < wanted->flavor_count; i++)
		if ((wanted->flavors[i] | 0x20) != 'd' || metric->has_data_objects)
			return true;
	return false;
}

/* Add the metrics that have data. Returns their number. */
static size_t add_metrics(const struct session *session, struct metric_list *list,
			  const struct wanted *wanted)
{
	enum expt_data kinds[EXPT_DATA_COUNT];
	size_t kind_count = order_kinds(session, kinds), found = 0;

	for (size_t i = 0; i < kind_count; i++)
		for (size_t j = 0; j < expt_metric_count(session->view); j++) {
			const struct expt_metric *metric = expt_metric(session->view, j);

			if (metric->data != kinds[i] || !metric->is_offered ||
			    !wanted->is_chosen(metric, wanted->name) ||
			    !has_flavor_of(metric, wanted))
				continue;
			add_flavors(session, list, wanted, j);
			found++;
		}
	return found;
}

static bool add_statics(struct metric_list *list, const char *name, bool is_hidden)
{
	bool has_found = false;

	for (size_t i = 0; i < STATIC_COUNT; i++) {
		if (name && strcasecmp(statics[i].name, name) != 0)
			continue;
		metric_list_add(list, &(struct metric_column){ .kind = statics[i].kind,
							       .is_hidden = is_hidden });
		has_found = true;
	}
	return has_found;
}

void metric_list_add_available(const struct session *session, struct metric_list *list,
			       const char *flavors)
{
	struct wanted wanted = {
		.is_chosen = is_any,
		.flavors = flavors,
		.flavor_count = strlen(flavors),
		.column = { .has_value = true, .has_percent = true },
	};

	add_metrics(session, list, &wanted);
	/* There is always room for the others. */
	if (list->count > METRIC_COLUMNS_MAX - STATIC_COUNT)
		list->count = METRIC_COLUMNS_MAX - STATIC_COUNT;
	add_statics(list, NULL, false);
}

/* ---- keys ---- */

/* Names of several metrics. */
static const struct {
	const char *name;
	metric_filter *is_chosen;
	bool has_statics;
} patterns[] = {
	{ "any", is_any, true },
	{ "all", is_any, true },
	{ "hwc", is_counter, false },
	{ "bit", is_none, false }, /* counters of events that only SPARC has */
};

static bool add_named(const struct session *session, struct metric_list *list,
		      struct wanted *wanted)
{
	bool is_hidden = wanted->column.is_hidden;

	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++) {
		size_t found;

		if (strcasecmp(patterns[i].name, wanted->name) != 0)
			continue;
		wanted->is_chosen = patterns[i].is_chosen;
		found = add_metrics(session, list, wanted);
		if (patterns[i].has_statics)
			add_statics(list, NULL, is_hidden);
		return found > 0 || patterns[i].has_statics ||
		       patterns[i].is_chosen == is_none;
	}
	return add_statics(list, wanted->name, is_hidden) ||
	       add_metrics(session, list, wanted) > 0;
}

static bool has_flavor(const struct wanted *wanted, const char *letters)
{
	for (size_t i = 0; i < wanted->flavor_count; i++)
		if (strchr(letters, wanted->flavors[i]))
			return true;
	return false;
}

/* Divide a key into its parts. */
static struct wanted parse(const char *key)
{
	size_t count = strspn(key, "eiadEIAD");
	size_t visibility = strspn(key + count, ".%+!");
	const char *marks = key + count;
	bool has_percent = memchr(marks, '%', visibility);
	struct wanted wanted = {
		.is_chosen = is_named,
		.name = visibility ? marks + visibility : key,
		.flavors = visibility && count ? key : "ei",
		.flavor_count = visibility && count ? count : 2,
		.column = {
			.kind = COLUMN_METRIC,
			.has_value = !has_percent || memchr(marks, '.', visibility) ||
				     memchr(marks, '+', visibility),
			.has_percent = has_percent,
			.is_hidden = memchr(marks, '!', visibility),
		},
	};

	return wanted;
}

bool metric_list_add_key(const struct session *session, struct metric_list *list,
			 const char *key)
{
	struct wanted wanted = parse(key);

	return !has_flavor(&wanted, "aA") && add_named(session, list, &wanted);
}

static void ask_near(const struct session *session, struct strbuf *text, const char *name)
{
	struct near near = { .word = name };

	for (size_t i = 0; i < expt_metric_count(session->view); i++)
		if (expt_metric(session->view, i)->is_offered)
			near_offer(&near, expt_metric(session->view, i)->name);
	near_ask(text, &near);
}

void metric_explain_key(const struct session *session, struct strbuf *text,
			const char *key)
{
	struct wanted wanted = parse(key);

	if (has_flavor(&wanted, "aA")) {
		strbuf_printf(text,
			      "attributed metrics as in '%s' are shown by "
			      "callers-callees only",
			      key);
	} else if (strpbrk(wanted.name, ".%+!")) {
		strbuf_printf(text, "unknown flavor in '%s': the flavors are e, i and d",
			      key);
	} else {
		strbuf_printf(text, "no %s for metric '%s'",
			      has_flavor(&wanted, "dD") ? "data objects" : "data", key);
		ask_near(session, text, wanted.name);
	}
}
