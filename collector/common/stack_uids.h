/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of call stacks, computed from their frames, root first. */
#ifndef COLLECTOR_COMMON_STACK_UIDS_H
#define COLLECTOR_COMMON_STACK_UIDS_H

#include "libexpt/format.h"

/* The numbers of a stack and of the rest of it without its leaf frames. */
struct stack_uids {
	uint64_t frame, info;
};

#define STACK_UIDS_OF_NONE                                  \
	{                                                   \
		STACK_FRAME_UID_START, STACK_INFO_UID_START \
	}

static inline void stack_uids_add(struct stack_uids *uids,
				  const struct stack_uids *callers, uint64_t pc)
{
	uids->frame = (callers->frame + pc) * STACK_UID_FACTOR;
	uids->info = (callers->info + pc) * STACK_UID_FACTOR;
}

#endif
