/* SPDX-License-Identifier: Apache-2.0 */
/* From the instruction at which a counter has interrupted a program back to the one that
 * accessed memory. */
#ifndef LIBEXPT_ACCESSES_BACKTRACK_H
#define LIBEXPT_ACCESSES_BACKTRACK_H

#include "libexpt/accesses/state.h"

enum backtrack {
	BACKTRACK_FOUND,
	BACKTRACK_NOT_FOUND,	 /* there is none within reach */
	BACKTRACK_INSTRUCTION,	 /* a jump or call is between */
	BACKTRACK_BRANCH_TARGET, /* the program may have come from elsewhere */
	BACKTRACK_NOT_VERIFIED,	 /* where it may have come from is not known */
};

/* The accesses that an event counts. */
enum access_kind { ACCESS_LOAD = 1, ACCESS_STORE = 2, ACCESS_EITHER = 3 };

/* Find the last access before the step at an address; *found becomes its number. reach:
 * steps to go back at most. */
enum backtrack backtrack_find(size_t *found, const struct function *function,
			      uint64_t address, enum access_kind kind, size_t reach);
/* Find the access that was the last instruction before the step at an address, wherever
 * the program came from: a jump to that step accesses no memory itself. */
enum backtrack backtrack_last(size_t *found, const struct function *function,
			      uint64_t address);
/* Check whether the program has come straight from one address to another one after
 * it. */
enum backtrack backtrack_verify(const struct function *function, uint64_t from,
				uint64_t to);
/* Mark the steps that are targets of jumps. */
void backtrack_mark(struct function *function);

#endif
