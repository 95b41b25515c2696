/* SPDX-License-Identifier: Apache-2.0 */
/* Room for a while in TMPDIR, or in /tmp where that is not set. */
#ifndef LIBEXPT_STAGE_SCRATCH_H
#define LIBEXPT_STAGE_SCRATCH_H

#include "libexpt/expt.h"

/* A file without a name, which ends with its descriptor. */
int scratch_file(struct expt_error *err);

#define SCRATCH_NAME_SIZE 32

struct scratch {
	int dir, parent;
	char name[SCRATCH_NAME_SIZE]; /* in the parent */
	char path[4096];	      /* for those who take no descriptors */
};

/* clang-format off */
#define SCRATCH_INIT { .dir = -1, .parent = -1 }
/* clang-format on */
#define cleanup_scratch __attribute__((__cleanup__(scratch_remove)))

/* A new directory, which has a name: who may be interrupted must not end before
 * scratch_remove(). */
int scratch_open(struct scratch *scratch, struct expt_error *err);
void scratch_remove(struct scratch *scratch);

#endif
