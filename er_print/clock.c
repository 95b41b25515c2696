/* SPDX-License-Identifier: Apache-2.0 */
/* Clock profiling: ticks of threads by state, each worth the profiling interval. */
#include "er_print/clock.h"

/* Metrics in the order shown; states[] has the states that count for each. */
static const struct metric metrics[] = {
	[CLOCK_TOTAL] = { "total", "Total Thread Time", "Total Thread", METRIC_TIME },
	[CLOCK_TOTAL_CPU] = { "totalcpu", "Total CPU Time", "Total CPU", METRIC_TIME },
	{ "user", "User CPU Time", "User CPU", METRIC_TIME },
	{ "system", "System CPU Time", "Sys. CPU", METRIC_TIME },
	{ "trap", "Trap CPU Time", "Trap CPU", METRIC_TIME },
	{ "datapfault", "Data Page Fault Time", "Data Fault", METRIC_TIME },
	{ "textpfault", "Text Page Fault Time", "Text Fault", METRIC_TIME },
	{ "kernelpfault", "Kernel Page Fault Time", "Kernel Page Fault", METRIC_TIME },
	{ "stop", "Stopped Time", "Stopped", METRIC_TIME },
	{ "wait", "Wait CPU Time", "Wait CPU", METRIC_TIME },
	{ "sleep", "Sleep Time", "Sleep", METRIC_TIME },
	{ "lock", "User Lock Time", "User Lock", METRIC_TIME },
	{ "kcpu", "Kernel CPU Time", "Kernel CPU", METRIC_TIME },
};
#define METRIC_COUNT_OF_CLOCK (sizeof(metrics) / sizeof(*metrics))

#define BIT(state) (1u << (state))
#define CPU_STATES                                                              \
	(BIT(EXPT_STATE_USER) | BIT(EXPT_STATE_SYSTEM) | BIT(EXPT_STATE_TRAP) | \
	 BIT(EXPT_STATE_LINUX_CPU))

static const unsigned states[] = {
	BIT(EXPT_STATE_STOPPED + 1) - 1, /* all states of threads */
	CPU_STATES,
	BIT(EXPT_STATE_USER),
	BIT(EXPT_STATE_SYSTEM),
	BIT(EXPT_STATE_TRAP),
	BIT(EXPT_STATE_DATA_FAULT),
	BIT(EXPT_STATE_TEXT_FAULT),
	BIT(EXPT_STATE_KERNEL_FAULT),
	BIT(EXPT_STATE_STOPPED),
	BIT(EXPT_STATE_WAIT_CPU),
	BIT(EXPT_STATE_SLEEP),
	BIT(EXPT_STATE_USER_LOCK),
	BIT(EXPT_STATE_KERNEL_CPU),
};

/* The recorder's numstates implies which states it can tell apart. */
static bool offers(const struct expt *expt, const struct metric *metric)
{
	unsigned counted = states[metric - metrics];

	if (!expt_has_data(expt, EXPT_CLOCK))
		return false;
	switch (expt_clock_states(expt)) {
	case 1:
		return counted == CPU_STATES;
	case 2:
		return counted == CPU_STATES || counted == BIT(EXPT_STATE_USER) ||
		       counted == BIT(EXPT_STATE_SYSTEM);
	case 3:
		return counted == BIT(EXPT_STATE_KERNEL_CPU);
	case 10:
		return counted != BIT(EXPT_STATE_KERNEL_CPU);
	default:
		return false;
	}
}

/* Returns the nanoseconds of a tick. */
static int64_t scale(const struct expt *expt)
{
	int64_t ns;

	if (__builtin_mul_overflow(expt_clock_period_us(expt), 1000, &ns))
		return 0;
	return ns;
}

static void measure(const struct expt_record *record, int64_t scale, int64_t *values)
{
	int64_t state = EXPT_STATE_USER, ticks = 0, time_ns;

	expt_record_value(record, EXPT_MSTATE, &state);
	expt_record_value(record, EXPT_NTICK, &ticks);
	if (state < 0 || state > EXPT_STATE_KERNEL_CPU)
		return;
	if (__builtin_mul_overflow((int64_t)(uint32_t)ticks, scale, &time_ns))
		return;
	for (size_t i = 0; i < METRIC_COUNT_OF_CLOCK; i++)
		if (states[i] & BIT(state))
			add_saturated(&values[i], time_ns);
}

const struct data_kind clock_kind = {
	.data = EXPT_CLOCK,
	.metrics = metrics,
	.metric_count = METRIC_COUNT_OF_CLOCK,
	.offers = offers,
	.scale = scale,
	.measure = measure,
};
