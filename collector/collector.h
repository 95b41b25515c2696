/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The recording library inside a program: settings from collect, the state of this
 * process, and its life from start to end. Two contexts call these functions: normal
 * code, which blocks signals (collector_enter) around everything it does here, and the
 * handler of SIGPROF, in which all signals are blocked. So a lock that both take can
 * never wait for its own thread.
 */
#ifndef COLLECTOR_COLLECTOR_H
#define COLLECTOR_COLLECTOR_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "collector/common/settings.h"
#include "collector/files/output.h"

/* The kinds of data; each has a file in the experiment. */
enum data_kind { DATA_CLOCK, DATA_COUNTERS, DATA_HEAP, DATA_SYNC, DATA_IO, DATA_COUNT };

enum collector_state {
	COLLECTOR_OFF,	   /* not ours to record; nothing is passed on */
	COLLECTOR_CARRIED, /* not recorded, but descendants may be */
	COLLECTOR_ON,
	COLLECTOR_STOPPED, /* no more events; log and samples go on */
	COLLECTOR_ENDED,
};

/* This process. A fork's child starts it anew. */
struct process {
	_Atomic int state; /* enum collector_state */
	pid_t pid;
	char lineage[LINEAGE_MAX + 1]; /* "" in the founder */
	uint64_t start_ns;
	/* CPU time of before the first thing that this library did in it, until that is
	 * recorded. */
	_Atomic uint64_t past_ns;
	bool began_unseen; /* a child that nothing told of, found out at its first event */
	const char *command; /* arguments, joined by blanks; "(fork)" */
	_Atomic bool
		is_paused; /* by the program or a signal; a child of fork goes on so */
	_Atomic uint64_t resumed_ns; /* what is older belongs to a pause */
	_Atomic int founder_fd;	     /* the founder's directory where it is held; -1: see
					access.h */
	struct output log, map, overview, frames, dyntext, data[DATA_COUNT];
};

extern struct process process;

/* Absolute, CLOCK_MONOTONIC_RAW. */
uint64_t collector_now(void);
/* The same as the system has it; see tsc.h. */
uint64_t collector_read_clock(void);
/* From now on by the kernel's ticks: strict seccomp forbids the counter behind the other
 * clocks. */
void collector_use_coarse_clock(void);

bool collector_is_recording(void);
/* Of all threads, or of this one. */
struct thread;
bool collector_is_paused(const struct thread *thread);
/* Recording, and not paused. */
bool collector_takes_events(const struct thread *thread);
/* The same for an event of that time, which may be older than the end of a pause. Who
 * records asks this after the time is taken, so that no event seems to be in a pause. */
bool collector_takes_event_at(const struct thread *thread, uint64_t time);
/* It has not ended, and is not one that is only passed through. */
bool collector_has_experiment(void);
/* Samples go on when a limit has ended the recording of events. */
bool collector_takes_samples(void);
bool collector_is_founder(void);
/* No system call of ours is allowed any more (a sandbox); what is mapped can still be
 * written. Who freezes has not entered; it waits a little for those who have. */
bool collector_is_frozen(void);
void collector_freeze(void);
/* Nothing may be handed out: an exec is under way. */
bool collector_is_suspended(void);
void collector_suspend(void);
void collector_resume(void);
/* Count size bytes more against the limit of -L: true, and logged once, if they go beyond
 * it. */
bool collector_is_full(size_t size);
/* The same for what may be left out: it is counted only if it does not go beyond the
 * limit. */
bool collector_has_room(size_t size);
/* No more events, for the reason given by a message number of the log and an errno. */
void collector_stop(int message, int error);

/* In the handler of SIGBUS: true if the fault is ours, and recording has been stopped. */
bool collector_absorb_fault(uintptr_t address);

/* Block all signals around our work in normal code, and restore them. */
uint64_t collector_enter(void);
void collector_leave(uint64_t mask);
/* Block them again, after signals_give_back(). */
void collector_enter_again(void);
/* In a child of fork, where the other threads are not; mask: what its thread was told, or
 * 0. */
void collector_enter_after_fork(uint64_t mask);

/* The process becomes a descendant: after fork, and when a raw clone is found out,
 * which began unseen. lineage may be NULL: it is not recorded. */
void collector_become_child(const char *lineage, bool began_unseen);
/* The end of this experiment: last sample, files cut to length, archive. */
void collector_end(void);
/* control.c: whether -t was given; and if so, whether this is a time between its limits:
 * the first and the last such time are written to the log. Signals are blocked. */
bool collector_has_window(void);
bool collector_is_in_window(uint64_t now);
/* No more events and samples in a process that goes on: the end of that. Perhaps in a
 * handler: without the files' end and the archive. */
void collector_end_events(uint64_t now);

/* A lock for rare work. Try a bounded number of times, yielding. */
struct spin {
	_Atomic int is_held;
};
bool spin_lock(struct spin *spin);
/* The same for what must not be missed: whoever has it may wait for a processor. */
bool spin_lock_patiently(struct spin *spin);
void spin_unlock(struct spin *spin);

#endif
