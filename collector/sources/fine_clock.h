/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Periods shorter than the kernel's tick: the kernel's event task-clock counts the time
 * that a thread spends outside the kernel. It must not count the kernel's own time: a
 * signal during an exec that the program makes by its own system call would kill the new
 * image. The thread's timer counts that time, on the tick.
 *
 * With a longer period the event follows a thread through its beginning only: many
 * threads end before a tick has met them.
 *
 * The first threads and children that a process makes, and the founder, begin with the
 * timer alone: see FIRST_WITHOUT.
 */
#ifndef COLLECTOR_SOURCES_FINE_CLOCK_H
#define COLLECTOR_SOURCES_FINE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

/* Call at the start of a recording, and once outside of handlers if fine_clock_open() is
 * called in one. */
void fine_clock_forget(void);
void fine_clock_prepare(void);
/* In the thread itself: from now on, or from the first review on, an
 * event each period_ns, if the tick is longer than that; else events for the first
 * milliseconds of the thread, or none. Their period is random, so that many
 * identical threads are each sampled at a different point. */
void fine_clock_open(struct thread *thread, uint64_t period_ns, uint64_t tick_ns,
		     uint32_t random);
/* Call from any thread. */
void fine_clock_close(struct thread *thread);
bool fine_clock_is_open(const struct thread *thread);
/* Returns the longest time that may pass in the program without an event, while there are
 * any. */
uint64_t fine_clock_resolution_ns(const struct thread *thread);
/* The thread ends; used_ns: what it has used since its last sample, if it has any. */
void fine_clock_learn(uint64_t used_ns, bool has_samples);
/* In the handler: the time of the periods that have ended since the last call. With the
 * first tick of the thread's timer its beginning is over. */
uint64_t fine_clock_take(struct thread *thread, bool is_tick);
/* Call in the handler, at a signal of the thread's timer that counts for this many
 * periods. Each switch to another thread stops and starts the event, which may take
 * longer than the thread's work in between. The event is closed while that is so. */
void fine_clock_review(struct thread *thread, uint64_t periods);

#endif
