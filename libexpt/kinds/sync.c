/* SPDX-License-Identifier: Apache-2.0 */
/* Synchronization tracing: every record is a wait, from its request to its end. */
#include "libexpt/kinds/sync.h"

static const struct metric_form metrics[] = {
	{ "sync", "Sync Wait Time", "Sync Wait", EXPT_UNIT_TIME },
	{ "syncn", "Sync Wait Count", "Sync Wait Count", EXPT_UNIT_COUNT },
};

static bool offers(const struct kind_use *use, const struct expt *expt, size_t metric)
{
	return expt_has_data(expt, EXPT_SYNC);
}

static void measure(const struct expt_record *record, const struct gauge *gauge,
		    int64_t *values)
{
	int64_t start, end, time_ns;

	if (expt_record_value(record, EXPT_SRQST, &start) &&
	    expt_record_value(record, EXPT_TSTAMP, &end) &&
	    !__builtin_sub_overflow(end, start, &time_ns))
		values[0] = time_ns;
	values[1] = 1;
}

const struct data_kind sync_kind = {
	.data = EXPT_SYNC,
	.metrics = metrics,
	.metric_count = sizeof(metrics) / sizeof(*metrics),
	.offers = offers,
	.measure = measure,
};
