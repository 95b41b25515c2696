/* SPDX-License-Identifier: Apache-2.0 */
#include "er_print/metrics.h"

#include "er_print/session.h"

const struct data_kind *const *data_kinds;

size_t metric_base(size_t kind)
{
	size_t base = 0;

	for (size_t i = 0; i < kind; i++)
		base += data_kinds[i]->metric_count;
	return base;
}

size_t metric_base_of(const struct data_kind *kind)
{
	size_t i = 0;

	while (data_kinds[i] != kind)
		i++;
	return metric_base(i);
}

size_t metric_count(void)
{
	return metric_base(KIND_COUNT);
}

static const struct data_kind *kind_of(size_t index, size_t *within)
{
	size_t kind = 0;

	while (index >= data_kinds[kind]->metric_count)
		index -= data_kinds[kind++]->metric_count;
	*within = index;
	return data_kinds[kind];
}

const struct metric *metric_at(size_t index)
{
	size_t within;
	const struct data_kind *kind = kind_of(index, &within);

	return &kind->metrics[within];
}

bool metric_is_offered(const struct session *session, size_t index)
{
	size_t within;
	const struct data_kind *kind = kind_of(index, &within);

	for (size_t i = 0; i < session->members.count; i++)
		if (kind->offers(session->members.items[i].expt, &kind->metrics[within]))
			return true;
	return false;
}
