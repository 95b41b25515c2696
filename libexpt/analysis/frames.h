/* SPDX-License-Identifier: Apache-2.0 */
/* The frames of a distinct stack in the mode of the view: places in functions. */
#ifndef LIBEXPT_ANALYSIS_FRAMES_H
#define LIBEXPT_ANALYSIS_FRAMES_H

#include "libexpt/analysis/java_frames.h"
#include "libexpt/events/stack_sums.h"

/* Find the frames of a stack. Returns how the stack ends, or -1: out of memory. */
int frames_find(struct frame_list *frames, const struct expt_view *view,
		const struct stack_sum *sum);
/* Find them for users: they are valid until the list changes. */
int frames_show(struct frame_list *list, const struct expt_view *view,
		const struct stack_sum *sum, struct expt_frames *frames,
		struct expt_error *err);
/* Check whether they are those of the native stack. */
bool frames_are_native(const struct expt_view *view, const struct stack_sum *sum);

#endif
