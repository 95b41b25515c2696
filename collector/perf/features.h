/* SPDX-License-Identifier: Apache-2.0 */
/* The sections at the end of a recording: machine, command, names of events, build-ids.
 */
#ifndef COLLECTOR_PERF_FEATURES_H
#define COLLECTOR_PERF_FEATURES_H

#include "collector/perf/recording.h"
#include "libexpt/format.h"

struct recorded_id {
	char *name;
	char build_id[BUILD_ID_MAX * 2 + 1];
};

struct features {
	char *host, *release, *version, *architecture;
	char **words; /* of the command perf */
	size_t word_count;
	uint32_t cpus;
	uint64_t memory_kb;
	struct recorded_id *ids; /* sorted by name */
	size_t id_count;
	bool has_clock; /* a moment by both clocks: */
	uint64_t wall_ns, clock_ns;
};

/* Read them; names of events go to the recording. Returns a status, after a message. */
int features_read(struct features *features, struct recording *recording);
void features_release(struct features *features);
/* Returns the build-id that was recorded for a file, or "". */
const char *features_build_id(const struct features *features, const char *name);
/* Write a build-id as text; "" if it has no bytes. */
void features_format_id(char text[BUILD_ID_MAX * 2 + 1], const unsigned char *bytes,
			size_t size);

#endif
