/* SPDX-License-Identifier: Apache-2.0 */
#include "er_print/rows/accesses.h"

#include <inttypes.h>

#include "er_print/table/number_text.h"
#include "libexpt/base/number.h"

void accesses_choose(const struct session *session, struct accesses *accesses)
{
	const struct metric_list *list = &session->data_metrics;

	accesses->count = 0;
	for (size_t i = 0; i < list->count; i++)
		if (list->columns[i].kind == COLUMN_METRIC)
			accesses->metrics[accesses->count++] = list->columns[i].metric;
}

void accesses_choose_all(const struct session *session, struct accesses *accesses)
{
	accesses->count = 0;
	for (size_t i = 0; i < expt_metric_count(session->view); i++)
		if (expt_metric(session->view, i)->has_data_objects &&
		    accesses->count < METRIC_COLUMNS_MAX)
			accesses->metrics[accesses->count++] = i;
}

int64_t accesses_value(const struct accesses *accesses, size_t trace, size_t metric)
{
	int64_t sum = 0;

	if (trace != ACCESSES_TOTAL)
		return expt_trace_accesses(accesses->traces, trace, metric);
	for (size_t i = 0; i < expt_traces_count(accesses->traces); i++)
		add_saturated(&sum, expt_trace_accesses(accesses->traces, i, metric));
	return sum;
}

bool accesses_are_any(const struct accesses *accesses, size_t trace)
{
	for (size_t i = 0; i < accesses->count; i++)
		if (accesses_value(accesses, trace, accesses->metrics[i]) != 0)
			return true;
	return false;
}

void accesses_add(const struct session *session, const struct accesses *accesses,
		  size_t trace, struct strbuf *text)
{
	for (size_t i = 0; i < accesses->count; i++) {
		struct metric_column column = { .metric = accesses->metrics[i],
						.flavor = 'd' };
		int64_t value = accesses_value(accesses, trace, column.metric);
		char title[METRIC_TEXT_SIZE], number[32];

		metric_column_title(session, title, &column);
		if (expt_metric(session->view, column.metric)->unit == EXPT_UNIT_TIME)
			format_seconds(number, sizeof(number), value);
		else
			snprintf(number, sizeof(number), "%" PRId64, value);
		strbuf_printf(text, ", %s%s = %s",
			      trace == ACCESSES_TOTAL ? "Total " : "", title, number);
	}
}

size_t accesses_sort_metric(const struct session *session,
			    const struct accesses *accesses)
{
	const struct metric_column *sort = &session->data_metrics.sort;

	if (sort->kind == COLUMN_METRIC)
		return sort->metric;
	return accesses->count > 0 ? accesses->metrics[0] : EXPT_METRIC_NONE;
}

int access_keys_compare(const struct access_key *a, const struct access_key *b,
			bool is_reversed)
{
	if (a->value != b->value)
		return (a->value > b->value) != is_reversed ? -1 : 1;
	return a->trace < b->trace ? -1 : a->trace > b->trace;
}
