/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls reach the wrappers of libraries that were opened late: the addresses of wrapped
 * functions in the slots of all modules are replaced by those of the wrappers, as if our
 * libraries had been preloaded, and put back at the end.
 *
 * Calls inside libc and static code have no slots, and a pointer to a function that was
 * copied before leads past the wrapper.
 *
 * The caller lets only one of these functions run at a time. Each waits for the lock of
 * the dynamic linker; none allocates by malloc.
 */
#ifndef COLLECTOR_PATCH_PATCH_H
#define COLLECTOR_PATCH_PATCH_H

struct patch_counts {
	unsigned patched;
	/* Slots that were left: */
	unsigned elsewhere; /* they lead to another function than the program's other
			       calls */
	unsigned kept;	    /* the program's own function, or a sanitizer's */
	unsigned unsure;    /* not bound yet, and perhaps to another function */
	unsigned refused;   /* their pages cannot be made writable */
	unsigned lost;	    /* no memory to remember them */
};

/* Find our wrappers, and patch all modules. */
struct patch_counts patch_apply(void);
/* Patch modules that were opened since; forget those that were closed. Does nothing
 * before patch_apply() and after patch_undo(). */
struct patch_counts patch_refresh(void);
/* Put back what was in each slot that is still ours. Returns the number of slots of which
 * the pages cannot be made writable any more. */
unsigned patch_undo(void);

#endif
