/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel's profile of a process and its descendants: an event and a ring for each
 * processor, enabled by the next exec of a thread. Records are given out in the order of
 * time.
 */
#ifndef COLLECTOR_SAMPLER_PERF_H
#define COLLECTOR_SAMPLER_PERF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct perf {
	struct perf_ring {
		int fd;
		struct perf_event_mmap_page *page;
	} * rings;
	size_t count;	     /* number of rings */
	size_t ring_size;    /* data bytes of each ring */
	bool sees_no_kernel; /* kernel time is counted, but gives no samples */
	/* Records taken from the rings and not yet given out. */
	char *bytes;
	struct perf_entry {
		uint64_t time_ns;
		size_t at, order;
	} * entries;
	size_t length, room, entry_count, entry_room, given;
};

struct perf_record {
	uint32_t type;	  /* PERF_RECORD_... */
	uint64_t time_ns; /* by the clock of collector_now() */
	uint32_t pid, tid, cpu;
	uint32_t parent;     /* FORK: pid */
	bool is_in_kernel;   /* SAMPLE */
	bool is_exec;	     /* COMM */
	const uint64_t *pcs; /* SAMPLE: leaf first, with the kernel's marks in between */
	size_t pc_count;
	uint64_t address, size, file_offset; /* MMAP2 */
	uint64_t device, inode;		     /* of the mapped file */
	const char *name;		     /* MMAP2, COMM */
	uint64_t value; /* LOST: records; READ: CPU time of a thread in nanoseconds */
};

/* Returns 0, or a negative errno. */
int perf_open(struct perf *perf, pid_t thread, uint64_t period_ns);
void perf_close(struct perf *perf);

/* Wait until rings fill up, at most limit_ms. False: no process is left. */
bool perf_wait(struct perf *perf, int limit_ms);
/* Move all records out of the rings. */
void perf_collect(struct perf *perf);
/* Get the next record older than before_ns. It is valid until perf_collect(). */
bool perf_next(struct perf *perf, uint64_t before_ns, struct perf_record *record);
/* Returns the CPU time of all processes, in nanoseconds. */
uint64_t perf_total(const struct perf *perf);

#endif
