/* SPDX-License-Identifier: Apache-2.0 */
/* Distinct call stacks of single records, whose frames are found when they are shown. */
#ifndef LIBEXPT_THREADS_STACK_LIST_H
#define LIBEXPT_THREADS_STACK_LIST_H

#include "libexpt/analysis/frames.h"
#include "libexpt/base/idmap.h"

struct stack_list {
	const struct expt_view *view;
	struct {
		struct stack_sum *items;
		size_t count, capacity;
	} stacks;
	struct idmap by_key;
	struct frame_list frames;
};

/* Returns the number of the stack of a member's record, with an address added at its
 * leaf, unless that is 0; IDMAP_NONE: out of memory. */
uint32_t stack_list_add(struct stack_list *list, uint32_t member,
			const struct expt_record *record, uint64_t leaf);
int stack_list_frames(struct stack_list *list, size_t stack, struct expt_frames *frames,
		      struct expt_error *err);
void stack_list_release(struct stack_list *list);

/* Call take for all records of a kind of data of a member, in the order of time. false:
 * out of memory, or stopped. Records that cannot be read are missing: stack_sums_get()
 * reports it. */
typedef bool (*record_taker)(void *context, uint32_t member,
			     const struct expt_record *record);
bool stack_list_read(const struct expt_view *view, enum expt_data data, record_taker take,
		     void *context);

#endif
