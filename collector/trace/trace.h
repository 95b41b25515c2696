/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the libraries that stand before malloc, locks and I/O use of libcollector.so,
 *which is loaded before them. A wrapper calls the function that it stands before whatever
 *happens here:
 *
 *	struct thread *thread = trace_begin();
 *	... the call ...
 *	if (thread) {
 *		trace_record(thread, ...);
 *		trace_end(thread);
 *	}
 *
 * Nothing here changes errno.
 */
#ifndef COLLECTOR_TRACE_H
#define COLLECTOR_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/collector.h"
#include "libexpt/format.h"

#pragma GCC visibility push(default)

/* NULL: the call is not recorded: it comes from inside another one that is, from a thread
 * that is not ours, or from a time when nothing is. */
struct thread *trace_begin(void);
void trace_end(struct thread *thread);
/* The same for the calling thread's, whichever it is. */
void trace_left(void);

/* The clock of all records, in nanoseconds. */
uint64_t trace_now(void);

/* Write the packet, of which the caller has filled in what is its own, and the time; its
 * size is a multiple of 8. A stack is that of the caller, with the wrapper as its leaf,
 * and its number stands behind the head. */
enum trace_stack { TRACE_WITH_STACK, TRACE_WITHOUT_STACK };
void trace_record(struct thread *thread, enum data_kind kind, enum packet_type type,
		  struct trace_head *packet, size_t size, enum trace_stack stack);

/* A whole call that has returned: until now its thread may be cancelled, jump away, or
 * handle a signal that makes calls to be recorded, too. */
void trace_returned(enum data_kind kind, enum packet_type type, struct trace_head *packet,
		    size_t size, enum trace_stack stack);

/* trace_record() in two steps, for a call whose result others wait for: all is written,
 * with the stack, before it is made; then the packet is published, which takes a store,
 * or withdrawn, and the call ends for us, too. NULL: nothing will be recorded. */
char *trace_reserve(struct thread *thread, enum data_kind kind, struct trace_head *packet,
		    size_t size);
void trace_publish(struct thread *thread, char *room, enum packet_type type, size_t size);
void trace_withdraw(struct thread *thread, enum data_kind kind, size_t size);

/* Of the blocks that are allocated, those of smallest to smallest + span bytes are
 * recorded. Frees are all recorded: that of an unknown block means nothing. */
extern struct heap_range {
	size_t smallest, span;
} heap_range;

/* The number of the caller's stack, for a packet that will be recorded without; 0: not to
 * be had now. */
uint64_t trace_stack(enum data_kind kind);

/* Of a descriptor that has just been opened. Asked for again under the same name, which
 * is relative to the current directory, or NULL, it is remembered, until that means
 * something else. */
enum expt_file_system trace_file_system(int fd, const char *name);
void trace_forget_file_systems(void);

#pragma GCC visibility pop

/* In a wrapper whose call may end in an exception, or in the end of the thread:
 * trace_left() is called then. It is less than a cleanup, which needs a library beside
 * libc in every program. */
#define TRACE_MAY_BE_LEFT __asm__ volatile(".cfi_personality 0x1b, trace_unwound")

#endif
