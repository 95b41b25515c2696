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
#ifndef COLLECTOR_UNWIND_UNWIND_H
#define COLLECTOR_UNWIND_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

/* Call once, before any other function. False: out of memory; unwind_stack() then returns
 * the leaf only. */
bool unwind_init(void);
/* Call after objects were loaded, before the loader returns to the program, and after
 * some were unloaded: publish what dl_iterate_phdr() now reports and retire the rest. */
void unwind_refresh(void);
/* Has a walk met an object that was absent at the last refresh? */
bool unwind_is_behind(void);
/* Forget everything learnt about code, as if nothing had been walked yet: for
 * measurements. */
void unwind_forget(void);
/* Call in the child of a fork: forget what other threads were doing. */
void unwind_after_fork(void);

/* The stack that a thread runs on; low == high: unknown, so every load is checked by a
 * guarded read. */
struct unwind_bounds {
	uintptr_t low, high;
};

enum unwind_end { UNWIND_WHOLE, UNWIND_TRUNCATED, UNWIND_FAILED };

/* Walk the stack of the interrupted context, leaf first: pcs[0] is the interrupted
 * instruction, the others are addresses of call instructions, found from the return
 * address. If no call precedes that, it is itself the value, and likewise for made code
 * that a walk from a call reaches by frame pointers: reading that code may fault. Stores
 * at most limit values; *end is the reason why the walk ended. Returns the count. */
size_t unwind_stack(uint64_t *pcs, size_t limit, const ucontext_t *context,
		    const struct unwind_bounds *bounds, enum unwind_end *end);
/* Walk the stack of the caller of this function, without this frame; for events that are
 * calls. */
size_t unwind_here(uint64_t *pcs, size_t limit, const struct unwind_bounds *bounds,
		   enum unwind_end *end);

/* Find frames with a pc in that code, among the first callers of the interrupted
 * function, leaf first. Returns their number, at most limit. */
struct unwind_frame {
	uint64_t pc, sp, bp;
};
size_t unwind_frames_in(struct unwind_frame *frames, size_t limit,
			const ucontext_t *context, const struct unwind_bounds *bounds,
			const struct unwind_bounds *code);

/* Like unwind_here(), but for the function whose frame pointer is frame: from its caller
 * on, and without the registers that it may have changed. UNWIND_FAILED: unwind_here()
 * may find more. */
size_t unwind_from(uint64_t *pcs, size_t limit, const struct unwind_bounds *bounds,
		   enum unwind_end *end, const void *frame);

/* Is there a signal frame between the caller of the function whose frame pointer is frame
 * and this place further up the same stack? */
bool unwind_meets_signal(const void *frame, uintptr_t place,
			 const struct unwind_bounds *bounds);

/* Is there a signal frame among the callers of the interrupted function? */
bool unwind_is_in_handler(const ucontext_t *context, const struct unwind_bounds *bounds);

/* Call in the handler of SIGSEGV and SIGBUS: true if the fault is a guarded read of the
 * unwinder, whose context then continues at the read's failure exit. */
bool unwind_fault(ucontext_t *context, uintptr_t address);

#endif
