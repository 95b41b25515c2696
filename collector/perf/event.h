/* SPDX-License-Identifier: Apache-2.0 */
/* A record of a recording, as its event lays it out. */
#ifndef COLLECTOR_PERF_EVENT_H
#define COLLECTOR_PERF_EVENT_H

#include "collector/outside/record.h"
#include "collector/perf/recording.h"
#include "libexpt/format.h"

/* Types of records that perf itself adds, as far as they matter here. */
enum {
	PERF_TYPE_TRACING_DATA = 66, /* further bytes follow it */
	PERF_TYPE_AUXTRACE = 71,
	PERF_TYPE_THREAD_MAP = 73,
	PERF_TYPE_COMPRESSED = 81,
	PERF_TYPE_COMPRESSED2 = 83,
	PERF_TYPE_USER = 64 /* the first of all */
};

struct event {
	struct perf_record record;
	unsigned kind; /* kind_count: unknown */
	unsigned mode; /* PERF_RECORD_MISC_KERNEL ... */
	bool has_code; /* of a mapping */
	uint64_t period;
	bool is_cut; /* the stack is longer than its copy */
	char build_id[BUILD_ID_MAX * 2 + 1];
	uint64_t registers[RECORD_REGISTERS_COUNT];
};

/* Where a record lies. */
struct place {
	uint64_t offset;
	bool is_spooled;
};

/* Parse a record, header and all, whose bytes are aligned, and to which the event then
 * refers. Returns a status, after a message. */
int event_parse(struct event *event, const struct recording *recording,
		const struct perf_event_header *header, struct place place);
/* Returns whether records have times at all. */
bool event_kinds_have_times(const struct recording *recording);

#endif
