/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/kinds/conflicts.h"

/* ---- races ---- */

static const struct metric_form race_metrics[] = {
	{ "raccess", "Race Accesses", "Race Accesses", EXPT_UNIT_COUNT },
};

static bool offers_races(const struct kind_use *use, const struct expt *expt,
			 size_t metric)
{
	return expt_has_data(expt, EXPT_RACE);
}

static void measure_race(const struct expt_record *record, const struct gauge *gauge,
			 int64_t *values)
{
	expt_record_value(record, EXPT_RCNT, &values[0]);
}

uint64_t race_leaf(const struct expt_record *record)
{
	int64_t address = 0;

	expt_record_value(record, EXPT_LEAFPC, &address);
	return (uint64_t)address;
}

static uint64_t leaf_of_race(const struct expt_record *record, const struct gauge *gauge)
{
	return race_leaf(record);
}

const struct data_kind races_kind = {
	.data = EXPT_RACE,
	.metrics = race_metrics,
	.metric_count = sizeof(race_metrics) / sizeof(*race_metrics),
	.offers = offers_races,
	.measure = measure_race,
	.leaf = leaf_of_race,
	.adds_leaf = true,
};

/* ---- deadlocks ---- */

static const struct metric_form deadlock_metrics[] = {
	{ "deadlocks", "Deadlocks", "Deadlocks", EXPT_UNIT_COUNT },
};

static bool offers_deadlocks(const struct kind_use *use, const struct expt *expt,
			     size_t metric)
{
	return expt_has_data(expt, EXPT_DEADLOCK);
}

static void measure_deadlock(const struct expt_record *record, const struct gauge *gauge,
			     int64_t *values)
{
	values[0] = 1;
}

const struct data_kind deadlocks_kind = {
	.data = EXPT_DEADLOCK,
	.metrics = deadlock_metrics,
	.metric_count = sizeof(deadlock_metrics) / sizeof(*deadlock_metrics),
	.offers = offers_deadlocks,
	.measure = measure_deadlock,
};
