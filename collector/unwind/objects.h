/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The load objects with their unwind data, for readers in signal handlers: a sorted array
 * that is replaced as a whole. Two arrays alternate: one is rewritten only after the
 * other has been published. A slow reader whose array is being rewritten notices that by
 * the array's version and tries again. Memory is mapped, grows by doubling, and is never
 * freed. The array lacks objects that libc is still loading, whose constructors may
 * already run, and those that libc loads for itself: libc is asked for these.
 */
#ifndef COLLECTOR_UNWIND_OBJECTS_H
#define COLLECTOR_UNWIND_OBJECTS_H

#include "collector/unwind/cfi.h"

struct unwind_object {
	uintptr_t low, high; /* its executable segments, and the space between them */
	uintptr_t entry; /* of the dynamic linker, whose code there has no caller and no
			    rules; or 0 */
	struct cfi_section cfi;
	struct cfi_section debug; /* .debug_frame, for code that cfi lacks */
	bool is_published;	  /* it remains until the next objects_refresh() */
};

/* Call in normal context. False: out of memory; the published array remains. *has_shrunk:
 * an object is gone. */
bool objects_refresh(bool *has_shrunk);

/* Call in the child of a fork. */
void objects_after_fork(void);

/* Call in any context. False: pc is not in an object. */
bool objects_find(struct unwind_object *object, uintptr_t pc);

/* Call in any context. Find the rules at an address of the object. */
enum cfi_result objects_find_rules(struct cfi_rules *rules,
				   const struct unwind_object *object, uintptr_t address);

/* Call in any context. Does a call in an object end at pc? */
bool objects_is_return_address(uintptr_t pc);

/* Was an object found that is not published? */
bool objects_are_behind(void);

/* Changes with every objects_refresh(). */
uint32_t objects_generation(void);

#endif
