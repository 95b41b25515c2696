/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of libcollector.so that the libraries with wrappers of malloc, locks and I/O
 * use. It is loaded before them. A wrapper calls the real function whatever happens here:
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
#ifndef COLLECTOR_TRACE_TRACE_H
#define COLLECTOR_TRACE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/files/files.h"
#include "libexpt/format.h"

#pragma GCC visibility push(default)

/* NULL: the call is not recorded, because it comes from inside a recorded one or from a
 * thread that is not recorded, or because nothing is recorded now. */
struct thread *trace_begin(void);
void trace_end(struct thread *thread);
/* End the calling thread's call, whichever it is. */
void trace_left(void);

/* Check whether the caller is a child of vfork, which shares this memory only. */
bool trace_is_in_vfork(void);

/* The clock of all records, in nanoseconds. */
uint64_t trace_now(void);

/* Write the packet, in which the caller has filled in its own fields and the time; its
 * size is a multiple of 8. The stack is that of the caller, with the wrapper as its leaf,
 * and its number follows the head. */
enum trace_stack {
	TRACE_WITH_STACK,
	TRACE_WITHOUT_STACK,
	TRACE_OF_ANOTHER, /* the caller has filled in the thread and its stack as well */
};
void trace_record(struct thread *thread, enum data_kind kind, enum packet_type type,
		  struct trace_head *packet, size_t size, enum trace_stack stack);

/* Record a whole call that has returned. Until now the thread could be cancelled, jump
 * away, or handle a signal whose calls are recorded as well. Returns false if it was not
 * recorded. */
bool trace_returned(enum data_kind kind, enum packet_type type, struct trace_head *packet,
		    size_t size, enum trace_stack stack);

/* trace_record() in two steps, for a call whose result others wait for: everything is
 * written before the call, with the stack. Then the packet is published, which is a
 * single store, or withdrawn; either ends the recorded call. NULL: nothing will be
 * recorded. */
char *trace_reserve(struct thread *thread, enum data_kind kind, struct trace_head *packet,
		    size_t size);
void trace_publish(struct thread *thread, char *room, enum packet_type type, size_t size);
void trace_withdraw(struct thread *thread, enum data_kind kind, size_t size);

/* Record no calls of this kind in the calling thread while they are hidden: they are
 * parts of one that is recorded. */
void trace_hide(enum data_kind kind, bool is_hidden);

/* Returns the number of the caller's stack, for a packet that will be recorded without
 * one; 0: not available now. */
uint64_t trace_stack(enum data_kind kind);
/* Returns the number of the stack of the caller of a wrapper, which has that frame
 * pointer; 0: none is recorded now. The data files are made if necessary, and samples
 * that are due are taken now and then. */
uint64_t trace_stack_of(enum data_kind kind, const void *frame);

/* Make the data files, if need be, where that is possible. */
void trace_prepare(enum data_kind kind);
/* Returns the number of a stack that the caller has found; 0: none is recorded now. */
uint64_t trace_stack_from(enum data_kind kind, const uint64_t *pcs, size_t count);

/* Returns what deadlock_hooks.thread_begins() returned when the calling thread was
 * created, or NULL. */
void *trace_inherited(void);

#pragma GCC visibility pop

/* Place in a wrapper whose call may end in an exception or in the end of the thread:
 * trace_left() is then called. A cleanup would require another library than libc in
 * every program. */
#define TRACE_MAY_BE_LEFT __asm__ volatile(".cfi_personality 0x1b, trace_unwound")

#endif
