/* SPDX-License-Identifier: Apache-2.0 */
/* How the events of a recording become data of experiments. */
#ifndef COLLECTOR_PERF_PLAN_H
#define COLLECTOR_PERF_PLAN_H

#include "collector/perf/features.h"
#include "collector/perf/recording.h"

enum use { USE_NONE, USE_CLOCK, USE_COUNTER };

struct plan {
	struct use_of {
		enum use use;
		size_t counter;
	} * uses;	 /* by kind */
	char *names[16]; /* of counters */
};

/* Set the settings that the texts of experiments are made from. Returns a status, after a
 * message. */
int plan_make(struct plan *plan, const struct recording *recording);
void plan_release(struct plan *plan);

#endif
