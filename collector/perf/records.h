/* SPDX-License-Identifier: Apache-2.0 */
/* All records of a recording, in the order of time. */
#ifndef COLLECTOR_PERF_RECORDS_H
#define COLLECTOR_PERF_RECORDS_H

#include "collector/perf/event.h"

struct found {
	uint64_t time_ns;
	uint64_t offset; /* and in the highest bit, whether it is in the spool */
	uint32_t image;	 /* set later */
	uint32_t unused;
};

struct records {
	struct recording *recording;
	struct found *items;
	size_t count, room;
	bool is_system_wide;	  /* all processes of the machine were recorded */
	uint64_t lost;		  /* by the kernel */
	const volatile int *stop; /* set if the user interrupts */
	char *bytes;		  /* of the present record, aligned */
};

/* Find and order them. directory: where space for decompressed records is; -1: any.
 * Returns a status, after a message. */
int records_read(struct records *records, struct recording *recording, int directory,
		 const volatile int *stop);
void records_release(struct records *records);
/* Parse one. The event is valid until the next one. Returns a status, after a message. */
int records_parse(struct records *records, const struct found *found,
		  struct event *event);

#endif
