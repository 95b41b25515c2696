/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entry points for debuggers, and for collect -P. A debugger calls them in a thread that
 * is outside of the allocator, stdio and the dynamic linker. None of them allocates
 * memory by malloc.
 *
 * The library may be preloaded without settings in the environment, or opened by dlopen()
 * with RTLD_GLOBAL; the libraries of wrappers are opened after it.
 */
#ifndef COLLECTOR_ATTACH_H
#define COLLECTOR_ATTACH_H

#include <stdint.h>

#define COLLECTOR_BUFFER_SIZE 65536

/* Wait for a debugger: call once, when the image begins without settings. */
void attach_wait(void);

#pragma GCC visibility push(default)

/* Texts that a debugger hands over and gets back. */
extern char __collector_buffer[COLLECTOR_BUFFER_SIZE];

/* The process, as recorded. A debugger may read its first member, an int: 0 for one that
 * is not recorded, 1 for one that only passes on the recording, 2 while it is recorded, 3
 * after a limit has ended the events, 4 after the end. */
extern struct process __collector_process;

/* Called when the image begins without settings. A debugger that stops here may fill the
 * buffer as for __collector_start(): the recording then starts as soon as this returns.
 * If it cannot start, this is called again, with the sentence in the buffer. */
void __collector_ready(void);

/* Start a recording with the settings in the buffer: strings NAME=VALUE, each ended by a
 * zero byte; an empty one ends the list. The names are those of the variables by which
 * collect passes settings on, see libexpt/format.h. Returns 0, or a negative errno with a
 * sentence in the buffer; -EBUSY: the process is recorded already. It may wait for the
 * dynamic linker's lock: let the other threads run meanwhile. The end is
 * __collector_terminate_expt(), of which the same is true; then nothing of ours is left
 * in the process but the library itself, and it may be recorded again. */
int __collector_start(void);

/* Drop the signals of events that came during a start: they would interrupt the system
 * call that the thread goes back to. Call with signals blocked. */
void __collector_settle(void);

/* A debugger that cannot set a thread's mask begins and ends with the calls of
 * collector/signals/hold.h. One that has blocked signals for the time of a call sets the
 * mask of the thread afterwards. After a start, an end, or a start that has failed, this
 * is the mask that the thread is to have instead of the one before the calls: while it is
 * recorded, the collector's signals are open, even if the program blocks them. */
uint64_t __collector_mask(uint64_t mask);

/* End as __collector_terminate_expt() does, but leave it to the debugger to run
 * er_archive: the process does not wait for that. */
void __collector_end(void);

/* Pause as __collector_pause() does, and without periodic samples, until
 * __collector_resume(). */
void __collector_debugger_pause(void);

/* Put lines "name value" into the buffer: state (one of off, on, stopped and ended),
 * paused (1 or 0), experiment (its path), archive (how load objects are to be archived at
 * the end of this process, if it does that), elapsed (nanoseconds), bytes, samples. */
void __collector_status(void);

#pragma GCC visibility pop

#endif
