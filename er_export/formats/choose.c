/* SPDX-License-Identifier: Apache-2.0 */
#include "er_export/formats/choose.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "libexpt/base/strbuf.h"

char choose_no_memory[] = "out of memory";

static bool is_offered(const struct source *source, size_t metric)
{
	return metric < expt_metric_count(source->view) &&
	       expt_metric(source->view, metric)->is_offered;
}

static bool is_shown(const struct format *format, const struct expt_metric *metric)
{
	return !format->needs_time || metric->unit == EXPT_UNIT_TIME;
}

static bool is_chosen(const struct source *source, size_t metric)
{
	for (size_t i = 0; i < source->metric_count; i++)
		if (source->metrics[i] == metric)
			return true;
	return false;
}

static void add(struct source *source, size_t metric)
{
	if (source->metric_count < METRICS_CHOSEN_MAX && !is_chosen(source, metric))
		source->metrics[source->metric_count++] = metric;
}

/* ---- by default ---- */

/* Returns the metric that er_print would sort by: CPU time, else a counter; then what
 * else was traced. */
static size_t find_main(const struct source *source, const struct format *format)
{
	static const char *const first[] = { "totalcpu", "kcpu" };
	static const char *const then[] = { "sync",	      "ioreadtime", "mpitime",
					    "heapallocbytes", "raccess",    "deadlocks" };
	size_t found;

	for (size_t i = 0; i < sizeof(first) / sizeof(*first); i++)
		if ((found = expt_metric_find(source->view, first[i])) !=
		    EXPT_METRIC_NONE)
			return found;
	found = expt_metric_first(source->view, EXPT_HWC);
	if (is_offered(source, found) &&
	    is_shown(format, expt_metric(source->view, found)))
		return found;
	for (size_t i = 0; i < sizeof(then) / sizeof(*then); i++) {
		found = expt_metric_find(source->view, then[i]);
		if (found != EXPT_METRIC_NONE &&
		    is_shown(format, expt_metric(source->view, found)))
			return found;
	}
	return EXPT_METRIC_NONE;
}

static void add_all(struct source *source, const struct format *format)
{
	for (size_t i = 0; i < expt_metric_count(source->view); i++)
		if (is_offered(source, i) &&
		    is_shown(format, expt_metric(source->view, i)))
			add(source, i);
}

/* ---- by name ---- */

static void list_names(struct strbuf *text, const struct source *source,
		       const struct format *format)
{
	const char *separator = ": there are ";

	for (size_t i = 0; i < expt_metric_count(source->view); i++)
		if (is_offered(source, i) &&
		    is_shown(format, expt_metric(source->view, i))) {
			strbuf_printf(text, "%s%s", separator,
				      expt_metric(source->view, i)->name);
			separator = ", ";
		}
}

/* Returns the problem with what there is to choose from. */
static char *refuse(struct strbuf *problem, const struct source *source,
		    const struct format *format)
{
	char *refusal;

	list_names(problem, source, format);
	refusal = strbuf_steal(problem);
	strbuf_release(problem);
	return refusal ? refusal : choose_no_memory;
}

static char *add_named(struct source *source, const struct format *format,
		       const char *name)
{
	size_t metric = expt_metric_find(source->view, name);
	struct strbuf problem = STRBUF_INIT;

	if (strcasecmp(name, "all") == 0 && !format->has_one_metric) {
		add_all(source, format);
		return NULL;
	}
	if (metric == EXPT_METRIC_NONE) {
		strbuf_printf(&problem, "no data for metric '%s'", name);
	} else if (!is_shown(format, expt_metric(source->view, metric))) {
		strbuf_printf(&problem, "metric '%s' is not a time, as %s needs", name,
			      format->name);
	} else if (format->has_one_metric && source->metric_count > 0) {
		strbuf_printf(&problem, "%s has one metric only", format->name);
	} else {
		add(source, metric);
		return NULL;
	}
	return refuse(&problem, source, format);
}

static char *add_list(struct source *source, const struct format *format,
		      const char *list)
{
	char *problem = NULL;

	while (!problem) {
		size_t length = strcspn(list, ",:");
		char *name = strndup(list, length);

		problem = name ? add_named(source, format, name) : choose_no_memory;
		free(name);
		if (!list[length])
			break;
		list += length + 1;
	}
	return problem;
}

char *choose_metrics(struct source *source, const struct format *format, const char *list)
{
	size_t first = find_main(source, format);
	struct strbuf none = STRBUF_INIT;
	char *problem = NULL;

	if (list)
		problem = add_list(source, format, list);
	else if (!format->has_one_metric)
		add_all(source, format);
	else if (first != EXPT_METRIC_NONE)
		add(source, first);
	if (!problem && source->metric_count == 0) {
		strbuf_printf(&none, "no data that %s can show", format->name);
		return refuse(&none, source, format);
	}
	source->main_metric = list || !is_chosen(source, first) ? source->metrics[0]
								: first;
	return problem;
}
