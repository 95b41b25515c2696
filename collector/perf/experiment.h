/* SPDX-License-Identifier: Apache-2.0 */
/* The experiment of an image: its files. */
#ifndef COLLECTOR_PERF_EXPERIMENT_H
#define COLLECTOR_PERF_EXPERIMENT_H

#include "collector/outside/outputs.h"
#include "collector/perf/features.h"
#include "collector/perf/images.h"
#include "collector/perf/kernel_code.h"
#include "collector/perf/plan.h"
#include "collector/perf/shared.h"

/* What all experiments of a recording have in common. */
struct experiments {
	int directory; /* the founder's */
	struct images *images;
	const struct features *features;
	const struct plan *plan;
	struct kernel_code *kernel;
	char os[128];
	const char *command;	 /* of the founder */
	const char *source;	 /* a comment: where it comes from */
	const char *warnings[4]; /* for the founder; ends with NULL */
	int64_t start_seconds;
	uint64_t written, most;	  /* bytes */
	uint64_t made, most_made; /* files and directories */
};

struct experiment {
	struct experiments *all;
	const struct image *image; /* NULL: a founder that is no process */
	uint64_t start_ns;
	struct outputs outputs;
	uint64_t rest_ns; /* less than a microsecond */
	uint64_t user_us, system_us;
};

/* Make the files. Returns a status, after a message. */
int experiment_open(struct experiment *experiment, struct experiments *all,
		    const struct image *image);
int experiment_close(struct experiment *experiment);
/* Write what is in memory, if it is much. Returns a status, after a message. */
int experiment_flush(struct experiment *experiment);

void experiment_map(struct experiment *experiment, const struct mapping *mapping,
		    uint64_t now_ns);
void experiment_take(struct experiment *experiment, const struct event *event,
		     const struct mappings *mappings);

#endif
