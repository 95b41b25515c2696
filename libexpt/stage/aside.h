/* SPDX-License-Identifier: Apache-2.0 */
/* The experiment that has the name of a result, until the result has it. */
#ifndef LIBEXPT_STAGE_ASIDE_H
#define LIBEXPT_STAGE_ASIDE_H

#include "libexpt/stage/stage.h"

/* An experiment out of the way, hidden, until another one has its name. Nobody else
 * removes it. */
struct stage_aside {
	int parent, dir;
	char final[STAGE_NAME_SIZE], hidden[STAGE_NAME_SIZE];
};
/* -EAGAIN: somebody else is replacing or removing it; otherwise err is set. */
int stage_set_aside(struct stage_aside *aside, int parent, const char *name,
		    struct expt_error *err);
/* Give it its name back. Who has taken that meanwhile has replaced it: it is removed
 * then. */
void stage_put_back(struct stage_aside *aside);
void stage_discard(struct stage_aside *aside);

#endif
