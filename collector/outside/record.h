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
	uint32_t parent;   /* FORK: pid */
	bool is_in_kernel; /* SAMPLE */
	bool is_exec;	   /* COMM */
	unsigned source;   /* SAMPLE, LOST: the mark of its ring */
	bool is_out;	   /* SWITCH: the thread leaves the processor */
	bool is_preempted; /* SWITCH out: it would have gone on */
	uint32_t next_pid; /* SWITCH_CPU_WIDE out: the thread that comes */
	uint32_t next_tid;
	uint64_t pc;	     /* SAMPLE */
	const uint64_t *pcs; /* SAMPLE: leaf first, with the kernel's marks in between */
	size_t pc_count;
	/* SAMPLE of an event with RECORD_STACK_TYPE, of a user process: its registers in
	 * the order of the mask, or NULL, and the memory from its stack pointer on. */
	const uint64_t *registers;
	const char *stack;
	size_t stack_size;
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

/* In addition, the registers and a copy of the stack of a user process. */
#define RECORD_STACK_TYPE (PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)
/* In this order: ax bx cx dx si di bp sp ip, and r8 to r15. */
#define RECORD_REGISTERS	UINT64_C(0xff01ff)
#define RECORD_REGISTERS_COUNT	17
#define RECORD_REGISTERS_64_BIT 2 /* PERF_SAMPLE_REGS_ABI_64 */

/* Eight bits in the headers of samples that the kernel does not use: the ring's mark. */
#define RECORD_SOURCE_SHIFT 4
#define RECORD_SOURCE_MASK  0xffu

/* Offsets in a sample, of the number of frames in its call chain, and of what follows a
 * chain of so many: the kind of the registers; of what follows those, the size of the
 * stack. */
#define RECORD_CHAIN_AT 40
static inline size_t record_kind_at(uint64_t frames)
{
	return RECORD_CHAIN_AT + 8 + 8 * (size_t)frames;
}

static inline size_t record_stack_at(size_t kind_at, uint64_t kind)
{
	return kind_at + 8 + (kind != 0 ? 8 * RECORD_REGISTERS_COUNT : 0);
}

/* False: this is too short for a record. */
bool record_is_whole(const struct perf_event_header *header);
uint64_t record_time(const struct perf_event_header *header);
/* The record is valid as long as its bytes are. has_stack: samples have
 * RECORD_STACK_TYPE.
 */
void record_parse(struct perf_record *record, const struct perf_event_header *header,
		  bool has_stack);

#endif
