/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the collector keeps for each thread. Records are never freed: the next thread goes
 * on with the record of one that has ended, its half-filled blocks and its table of known
 * stacks.
 */
#ifndef COLLECTOR_THREAD_H
#define COLLECTOR_THREAD_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "collector/common/settings.h"
#include "collector/files/blocks.h"
#include "collector/files/files.h"
#include "collector/files/output.h"
#include "collector/threads/stack_id.h"
#include "collector/unwind/unwind.h"
#include "libexpt/format.h"

#define THREAD_ROOT_FRAMES 4
#define NOTED_PATH_SIZE	   256

/* sources/overflow.c: a kernel event, which its mapping keeps alive. */
struct overflow {
	_Atomic(void *) ring; /* NULL: none */
};

struct thread {
	struct thread *next;	  /* in the list of all records */
	struct thread *next_free; /* in the list of free ones */
	_Atomic bool is_live;
	_Atomic bool is_handling;
	pid_t tid;
	pthread_t id;
	_Atomic bool is_paused; /* by the program */
	_Atomic uint64_t resumed_ns;
	uintptr_t call_frame; /* of the traced call under way; 0: there is none */
	bool is_borrowed;     /* for that call only */
	/* For calls of a handler that interrupts one, and back. */
	struct thread *nested, *outer;
	struct unwind_bounds stack;

	/* clock.c */
	int timer;				 /* the kernel's number; -1: none */
	int timer_signal;			 /* SIGPROF, or SIGNAL_QUIET */
	uint64_t first_tick_ns, ticks_delivered; /* first: by the thread's CPU clock */
	_Atomic uint64_t settled_ns; /* of that clock: recorded up to here, or never */
	_Atomic uint64_t
		deferred_ns;	    /* settled, and to be recorded with the next event */
	_Atomic uint64_t kernel_ns; /* the same, once the thread is met in the kernel */
	uint64_t past_ns;	    /* of that clock: used before the collector began */
	uint64_t system_ns;	    /* of the time that was taken last */
	int mode_timer;		    /* like timer, for cpu_mode_ask() only */
	uint64_t last_stack;

	/* cpu_mode.c */
	struct cpu_mode {
		uint64_t user_ns,
			all_ns; /* in the kernel's ticks, at the last question */
		uint64_t share;
		bool is_mixed;
	} mode;

	/* fine_clock.c */
	struct overflow fine_clock;
	uint64_t fine_period_ns;
	uint64_t fine_count_ns; /* that the event had counted when it was last met */
	unsigned starting; /* events left to the thread's beginning; see fine_clock.h */
	uint64_t switches; /* to other threads, at the last review */
	unsigned calm_reviews;

	/* counters.c */
	struct overflow counters[COUNTERS_MAX];
	uint64_t counted[COUNTERS_MAX]; /* at the last overflow */

	/* events.c: the system call during which one of those came that a signal stands
	 * for. */
	uint64_t call;

	/* vfork.c: the vfork in progress, for the child that shares this memory, which
	 * counts its execs and notes the last one that has failed. */
	unsigned vfork_number, vfork_execs;
	struct {
		unsigned exec; /* 0: none has */
		int error;
		const char *variant;
		char path[NOTED_PATH_SIZE];
	} vfork_failure;

	/* signals.c: how many signals of the program came. */
	_Atomic unsigned delivered;
	/* signals.c: of the hidden ones, those that the thread blocks, as far as it
	 * knows. */
	_Atomic uint64_t blocked;

	struct cursor data[DATA_COUNT];
	/* A handler may interrupt a traced call of its thread: each writes stacks of its
	 * own. */
	struct stack_writer in_handler, in_call;

	/* How the thread began, for time that is recorded at its end. */
	void *(*start)(void *);
	int (*start_c11)(void *);
	void *argument;
	uint64_t root[THREAD_ROOT_FRAMES];
	size_t root_count;
};

/* Of the calling thread; NULL: it is not recorded. */

/* Once, in the main thread. */
bool thread_init(void);
struct thread *thread_first(void); /* of all records, by ->next */
/* The calling thread's record is gone since its end; it may have one for a call. */
bool thread_is_over(void);
struct thread *thread_borrow(void);
/* One for a call in a handler that has interrupted a call of outer's: its blocks, its
 * stacks. */
struct thread *thread_borrow_nested(struct thread *outer);
void thread_return(struct thread *thread);
/* The call may have been left by a jump, and those nested in it; who goes on none the
 * less returns his. */
void thread_leave_nested(struct thread *outer);
/* In the child of fork: the only thread left is the caller. */
void thread_after_fork(void);

/* Whether the program has paused all threads, or this one. */
bool collector_is_paused(const struct thread *thread);
/* Recording, and not paused. */
bool collector_takes_events(const struct thread *thread);
/* The same for an event of that time, which may be older than the end of a pause. Ask
 * this after the time is taken, so that no event seems to be in a pause. */
bool collector_takes_event_at(const struct thread *thread, uint64_t time);

#endif
