/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel's records, as the events of rings.h write them. */
#ifndef COLLECTOR_OUTSIDE_RECORD_H
#define COLLECTOR_OUTSIDE_RECORD_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perf_record {
	uint32_t type;	  /* PERF_RECORD_... */
	uint64_t time_ns; /* by the clock of collector_now() */
	uint32_t pid, tid, cpu;
	uint32_t parent;     /* FORK: pid */
	bool is_in_kernel;   /* SAMPLE */
	bool is_exec;	     /* COMM */
	uint64_t pc;	     /* SAMPLE */
	const uint64_t *pcs; /* SAMPLE: leaf first, with the kernel's marks in between */
	size_t pc_count;
	uint64_t address, size, file_offset; /* MMAP2 */
	uint64_t device, inode;		     /* of the mapped file */
	const char *name;		     /* MMAP2, COMM */
	uint64_t value; /* LOST: records; READ: CPU time of a thread in nanoseconds */
};

/* The event's attributes that all records here have: time, process, thread and processor,
 * in samples also the instruction and a call chain. */
#define RECORD_SAMPLE_TYPE                                                       \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | \
	 PERF_SAMPLE_CALLCHAIN)

/* False: this is too short for a record. */
bool record_is_whole(const struct perf_event_header *header);
uint64_t record_time(const struct perf_event_header *header);
/* The record is valid as long as its bytes are. */
void record_parse(struct perf_record *record, const struct perf_event_header *header);

#endif
