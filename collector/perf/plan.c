/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/perf/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/common/settings.h"
#include "libexpt/cli/cli.h"

#define US_PER_SECOND 1000000
#define NS_PER_US     1000
#define PERIOD_MAX_US (60 * US_PER_SECOND)

static bool is_software(const struct perf_event_attr *attr, uint64_t config)
{
	return attr->type == PERF_TYPE_SOFTWARE && attr->config == config;
}

static bool is_clock(const struct perf_event_attr *attr)
{
	return is_software(attr, PERF_COUNT_SW_CPU_CLOCK) ||
	       is_software(attr, PERF_COUNT_SW_TASK_CLOCK);
}

static void set_period(const struct perf_event_attr *attr)
{
	uint64_t period = 0;

	if (!attr->freq)
		period = attr->sample_period / NS_PER_US;
	else if (attr->sample_freq > 0)
		period = US_PER_SECOND / attr->sample_freq;
	settings.period_us = (uint32_t)(period == 0		 ? 1
					: period > PERIOD_MAX_US ? PERIOD_MAX_US
								 : period);
}

/* ---- counters ---- */

/* The name is a word of er_print's lists of metrics, too. Returns it, to be freed, or
 * NULL. */
static char *name_of(const struct event_kind *kind)
{
	char *name;

	if (!kind->name || !*kind->name)
		return asprintf(&name, "event-%u-0x%llx", kind->attr.type,
				(unsigned long long)kind->attr.config) < 0
			       ? NULL
			       : name;
	name = strdup(kind->name);
	for (char *at = name; at && *at; at++)
		if ((unsigned char)*at <= ' ' || (unsigned char)*at >= 0x7f ||
		    strchr("\"'<>&\\`*?|;", *at))
			*at = '_';
	return name;
}

static int add_counter(struct plan *plan, const struct event_kind *kind,
		       struct use_of *use)
{
	size_t counter = settings.counter_count;
	const struct perf_event_attr *attr = &kind->attr;
	char *name;

	if (counter == sizeof(plan->names) / sizeof(plan->names[0]))
		return cli_error("more than %zu events are not supported", counter);
	name = name_of(kind);
	if (!name)
		return cli_error("out of memory");
	plan->names[counter] = name;
	settings.counters[counter] = (struct counter){
		.name = name,
		.internal = name,
		.type = PERF_TYPE_SOFTWARE,
		.period = attr->freq || attr->sample_period > INT64_MAX
				  ? 1
				  : attr->sample_period,
	};
	settings.counter_count++;
	*use = (struct use_of){ USE_COUNTER, counter };
	return CLI_OK;
}

/* perf adds an event for records of processes, which counts nothing. */
static bool is_dummy(const struct event_kind *kind)
{
	return is_software(&kind->attr, PERF_COUNT_SW_DUMMY) && kind->samples == 0;
}

int plan_make(struct plan *plan, const struct recording *recording)
{
	bool has_clock = false;
	int status = CLI_OK;

	*plan = (struct plan){ 0 };
	plan->uses = calloc(recording->kind_count, sizeof(*plan->uses));
	if (!plan->uses)
		return cli_error("out of memory");
	settings = (struct settings){ .follow = 1, .depth = 256 };
	for (size_t i = 0; i < recording->kind_count && status == CLI_OK; i++) {
		const struct event_kind *kind = &recording->kinds[i];

		if (is_dummy(kind))
			continue;
		/* One clock has the time; another one would double it. */
		if (is_clock(&kind->attr) && !has_clock) {
			has_clock = true;
			plan->uses[i].use = USE_CLOCK;
			set_period(&kind->attr);
		} else {
			status = add_counter(plan, kind, &plan->uses[i]);
		}
	}
	return status;
}

void plan_release(struct plan *plan)
{
	for (size_t i = 0; i < sizeof(plan->names) / sizeof(plan->names[0]); i++)
		free(plan->names[i]);
	free(plan->uses);
}
