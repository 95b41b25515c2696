/* SPDX-License-Identifier: Apache-2.0 */
/* The experiment that has the name of a result, until the result replaces it. */
#ifndef LIBEXPT_STAGE_ASIDE_H
#define LIBEXPT_STAGE_ASIDE_H

#include "libexpt/stage/stage.h"

/* An experiment hidden until another one has its name. Other processes do not remove
 * it. */
struct stage_aside {
	int parent, dir;
	char final[STAGE_NAME_SIZE], hidden[STAGE_NAME_SIZE];
};
/* Hide the experiment. -EAGAIN: another process is replacing or removing it; otherwise
 * err is set. */
int stage_set_aside(struct stage_aside *aside, int parent, const char *name,
		    struct expt_error *err);
/* Give the experiment its name back. If another one has taken the name by now, that has
 * replaced this one, which is removed. */
void stage_put_back(struct stage_aside *aside);
void stage_discard(struct stage_aside *aside);

#endif
