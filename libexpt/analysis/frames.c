/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/analysis/frames.h"

#include "libexpt/base/array.h"

int frames_find(struct frame_list *frames, const struct expt_view *view,
		const struct stack_sum *sum)
{
	struct expt *expt = view->members.items[sum->member].expt;
	struct expt_stack whole = { .count = 0 };

	frames->count = 0;
	if (sum->uid != 0 && expt_stack(expt, sum->uid, &whole, NULL) < 0)
		return EXPT_STACK_WHOLE;
	for (size_t i = 0; i < pc_count(sum, &whole); i++) {
		struct expt_place place, *new;

		expt_place(expt, pc_at(sum, &whole, i), sum->time_ns, &place);
		if (i == 0 && place.is_plt)
			continue;
		new = array_add(frames);
		if (!new)
			return -1;
		*new = place;
	}
	return (int)whole.end;
}
