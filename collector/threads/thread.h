/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The collector's record of each thread. Records are never freed: a new thread takes over
 * the record of one that has ended, with its half-filled blocks and its table of known
 * stacks.
 */
#ifndef COLLECTOR_THREADS_THREAD_H
#define COLLECTOR_THREADS_THREAD_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "collector/base/system.h"
#include "collector/common/settings.h"
#include "collector/files/blocks.h"
#include "collector/files/files.h"
#include "collector/files/output.h"
#include "collector/process/guard.h"
#include "collector/threads/openmp.h"
#include "collector/threads/stack_id.h"
#include "collector/unwind/unwind.h"
#include "libexpt/format.h"

#define THREAD_ROOT_FRAMES 4
#define NOTED_PATH_SIZE	   256

/* signals/overflow.c: a kernel event, which its mapping keeps alive. */
struct overflow {
	_Atomic(void *) ring; /* NULL: none */
};

struct thread {
	struct thread *next;	  /* in the list of all records */
	struct thread *next_free; /* in the list of free ones */
	_Atomic bool is_live;
	_Atomic bool is_handling;
	_Atomic uint64_t life; /* see life.h */
	uint64_t created_ns;   /* the begin of the present one */
	pid_t tid;	       /* 0: it has not run yet */
	pthread_t id;
	_Atomic bool is_paused; /* by the program */
	_Atomic uint64_t resumed_ns;
	uintptr_t call_frame;  /* frame of the traced call under way, or 0 */
	uintptr_t other_stack; /* trace.c: where it last ran outside its own stack */
	bool is_borrowed;      /* for a single call only */
	unsigned recording;    /* the one it belongs to; see thread_is_stale() */
	/* existing.c: the thread does not use the record yet; timer that has it begin */
	bool is_awaited;
	int awaiting;
	_Atomic bool is_asked; /* adopt.c: a last signal is on its way */
	/* The record of a call in a handler that interrupts a call, and the way back */
	struct thread *nested, *outer;
	struct unwind_bounds stack;

	/* wait_cpu.c: time waiting for a processor of the threads that ended, and of the
	 * present one when it was last asked about */
	struct {
		_Atomic uint64_t ended_ns;
		uint64_t last_ns, last_life;
	} wait_cpu;

	/* clock.c */
	int timer;	  /* the kernel's number; -1: none */
	int timer_signal; /* SIGPROF, or SIGNAL_QUIET */
	unsigned put_off; /* adopt.c: how often it was found in a handler */
	uint64_t first_tick_ns, ticks_delivered; /* the first on the thread's CPU clock */
	_Atomic uint64_t settled_ns; /* on that clock: all up to here is recorded, or
				      * never will be */
	_Atomic uint64_t
		deferred_ns;	    /* settled, but to be recorded with the next event */
	_Atomic uint64_t kernel_ns; /* the same, for when the thread is next met in the
				     * kernel */
	uint64_t past_ns;	    /* on that clock: used before the collector began */
	uint64_t system_ns;	    /* system time at the last reading */
	int mode_timer;		    /* like timer, but for cpu_mode_ask() only */
	uint64_t last_stack;
	unsigned long_events; /* events whose own time has been asked for */

	/* cpu_mode.c */
	struct cpu_mode {
		uint64_t user_ns, all_ns; /* in kernel ticks, at the last query */
		uint64_t share;
		bool is_mixed;
	} mode;

	/* fine_clock.c */
	struct overflow fine_clock;
	uint64_t fine_period_ns;
	uint64_t fine_count_ns; /* count of the event when it was last read */
	unsigned starting;	/* events left of the thread's start; see fine_clock.h */
	uint64_t switches;	/* context switches up to the last review */
	uint64_t spare_ns;	/* in which a thread may switch more often */
	unsigned calm_reviews;

	/* counters.c */
	struct overflow counters[COUNTERS_MAX];
	uint64_t counted[COUNTERS_MAX]; /* counts at the last overflow */

	/* watch.c; NULL before the thread watches memory */
	struct watch *watch;

	/* events.c: where the signal has interrupted the thread, and whether a counter
	 * overflowed during the system call that returns there. Later overflows, of the
	 * handler itself, say nothing about that. */
	uint64_t interrupted_pc;
	bool overflowed_in_call;

	/* vfork.c: the vfork in progress, for the child that shares this memory. The
	 * child counts its execs and notes the last one that failed. */
	unsigned vfork_number, vfork_execs;
	struct {
		unsigned exec; /* 0 if none failed */
		int error;
		const char *variant;
		char path[NOTED_PATH_SIZE];
	} vfork_failure;

	/* handler.c: number of shared signals that were the program's, and the
	 * collector's */
	_Atomic unsigned delivered, taken;
	/* The hidden signals that the thread believes it blocks */
	_Atomic uint64_t blocked;

	struct openmp openmp;

	void *inherited; /* from the thread that created this one; see thread_legacy */
	unsigned calls;	 /* whose stacks were taken by trace_stack_of() */

	struct cursor data[DATA_COUNT];
	uint32_t hidden; /* bits of the kinds whose calls are not recorded */
	/* A handler may interrupt a traced call of its own thread, so each has its own
	 * writer. */
	struct stack_writer in_handler, in_call;

	/* The start of the thread, for time that is recorded at its end */
	void *(*start)(void *);
	int (*start_c11)(void *);
	void *argument;
	uint64_t root[THREAD_ROOT_FRAMES];
	size_t root_count;
};

/* Returns what the calling thread leaves to a thread that it creates. NULL: nothing. */
extern void *(*thread_legacy)(void)__attribute__((visibility("hidden")));

/* The number of the recording of this process */
extern _Atomic unsigned thread_recording;

/* Returns true for a record of a recording that has ended. */
static inline bool thread_is_stale(const struct thread *thread)
{
	return thread->recording != atomic_load(&thread_recording);
}

/* Returns true if the calling thread blocks the hidden signal in the program's view. */
static inline bool thread_blocks(int signal)
{
	return thread_self && (thread_self->blocked & SIGNAL_BIT(signal)) != 0;
}

/* Call once, when libc may be called. */
bool thread_prepare(void);
/* Give the calling thread a record. Call at the start of a recording. */
bool thread_init(void);
/* Call before another recording: records in use are left to their threads, as stale ones;
 * see existing.h. */
void thread_forget_all(void);
struct thread *thread_first(void); /* linked by ->next */
/* Returns true after the calling thread's record is gone. The thread may borrow one for a
 * call. */
bool thread_is_over(void);
struct thread *thread_borrow(void);
/* Borrow a record, with its own blocks and stacks, for a call in a handler that has
 * interrupted a call of outer. */
struct thread *thread_borrow_nested(struct thread *outer);
void thread_return(struct thread *thread);
/* Drop the records nested in outer, whose calls may have been left by a jump. A nested
 * call that does continue still returns its record. */
void thread_leave_nested(struct thread *outer);
/* Call in the child of fork, where the caller is the only thread. */
void thread_after_fork(void);

/* Returns true if the program has paused all threads, or this one, or if the thread has
 * yet to begin. */
bool collector_is_paused(const struct thread *thread);
/* Returns true if the process is recording and not paused. */
bool collector_takes_events(const struct thread *thread);
/* The same for an event at that time, which may precede the end of a pause. Call this
 * after the time is taken, so that no event seems to be in a pause. */
bool collector_takes_event_at(const struct thread *thread, uint64_t time);

#endif
