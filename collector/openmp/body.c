/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/openmp/body.h"

#include "collector/threads/thread.h"

/* The threads of a team wait after that for each other, and then for the next region. */
OPENMP_CODE void openmp_body_run(word argument)
{
	const struct openmp_body *body = (const void *)(uintptr_t)argument;
	struct thread *thread = thread_self;
	bool is_noted = thread && openmp_has_room(&thread->openmp);

	if (is_noted)
		thread->openmp.now =
			(struct openmp_now){ EXPT_OMP_WORK, body->place, { 0, 0 } };
	body->function(body->data);
	if (is_noted)
		thread->openmp.now.state = EXPT_OMP_IMPLICIT_BARRIER;
}
