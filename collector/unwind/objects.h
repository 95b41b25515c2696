/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The load objects with their unwind data, for readers in signal handlers: a sorted array
 * that is replaced as a whole. There are two arrays in turn; one is rewritten only after
 * the other has been published, and a reader that was so slow that its array is rewritten
 * notices it by the array's number and tries again. Memory is mapped, grows by doubling,
 * and is never given back. An object that libc is just loading, whose constructors may
 * run already, or that libc loads for itself, is not in the array: libc is asked for it.
 */
#ifndef COLLECTOR_UNWIND_OBJECTS_H
#define COLLECTOR_UNWIND_OBJECTS_H

#include "collector/unwind/cfi.h"

struct unwind_object {
	uintptr_t low, high; /* its executable segments, and what is between them */
	uintptr_t entry; /* of the dynamic linker: code there has no caller, and no rules.
			    Or 0 */
	struct cfi_section cfi;
	struct cfi_section debug; /* .debug_frame, for what the other one lacks */
	bool is_published;	  /* it stays until the next objects_refresh() */
};

/* Normal context. False: no memory; what was published stays. *has_shrunk: an object is
 * gone. */
bool objects_refresh(bool *has_shrunk);

/* In the child of a fork. */
void objects_after_fork(void);

/* Any context. False: pc is in none. */
bool objects_find(struct unwind_object *object, uintptr_t pc);

/* Any context. The rules at an address of the object. */
enum cfi_result objects_find_rules(struct cfi_rules *rules,
				   const struct unwind_object *object, uintptr_t address);

/* Something was found that is not published. */
bool objects_are_behind(void);

/* Changes with every objects_refresh(). */
uint32_t objects_generation(void);

#endif
