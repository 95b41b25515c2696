/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call stacks of the running process, from inside a signal handler: .eh_frame rules run
 * once per function and kept in a lock-free cache of compact rows, with PLT and
 * frame-pointer fallbacks.
 *
 * unwind_stack() takes no lock, allocates nothing, makes no system call and calls nothing
 * outside this directory; the other functions run in normal context, serialised by the
 * caller.
 */
#ifndef COLLECTOR_UNWIND_H
#define COLLECTOR_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

/* Once, before any other call. False: no memory; unwind_stack() then gives the leaf only.
 */
bool unwind_init(void);
/* After objects were loaded, before the loader returns to the program, and after some
 * were unloaded: publish what dl_iterate_phdr() now shows and retire the rest. */
void unwind_refresh(void);
/* A walk met an object that was not there at the last refresh. */
bool unwind_is_behind(void);
/* Forget what was learnt of code, as if nothing had been walked yet: for measuring. */
void unwind_forget(void);
/* In the child of a fork: forget what other threads were doing. */
void unwind_after_fork(void);

/* The stack a thread runs on, as known; low == high: unknown, every load is then checked
 * by a guarded read. */
struct unwind_bounds {
	uintptr_t low, high;
};

enum unwind_end { UNWIND_WHOLE, UNWIND_TRUNCATED, UNWIND_FAILED };

/* The stack of the interrupted context, leaf first: pcs[0] is the interrupted
 * instruction, the others are addresses of call instructions (found from the return
 * address; the return address where none precedes it, and of made code that a walk from a
 * call is led to by frame pointers: to look there may fault). At most limit values; *end
 * tells why the walk ended. Returns the count.
 */
size_t unwind_stack(uint64_t *pcs, size_t limit, const ucontext_t *context,
		    const struct unwind_bounds *bounds, enum unwind_end *end);
/* The stack of the caller of this function, without this frame; for events that are
 * calls. */
size_t unwind_here(uint64_t *pcs, size_t limit, const struct unwind_bounds *bounds,
		   enum unwind_end *end);

/* The same from the return of the function whose frame pointer is frame: from its caller
 * on, and without the registers that it may have changed. Failed: unwind_here() may know
 * more. */
size_t unwind_from(uint64_t *pcs, size_t limit, const struct unwind_bounds *bounds,
		   enum unwind_end *end, const void *frame);

/* Is there a signal's frame between the caller of the function whose frame pointer is
 * frame and that place further up the same stack? */
bool unwind_meets_signal(const void *frame, uintptr_t place,
			 const struct unwind_bounds *bounds);

/* For the SIGSEGV and SIGBUS handler: true if the fault is a guarded read of the
 * unwinder, whose context has then been moved to the read's failure exit. */
bool unwind_fault(ucontext_t *context, uintptr_t address);

#endif
