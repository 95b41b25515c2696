/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of the tools interface of OpenMP 5.0 that the collector uses. Its header is in
 * a directory of the compiler's own, and not on every system.
 */
#ifndef COLLECTOR_OPENMP_OMPT_H
#define COLLECTOR_OPENMP_OMPT_H

#include <stdint.h>

/* A tool's own data of a region, task or thread; 0 at first. */
union ompt_data {
	uint64_t value;
	void *pointer;
};

struct ompt_frame {
	const void *exit, *enter; /* enter: the frame of the function of the runtime */
	int exit_flags, enter_flags;
};

typedef void ompt_function(void);
typedef ompt_function *ompt_lookup(const char *name);
typedef int ompt_set_callback(int which, ompt_function *callback);
typedef int ompt_get_state(uint64_t *wait);

struct ompt_tool {
	int (*initialize)(ompt_lookup *lookup, int device, union ompt_data *tool);
	void (*finalize)(union ompt_data *tool);
	union ompt_data data;
};

enum ompt_callback {
	OMPT_THREAD_BEGIN = 1,
	OMPT_PARALLEL_BEGIN = 3,
	OMPT_PARALLEL_END = 4,
	OMPT_TASK_CREATE = 5,
	OMPT_TASK_SCHEDULE = 6,
	OMPT_IMPLICIT_TASK = 7,
};

enum { OMPT_SCOPE_BEGIN = 1 };
enum { OMPT_TASK_INITIAL = 1, OMPT_TASK_EXPLICIT = 4 };

enum ompt_state {
	OMPT_WORK_SERIAL = 0,
	OMPT_WORK_PARALLEL = 1,
	OMPT_WORK_REDUCTION = 2,
	OMPT_WAIT_BARRIER = 0x10,
	OMPT_WAIT_BARRIER_IMPLICIT_PARALLEL = 0x11,
	OMPT_WAIT_BARRIER_IMPLICIT_WORKSHARE = 0x12,
	OMPT_WAIT_BARRIER_IMPLICIT = 0x13,
	OMPT_WAIT_BARRIER_EXPLICIT = 0x14,
	OMPT_WAIT_BARRIER_IMPLEMENTATION = 0x15,
	OMPT_WAIT_BARRIER_TEAMS = 0x16,
	OMPT_WAIT_TASKWAIT = 0x20,
	OMPT_WAIT_TASKGROUP = 0x21,
	OMPT_WAIT_MUTEX = 0x40,
	OMPT_WAIT_LOCK = 0x41,
	OMPT_WAIT_CRITICAL = 0x42,
	OMPT_WAIT_ATOMIC = 0x43,
	OMPT_WAIT_ORDERED = 0x44,
	OMPT_IDLE = 0x100,
	OMPT_OVERHEAD = 0x101,
};

#endif
