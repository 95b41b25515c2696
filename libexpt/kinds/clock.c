/* SPDX-License-Identifier: Apache-2.0 */
/* Clock profiling: ticks of threads by state, each worth the profiling interval. */
#include "libexpt/kinds/clock.h"

#include "libexpt/experiment/records.h"

/* Metrics in the order shown; states[] has the states that count for each. */
static const struct metric_form metrics[] = {
	[CLOCK_TOTAL] = { "total", "Total Thread Time", "Total Thread", EXPT_UNIT_TIME },
	[CLOCK_TOTAL_CPU] = { "totalcpu", "Total CPU Time", "Total CPU", EXPT_UNIT_TIME },
	{ "user", "User CPU Time", "User CPU", EXPT_UNIT_TIME },
	{ "system", "System CPU Time", "Sys. CPU", EXPT_UNIT_TIME },
	{ "trap", "Trap CPU Time", "Trap CPU", EXPT_UNIT_TIME },
	{ "datapfault", "Data Page Fault Time", "Data Fault", EXPT_UNIT_TIME },
	{ "textpfault", "Text Page Fault Time", "Text Fault", EXPT_UNIT_TIME },
	{ "kernelpfault", "Kernel Page Fault Time", "Kernel Page Fault", EXPT_UNIT_TIME },
	{ "stop", "Stopped Time", "Stopped", EXPT_UNIT_TIME },
	{ "wait", "Wait CPU Time", "Wait CPU", EXPT_UNIT_TIME },
	{ "sleep", "Sleep Time", "Sleep", EXPT_UNIT_TIME },
	{ "lock", "User Lock Time", "User Lock", EXPT_UNIT_TIME },
	{ "kcpu", "Kernel CPU Time", "Kernel CPU", EXPT_UNIT_TIME },
};
#define CLOCK_METRICS (sizeof(metrics) / sizeof(*metrics))

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
static bool offers(const struct kind_use *use, const struct expt *expt, size_t metric)
{
	unsigned counted = states[metric];

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

/* The scale is the nanoseconds of a tick. */
static void begin(struct gauge *gauge, const struct kind_use *use,
		  const struct expt *expt)
{
	if (__builtin_mul_overflow(expt_clock_period_us(expt), 1000, &gauge->scale))
		gauge->scale = 0;
}

/* The classes are the states. */
static uint32_t weigh(const struct expt_record *record, const struct gauge *gauge,
		      int64_t *time_ns)
{
	int64_t state = EXPT_STATE_USER, ticks = 0;

	record_value(record, EXPT_MSTATE, &state);
	record_value(record, EXPT_NTICK, &ticks);
	if (state < 0 || state > EXPT_STATE_KERNEL_CPU ||
	    __builtin_mul_overflow((int64_t)(uint32_t)ticks, gauge->scale, time_ns))
		return 0;
	return BIT(state);
}

const struct data_kind clock_kind = {
	.data = EXPT_CLOCK,
	.metrics = metrics,
	.metric_count = CLOCK_METRICS,
	.is_sampled = true,
	.offers = offers,
	.begin = begin,
	.weigh = weigh,
	.classes = states,
};
