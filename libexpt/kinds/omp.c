/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Time in OpenMP is that of clock samples whose stacks have a state of OpenMP. A thread
 * that could work but has no CPU waits; the peer counts all time of a Linux thread so,
 * which on Linux is CPU time.
 */
#include "libexpt/kinds/omp.h"

enum { OMP_WORK, OMP_WAIT, OMP_OVERHEAD, OMP_METRICS };

static const struct metric_form metrics[] = {
	[OMP_WORK] = { "ompwork", "OpenMP Work Time", "OMP Work", EXPT_UNIT_TIME },
	[OMP_WAIT] = { "ompwait", "OpenMP Wait Time", "OMP Wait", EXPT_UNIT_TIME },
	[OMP_OVERHEAD] = { "ompovhd", "OpenMP Overhead Time", "OMP ovhd.",
			   EXPT_UNIT_TIME },
};

static const unsigned char states[] = {
	[EXPT_OMP_NONE] = OMP_WORK,
	[EXPT_OMP_OVERHEAD] = OMP_OVERHEAD,
	[EXPT_OMP_WORK] = OMP_WORK,
	[EXPT_OMP_IMPLICIT_BARRIER] = OMP_WAIT,
	[EXPT_OMP_EXPLICIT_BARRIER] = OMP_WAIT,
	[EXPT_OMP_IDLE] = OMP_WAIT,
	[EXPT_OMP_SERIAL] = OMP_WORK,
	[EXPT_OMP_REDUCTION] = OMP_WORK,
	[EXPT_OMP_LOCK_WAIT] = OMP_WAIT,
	[EXPT_OMP_CRITICAL_WAIT] = OMP_WAIT,
	[EXPT_OMP_ORDERED_WAIT] = OMP_WAIT,
	[EXPT_OMP_ATOMIC_WAIT] = OMP_WAIT,
	[EXPT_OMP_TASK_WAIT] = OMP_WAIT,
};

static bool offers(const struct kind_use *use, const struct expt *expt, size_t metric)
{
	return expt_has_data(expt, EXPT_OMP) && expt_has_data(expt, EXPT_CLOCK);
}

/* The scale is the nanoseconds of a tick; own is the experiment, for its stacks. */
static void begin(struct gauge *gauge, const struct kind_use *use,
		  const struct expt *expt)
{
	if (__builtin_mul_overflow(expt_clock_period_us(expt), 1000, &gauge->scale))
		gauge->scale = 0;
	gauge->own = expt;
}

/* Looking up a stack changes nothing that callers see. */
static uint32_t omp_state(const struct expt_record *record, const struct gauge *gauge)
{
	struct expt *expt = (struct expt *)(uintptr_t)gauge->own;
	struct expt_omp_stack omp;

	return expt_omp_stack(expt, record->stack, &omp, NULL) > 0 ? omp.state
								   : EXPT_OMP_NONE;
}

static uint32_t weigh(const struct expt_record *record, const struct gauge *gauge,
		      int64_t *time_ns)
{
	uint32_t state = omp_state(record, gauge);
	int64_t thread_state = EXPT_STATE_USER, ticks = 0;
	unsigned metric;

	expt_record_value(record, EXPT_MSTATE, &thread_state);
	expt_record_value(record, EXPT_NTICK, &ticks);
	if (state >= sizeof(states) ||
	    __builtin_mul_overflow((int64_t)(uint32_t)ticks, gauge->scale, time_ns))
		return 0;
	metric = states[state];
	if (metric == OMP_WORK && thread_state != EXPT_STATE_USER &&
	    thread_state != EXPT_STATE_LINUX_CPU)
		metric = OMP_WAIT;
	return UINT32_C(1) << metric;
}

const struct data_kind omp_kind = {
	.data = EXPT_OMP,
	.metrics = metrics,
	.metric_count = OMP_METRICS,
	.is_sampled = true,
	.measures_clock = true,
	.offers = offers,
	.begin = begin,
	.weigh = weigh,
};
