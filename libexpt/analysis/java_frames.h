/* SPDX-License-Identifier: Apache-2.0 */
/* The frames of a Java stack, and of native code that its methods called. */
#ifndef LIBEXPT_ANALYSIS_JAVA_FRAMES_H
#define LIBEXPT_ANALYSIS_JAVA_FRAMES_H

#include "libexpt/expt.h"

struct frame_list {
	struct expt_place *items; /* leaf first, without a PLT stub there */
	size_t count, capacity;
};

/* Add a frame. false: out of memory. */
bool frame_list_add(struct frame_list *frames, const struct expt_place *place);
/* Add the frames of a Java stack at a time. native is the native stack that was recorded
 * with it. false: out of memory. */
bool java_frames_add(struct frame_list *frames, struct expt *expt,
		     const struct expt_java_stack *java, const struct expt_stack *native,
		     uint64_t time_ns);

#endif
